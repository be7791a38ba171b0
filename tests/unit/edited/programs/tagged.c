// Pointers to functions that carry a tag, and some that lead into the middle of code.
#include <stdint.h>
#include <stdio.h>

typedef long (*Operation)(long);

__attribute__((noinline)) static long sum(long n) {
  long total = 0;
  for (long i = 0; i < n; ++i) total += i ^ n;
  return total;
}
__attribute__((noinline)) static long product(long n) {
  long total = 1;
  for (long i = 1; i < n; ++i) total = total * i % 1000003;
  return total;
}

static const char* volatile tagged[] = {(const char*)sum + 1, (const char*)product,
                                        (const char*)product + 1};
// A seed, a key: a number that only has to be different.
static const char* volatile seeds[] = {
    (const char*)product + 2,  (const char*)product + 4,  (const char*)product + 6,
    (const char*)product + 8,  (const char*)product + 10, (const char*)product + 12,
    (const char*)product + 14, (const char*)product + 16, (const char*)product + 1000000};

int main(void) {
  long total = 0;
  for (unsigned i = 0; i < 3; ++i) {
    const uintptr_t bits = (uintptr_t)tagged[i];
    const Operation operation = (Operation)(bits & ~(uintptr_t)1);
    total += operation(40 + i) * (long)(1 + (bits & 1));
    total += seeds[i] != 0;
    // A jump drops the tag by itself.
    total += ((Operation)bits)(5);
  }
  printf("%ld\n", total);
  return 0;
}
