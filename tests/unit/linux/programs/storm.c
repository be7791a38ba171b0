// A storm of signals: threads and a timer interrupt each other all the time, and no queued signal
// is lost.
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "facts.h"

enum { kThreads = 4, kQueued = 120, kPlain = 60, kJumps = 50 };

static pthread_t threads[kThreads];
static pid_t numbers[kThreads];
static pthread_barrier_t begin, sent;
static atomic_int plain, ticks, nested, foreign, wrong_code, disorder, jumps;
static atomic_long queued, sum, to_process, process_sum;
static __thread int me = -1, last[kThreads], depth;
static __thread sigjmp_buf back;
static atomic_int damaged;

/* Values are sender * kQueued + index. */
static void on_queued(int signal, siginfo_t* info, void* context) {
  (void)context;
  const int error = errno, value = info->si_value.sival_int, sender = value / kQueued;
  if (signal == SIGRTMIN) { /* to a thread: what one sender queues arrives in its order */
    ++queued;
    sum += value;
    disorder += value % kQueued < last[sender];
    last[sender] = value % kQueued;
    foreign += me < 0;
  } else {
    ++to_process;
    process_sum += value;
  }
  wrong_code += info->si_code != SI_QUEUE || info->si_pid != getpid();
  errno = error;
}
static void on_plain(int signal, siginfo_t* info, void* context) {
  (void)signal, (void)context;
  ++plain;
  wrong_code += info->si_code != SI_TKILL;
  if (++depth > 1) ++nested;
  for (int i = 0; i < 20; ++i) atomic_signal_fence(memory_order_seq_cst);
  --depth;
}
static void on_tick(int signal, siginfo_t* info, void* context) {
  (void)signal, (void)info, (void)context;
  ++ticks;
}
static void on_jump(int signal, siginfo_t* info, void* context) {
  (void)signal, (void)info, (void)context;
  siglongjmp(back, 1);
}

static void handle(int signal, void (*handler)(int, siginfo_t*, void*), int flags) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO | flags;
  if (sigaction(signal, &action, NULL) != 0) answer("sigaction", errno);
}

/* The queue of the kernel may be full for a moment. */
static void queue(int to, int signal, int value) {
  for (;;) {
    int result;
    if (signal == SIGRTMIN) {
      result = pthread_sigqueue(threads[to], signal, (union sigval){.sival_int = value});
    } else {
      result = sigqueue(getpid(), signal, (union sigval){.sival_int = value}) != 0 ? errno : 0;
    }
    if (result == 0) return;
    if (result != EAGAIN) answer("queue", result), exit(1);
    sched_yield();
  }
}

/* Computes with many registers while signals come in. */
static uint64_t mix(uint64_t seed, int rounds) {
  uint64_t a = seed, b = seed * 3, c = seed * 5, d = seed * 7;
  double x = (double)(seed % 1000), y = 1;
  for (int i = 0; i < rounds; ++i) {
    a ^= b << 7, b += c ^ (a >> 3), c = c * 6364136223846793005u + d, d ^= a + (uint64_t)i;
    x = x * 0.75 + (double)(b & 255), y = y * 0.5 + x;
  }
  return a ^ b ^ c ^ d ^ (uint64_t)(x * 1024) ^ (uint64_t)(y * 1024);
}

static void* send(void* argument) {
  me = (int)(long)argument;
  for (int i = 0; i < kThreads; ++i) last[i] = -1;
  numbers[me] = (pid_t)syscall(SYS_gettid);
  const uint64_t calm = mix((uint64_t)me + 1, 1000);
  pthread_barrier_wait(&begin);
  for (int i = 0; i < kQueued; ++i) {
    for (int to = 0; to < kThreads; ++to) queue(to, SIGRTMIN, me * kQueued + i);
    if (i % 2 == 0) queue(0, SIGRTMIN + 1, me * kQueued + i);
    if (i < kPlain) syscall(SYS_tgkill, getpid(), numbers[(me + i) % kThreads], SIGUSR1);
    if (i % 16 == 0) damaged += mix((uint64_t)me + 1, 1000) != calm;
  }
  pthread_barrier_wait(&sent);
  while (queued < kThreads * kThreads * kQueued || to_process < kThreads * kQueued / 2)
    sched_yield();
  return NULL;
}

/* A handler that does not return, in each thread at once. */
static void* jump(void* argument) {
  volatile int came = 0;
  for (volatile int i = 0; i < kJumps; ++i) {
    if (sigsetjmp(back, 1) == 0) {
      if (i % 2 == 0) {
        pthread_kill(pthread_self(), SIGUSR2);
      } else {
        syscall(SYS_tgkill, getpid(), (pid_t)syscall(SYS_gettid), SIGUSR2);
      }
      puts("unreachable");
    }
    sigset_t now;
    pthread_sigmask(SIG_BLOCK, NULL, &now);
    came += !sigismember(&now, SIGUSR2);
  }
  jumps += came;
  return argument;
}

int main(void) {
  handle(SIGRTMIN, on_queued, SA_RESTART);
  handle(SIGRTMIN + 1, on_queued, SA_RESTART);
  handle(SIGUSR1, on_plain, SA_RESTART | SA_NODEFER);
  handle(SIGUSR2, on_jump, 0);
  handle(SIGALRM, on_tick, SA_RESTART);
  struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM};
  timer_t timer;
  called("timer_create", timer_create(CLOCK_MONOTONIC, &event, &timer));
  const struct itimerspec often = {{0, 300000}, {0, 300000}};
  called("timer_settime", timer_settime(timer, 0, &often, NULL));

  pthread_barrier_init(&begin, NULL, kThreads + 1);
  pthread_barrier_init(&sent, NULL, kThreads);
  for (long i = 0; i < kThreads; ++i) threads[i] = start(send, (void*)i);
  pthread_barrier_wait(&begin); /* now `threads` is complete */
  for (int i = 0; i < kThreads; ++i) finish(threads[i]);
  while (ticks < 5) pause();
  called("timer_delete", timer_delete(timer));
  printf("queued to threads %ld with sum %ld, to the process %ld with sum %ld\n", queued, sum,
         to_process, process_sum);
  printf("out of order %d, in a foreign thread %d, wrong codes %d\n", disorder, foreign,
         wrong_code);
  printf("plain ones: some %d, none too many %d\n", plain > 0, plain <= kThreads * kPlain);
  printf("ticks %d, damaged registers %d\n", ticks >= 5, damaged);

  for (long i = 0; i < kThreads; ++i) threads[i] = start(jump, NULL);
  for (int i = 0; i < kThreads; ++i) finish(threads[i]);
  printf("jumps %d of %d\n", jumps, kThreads * kJumps);
  return 0;
}
