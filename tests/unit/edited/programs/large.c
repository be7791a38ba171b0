// More than 1 MiB of code in one section, with calls, loops and returns all over it.
#include <stdio.h>

#define BODY(n)                                                         \
  __attribute__((noinline)) static long part_##n(long x) {              \
    __asm__ volatile(".rept 16000\n addi %0, %0, 1\n .endr" : "+r"(x)); \
    for (int i = 0; i < 3; ++i) x = x * 31 + i;                         \
    return x;                                                           \
  }
#define TEN(n)                                                                            \
  BODY(n##0)                                                                              \
  BODY(n##1) BODY(n##2) BODY(n##3) BODY(n##4) BODY(n##5) BODY(n##6) BODY(n##7) BODY(n##8) \
      BODY(n##9)
#define NAMES(n)                                                                             \
  part_##n##0, part_##n##1, part_##n##2, part_##n##3, part_##n##4, part_##n##5, part_##n##6, \
      part_##n##7, part_##n##8, part_##n##9

TEN(1)
TEN(2) TEN(3) TEN(4)

    static long (*const parts[])(long) = {NAMES(1), NAMES(2), NAMES(3), NAMES(4)};

int main(void) {
  long x = 1;
  for (int round = 0; round < 3; ++round) {
    for (unsigned i = 0; i < sizeof parts / sizeof *parts; ++i) x = parts[i](x) + part_40(x >> 1);
  }
  printf("%lx\n", x);
  return 0;
}
