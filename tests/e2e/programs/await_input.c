/* Says that it has begun, more than a buffer of the host holds, and ends when the first byte of its
   standard input is another. */
#include <stdio.h>
#include <unistd.h>

int main(void) {
  char first = 0, now = 0;
  if (pread(0, &first, 1, 0) != 1) return 1;
  for (int i = 0; i < 2000; ++i) puts("begun");
  fflush(stdout);
  do {
    if (pread(0, &now, 1, 0) != 1) return 1;
  } while (now == first);
  return 0;
}
