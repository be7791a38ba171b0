/* Three threads with work of their own, and signals of a timer if the argument says after how many
 * microseconds. What add, mix, twist and work execute does not depend on which runs when. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>

enum { kThreads = 3, kRounds = 4000, kWords = 64 };
typedef long (*Step)(long*, long);

static long tables[kThreads][kWords];
static long shared;
static volatile sig_atomic_t alarms;

__attribute__((noinline)) static long add(long* table, long at) { return table[at] += at; }
__attribute__((noinline)) static long mix(long* table, long at) {
  if ((at & 3) == 0) table[at] ^= 0x55;
  return table[(at + 1) % kWords] += table[at];
}
__attribute__((noinline)) static long twist(long* table, long at) {
  for (int i = 0; i < 3; ++i) table[(at + i) % kWords] = table[at] * 5 + i;
  return table[at];
}

/* LR and SC, which a switch makes try again. */
__attribute__((noinline)) static void count_up(void) {
  long old = __atomic_load_n(&shared, __ATOMIC_RELAXED);
  while (
      !__atomic_compare_exchange_n(&shared, &old, old + 1, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    continue;
}

__attribute__((noinline)) static void* work(void* argument) {
  static const Step steps[] = {add, mix, twist};
  const long number = (long)argument;
  unsigned long state = 12345 + (unsigned long)number;
  for (int round = 0; round < kRounds; ++round) {
    state = state * 6364136223846793005ul + 1442695040888963407ul;
    steps[(state >> 33) % 3](tables[number], (long)(state >> 40) % kWords);
    count_up();
  }
  return NULL;
}

static void on_alarm(int number) {
  (void)number;
  ++alarms;
}

int main(int argc, char** argv) {
  const long period = argc > 1 ? atol(argv[1]) : 0;
  signal(SIGALRM, on_alarm);
  const struct itimerval often = {{0, period}, {0, period}}, never = {{0, 0}, {0, 0}};
  setitimer(ITIMER_REAL, &often, NULL);
  pthread_t threads[kThreads];
  for (long i = 1; i < kThreads; ++i) pthread_create(&threads[i], NULL, work, (void*)i);
  work((void*)0);
  for (int i = 1; i < kThreads; ++i) pthread_join(threads[i], NULL);
  setitimer(ITIMER_REAL, &never, NULL);
  for (int i = 0; i < kThreads; ++i) {
    unsigned long sum = 0;
    for (int k = 0; k < kWords; ++k) sum = sum * 31 + (unsigned long)tables[i][k];
    printf("table %d: %lx\n", i, sum);
  }
  printf("shared %ld, signals %s\n", shared, (alarms > 0) == (period > 0) ? "as asked" : "wrong");
  return 0;
}
