// Threads that leave deep recursion by longjmp, and a handler that leaves what it interrupted by
// siglongjmp.
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>

enum { kThreads = 3, kRounds = 300, kAlarms = 20 };

static sigjmp_buf interrupted;
static volatile sig_atomic_t alarms;

__attribute__((noinline)) static long descend(jmp_buf leave, long depth, long* visited) {
  volatile long here[4] = {depth, depth * 3, depth ^ 5, depth + 7};
  ++*visited;
  if (depth == 0) longjmp(leave, 9);
  return descend(leave, depth - 1, visited) + here[depth & 3];
}

static void* jump(void* argument) {
  volatile uintptr_t sum = (uintptr_t)argument;
  for (volatile int round = 0; round < kRounds; ++round) {
    jmp_buf leave;
    long visited = 0;
    const int code = setjmp(leave);
    if (code == 0) sum += (uintptr_t)descend(leave, round % 23, &visited);
    sum = sum * 31 + (uintptr_t)code;
  }
  return (void*)sum;
}

static void on_alarm(int number) {
  (void)number;
  ++alarms;
  siglongjmp(interrupted, 1);
}

__attribute__((noinline)) static unsigned spin(unsigned state) {
  for (int i = 0; i < 1000; ++i) state = (state & 1) != 0 ? state * 5 + 1 : state / 2 + 77;
  return state;
}

int main(void) {
  pthread_t threads[kThreads];
  for (uintptr_t i = 0; i < kThreads; ++i) pthread_create(&threads[i], NULL, jump, (void*)i);
  for (int i = 0; i < kThreads; ++i) {
    void* sum = NULL;
    pthread_join(threads[i], &sum);
    printf("%llx\n", (unsigned long long)(uintptr_t)sum);
  }
  signal(SIGALRM, on_alarm);
  const struct itimerval once = {{0, 0}, {0, 400}};
  sigsetjmp(interrupted, 1);
  if (alarms < kAlarms) {
    setitimer(ITIMER_REAL, &once, NULL);
    for (;;) {
      if (spin(3) != spin(3)) abort();
    }
  }
  puts("left by signals");
  return 0;
}
