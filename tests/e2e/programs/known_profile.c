/* A program whose profile is known by construction: one indirect call site, three targets in the
 * ratio 4:2:1, and loads of constants from one place. */
#include <stdio.h>

static long total;
__attribute__((noinline)) void target_a(void) { total += 1; }
__attribute__((noinline)) void target_b(void) { total += 2; }
__attribute__((noinline)) void target_c(void) { total += 3; }

int main(void) {
  void (*volatile table[7])(void) = {target_a, target_b, target_a, target_c,
                                     target_a, target_b, target_a};
  for (int round = 0; round < 20000; ++round) {
    for (int i = 0; i < 7; ++i) table[i]();
  }
  printf("total %ld\n", total);
  return 42;
}
