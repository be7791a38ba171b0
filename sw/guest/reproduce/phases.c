/* A loop whose branch is taken in the first half of each period and not in the second. A profiler
 * that looks once a period, always at the same place, sees one half alone.
 *
 * Usage: phases START PERIODS
 *   START    0 to 15: where in its period the program begins, in sixteenths
 *   PERIODS  how many periods it runs
 *
 * `strobe reproduce ephemeral-aliasing` runs it with epochs as long as its period. */
#include <stdio.h>
#include <stdlib.h>

enum { kParts = 16, kIterations = 256 /* in a sixteenth */ };

/* The compiler sees neither the value nor that `taken` stays the same. */
static __attribute__((noinline)) unsigned long part(unsigned long value, int taken) {
  for (int i = 0; i < kIterations; ++i) {
    __asm__ volatile("" : "+r"(value), "+r"(taken));
    if (taken) {
      __asm__ volatile("addi %0, %0, 1" : "+r"(value));
    } else {
      __asm__ volatile("addi %0, %0, 2" : "+r"(value));
    }
  }
  return value;
}

int main(int argc, char** argv) {
  const int start = argc == 3 ? atoi(argv[1]) : -1;
  const long periods = argc == 3 ? atol(argv[2]) : -1;
  if (start < 0 || start >= kParts || periods < 1) {
    fprintf(stderr, "usage: phases START PERIODS, with START 0 to 15 and PERIODS at least 1\n");
    return 2;
  }
  unsigned long value = 0;
  for (long at = start; at < start + kParts * periods; ++at) {
    value = part(value, at % kParts < kParts / 2);
  }
  printf("%lu\n", value);
  return 0;
}
