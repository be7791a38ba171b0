// Files in memory, which threads see through mappings and through descriptors.
#define _GNU_SOURCE
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "facts.h"

static void* fill(void* memory) {
  for (int i = 0; i < 1000; ++i) ((int*)memory)[i] = i * i;
  return NULL;
}

int main(void) {
  const int file = memfd_create("numbers", MFD_CLOEXEC);
  struct stat status;
  called("truncate", ftruncate(file, 8192));
  fstat(file, &status);
  printf("a file %d of %ld bytes\n", S_ISREG(status.st_mode), (long)status.st_size);
  int* const memory = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (memory == MAP_FAILED) called("mmap", -1), exit(3);
  finish(start(fill, memory));
  int number = 0;
  called("pread", pread(file, &number, sizeof number, 30 * sizeof number));
  fact("number in the file", number);
  number = -5;
  called("pwrite", pwrite(file, &number, sizeof number, 31 * sizeof number));
  fact("number in memory", ((volatile int*)memory)[31]);
  const int* const second = mmap(NULL, 8192, PROT_READ, MAP_SHARED, file, 0);
  memory[32] = 77;
  fact("in a second mapping", ((const volatile int*)second)[32]);
  volatile int* const own = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
  own[33] = 1;
  printf("a private one has %d, the file %d\n", own[33], ((volatile int*)memory)[33]);
  called("seek to the end", lseek(file, 0, SEEK_END));
  called("append", write(file, "tail", 4));
  fstat(file, &status);
  fact("size", status.st_size);
  munmap(memory, 8192);
  called("pread after munmap", pread(file, &number, sizeof number, 32 * sizeof number));
  fact("number", number);
  called("close", close(file));
  fact("mapped after close", ((const volatile int*)second)[32]);
  return 0;
}
