// Runs loops and recursion whose checks can be counted by hand, and prints the counters of bursty tracing when they are
// there.
#include <stdint.h>
#include <stdio.h>

extern volatile int32_t __strobe_ncheck __attribute__((weak));

extern volatile int32_t __strobe_ncheck0 __attribute__((weak));
extern volatile int32_t __strobe_ninstr0 __attribute__((weak));
extern volatile uint64_t __strobe_next_event __attribute__((weak));

volatile int sink;

__attribute__((noinline)) int leaf(int n) { return n * 7 + sink; }

__attribute__((noinline)) int descend(int n) { return n == 0 ? 0 : descend(n - 1) + leaf(n); }

__attribute__((noinline)) int work(int n) {
  int sum = 0;
  for (int i = 0; i < n; ++i) {
    sink = sum;
    sum += leaf(i) & 0xff;
    if (i % 64 == 0) sum += descend(5);
  }
  return sum;
}

__attribute__((noinline)) int count_checks(int n) {
  const int32_t before = __strobe_ncheck;
  for (int i = 0; i < n; ++i) {
    sink = leaf(i);
    sink += sink;
    sink ^= i;
  }
  return before - __strobe_ncheck;
}

int main(void) {
  printf("%d\n", work(1000));
  if (&__strobe_ncheck != 0) {
    fprintf(stderr, "%d checks\n", count_checks(100));
    const volatile uint64_t* const first = (const volatile uint64_t*)__strobe_next_event;
    __strobe_ncheck0 = 10;
    __strobe_ninstr0 = 5;
    __strobe_ncheck = 10;
    count_checks(150);
    __strobe_ncheck = 0x7fffffff;
    int marks = 0, events = 0;
    for (const volatile uint64_t* at = first; at != (const volatile uint64_t*)__strobe_next_event; at += 2) {
      if (*at == 0) ++marks;
      else ++events;
    }
    fprintf(stderr, "%d bursts, %s\n", marks, events > 0 && events % marks == 0 ? "equally long" : "not equally long");
  }
  return 0;
}
