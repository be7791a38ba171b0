/* A loop of four events of the sampling framework, three calls and the branch back: a fixed distance
 * of one in a hundred meets the same one in every burst. */
#include <stdio.h>

static long total;
__attribute__((noinline)) void first(void) { total += 1; }
__attribute__((noinline)) void second(void) { total += 2; }
__attribute__((noinline)) void third(void) { total += 3; }

int main(void) {
  for (int round = 0; round < 50000; ++round) {
    first();
    second();
    third();
  }
  printf("total %ld\n", total);
  return 0;
}
