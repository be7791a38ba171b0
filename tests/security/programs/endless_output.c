// Writes so many bytes to its standard output; without end when that is 0.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char** argv) {
  static char block[65536];
  if (argc != 2) return 2;
  const unsigned long bytes = strtoul(argv[1], NULL, 0);
  memset(block, 'x', sizeof block);
  for (unsigned long done = 0; bytes == 0 || done < bytes;) {
    const unsigned long left = bytes - done;
    const ssize_t put = write(1, block, bytes == 0 || left > sizeof block ? sizeof block : left);
    if (put <= 0) return 1;
    done += (unsigned long)put;
  }
  return 0;
}
