// Runs loops and recursion whose checks can be counted by hand, and prints the counters of bursty tracing when they are
// there.
#include <stdint.h>
#include <stdio.h>

extern volatile int32_t __strobe_ncheck __attribute__((weak));

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
  }
  return 0;
}
