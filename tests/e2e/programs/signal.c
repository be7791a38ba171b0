// Two phases that take turns, each in a word that others may read: divisions that wait for each
// other, and additions that do not.
#include <stdint.h>
#include <stdio.h>

enum { kIdle, kDivide, kAdd };

volatile uint32_t phase = kIdle;
volatile uint64_t rounds = 0;
uint8_t odd_size[3];
static volatile uint64_t sink;

static uint64_t divide(uint64_t value) {
  for (int i = 0; i < 2000; ++i) value = (value + 0x123456789abcdef) / (3 + (value & 3));
  return value;
}

static uint64_t add(uint64_t value) {
  uint64_t a = value, b = value + 1, c = value + 2, d = value + 3;
  for (int i = 0; i < 20000; ++i) {
    a += 3;
    b += 5;
    c ^= 7;
    d += 9;
    __asm__ volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d));
  }
  return a + b + c + d;
}

int main(void) {
  uint64_t value = 1;
  for (int i = 0; i < 8; ++i) {
    phase = kDivide;
    value = divide(value);
    phase = kAdd;
    value = add(value);
    ++rounds;
  }
  phase = kIdle;
  sink = value + odd_size[0];
  printf("%llu\n", (unsigned long long)rounds);
  return 0;
}
