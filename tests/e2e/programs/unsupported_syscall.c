/* Makes system calls that the proxy does not have, and goes on with their answer. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

static void make(const char* name, long number) {
  errno = 0;
  const long result = syscall(number, -100, "file", 0600, 0x100);
  printf("%s: %ld, errno %d\n", name, result, errno);
}

int main(void) {
  make("fchmodat2", 452);
  make("unshare", 97);
  make("fchmodat2", 452);
  return 0;
}
