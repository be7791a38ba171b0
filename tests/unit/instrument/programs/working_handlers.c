// A timer interrupts sorting and formatting again and again; its handler sorts too, and raises a
// second signal whose handler runs on a stack of its own. Each checks its own work, so that the
// output does not depend on when the signals come.
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

enum { kAlarms = 40, kNumbers = 200, kSmall = 24 };

static volatile sig_atomic_t alarms, nested;
static char other_stack[1 << 16];

static int by_value(const void* left, const void* right) {
  const uint32_t a = *(const uint32_t*)left, b = *(const uint32_t*)right;
  return a < b ? -1 : a > b;
}

static uint64_t sort_and_sum(uint32_t* numbers, int count, uint32_t state) {
  uint64_t sum = 0;
  for (int i = 0; i < count; ++i) numbers[i] = state = state * 1664525u + 1013904223u;
  qsort(numbers, (size_t)count, sizeof *numbers, by_value);
  for (int i = 0; i < count; ++i) {
    if (i > 0 && numbers[i - 1] > numbers[i]) abort();
    sum = sum * 31 + numbers[i];
  }
  return sum;
}

/* A C library's qsort of so few bytes allocates nothing. */
static void check(uint32_t state) {
  uint32_t numbers[kSmall], again[kSmall];
  if (sort_and_sum(numbers, kSmall, state) != sort_and_sum(again, kSmall, state)) abort();
  if (memcmp(numbers, again, sizeof numbers) != 0) abort();
}

/* Once: so the interrupted code gets on, however slow a handler is. */
static void alarm_soon(void) {
  const struct itimerval once = {{0, 0}, {0, 300}};
  setitimer(ITIMER_REAL, &once, NULL);
}

static void on_second(int number) {
  (void)number;
  check(77);
  ++nested;
}

static void on_alarm(int number) {
  (void)number;
  check(5 + (uint32_t)alarms);
  if (alarms % 4 == 0) raise(SIGUSR1);
  if (++alarms < kAlarms) alarm_soon();
}

int main(void) {
  const stack_t stack = {.ss_sp = other_stack, .ss_size = sizeof other_stack};
  struct sigaction action;
  memset(&action, 0, sizeof action);
  sigaltstack(&stack, NULL);
  action.sa_handler = on_second;
  action.sa_flags = SA_ONSTACK;
  sigaction(SIGUSR1, &action, NULL);
  action.sa_handler = on_alarm;
  action.sa_flags = SA_RESTART;
  sigaction(SIGALRM, &action, NULL);
  alarm_soon();
  uint64_t first = 0;
  for (int round = 0; alarms < kAlarms; ++round) {
    uint32_t numbers[kNumbers];
    char text[32];
    const uint64_t sum = sort_and_sum(numbers, kNumbers, 99);
    snprintf(text, sizeof text, "%llx", (unsigned long long)sum);
    if (strtoull(text, NULL, 16) != sum || (round > 0 && sum != first)) abort();
    first = sum;
  }
  printf("%llx, %s\n", (unsigned long long)first, nested > 0 ? "nested" : "not nested");
  return 0;
}
