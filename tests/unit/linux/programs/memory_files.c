// Files in memory: threads write and read parts of them at once.
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "facts.h"

enum { kThreads = 4, kNumbers = 500 };

static int file;

static off_t place(int index) { return (off_t)((size_t)index * sizeof(int)); }

/* Writes every kThreads-th number. */
static void* fill(void* argument) {
  for (int i = (int)(long)argument; i < kNumbers; i += kThreads) {
    const int number = i * i;
    if (pwrite(file, &number, sizeof number, place(i)) != sizeof number) return (void*)1;
  }
  return NULL;
}
static void* add_up(void* argument) {
  long sum = 0;
  int number = 0;
  for (int i = (int)(long)argument; i < kNumbers; i += kThreads) {
    if (pread(file, &number, sizeof number, place(i)) != sizeof number) return (void*)-1;
    sum += number;
  }
  return (void*)sum;
}

static long together(void* (*function)(void*)) {
  pthread_t threads[kThreads];
  long sum = 0;
  for (long i = 0; i < kThreads; ++i) threads[i] = start(function, (void*)i);
  for (int i = 0; i < kThreads; ++i) sum += (long)finish(threads[i]);
  return sum;
}
static void size(const char* what) {
  struct stat status;
  fstat(file, &status);
  printf("%s: a file %d of %ld bytes\n", what, S_ISREG(status.st_mode), (long)status.st_size);
}

int main(void) {
  file = memfd_create("numbers", MFD_CLOEXEC);
  size("new");
  fact("failed writes", together(fill));
  size("filled");
  fact("sum of what all read", together(add_up));
  int number = 0;
  called("pread", pread(file, &number, sizeof number, place(30)));
  fact("number", number);
  called("seek to the end", lseek(file, 0, SEEK_END));
  called("append", write(file, "tail", 4));
  called("truncate up", ftruncate(file, 5000));
  size("larger");
  called("pread of a hole", pread(file, &number, sizeof number, 4000));
  fact("number", number);
  called("pread at the end", pread(file, &number, sizeof number, 4998));
  called("pread beyond the end", pread(file, &number, sizeof number, 6000));
  int* const own = mmap(NULL, 5000, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
  fact("mapped", own[31]);
  own[31] = -1;
  called("pread", pread(file, &number, sizeof number, place(31)));
  fact("a private mapping leaves the file", number);
  called("truncate down", ftruncate(file, 8));
  size("smaller");
  called("pread of what was cut off", pread(file, &number, sizeof number, 16));
  called("a second descriptor", dup(file) > 2);
  called("close", close(file));
  called("closed", pread(file, &number, sizeof number, 0));
  return 0;
}
