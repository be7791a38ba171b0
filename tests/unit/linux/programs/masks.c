// Signals and threads: which thread a signal reaches, masks of their own, and threads that wait for
// signals.
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "facts.h"

enum { kThreads = 3 };

static sem_t ready, handled, go;
static __thread int handled_here;
static _Atomic int handled_by; /* the kernel's number of the thread */

static sigset_t set_of(int signal) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, signal);
  return set;
}
static int pends(int signal) {
  sigset_t set;
  sigpending(&set);
  return sigismember(&set, signal);
}
static void wait_for(sem_t* semaphore) {
  while (sem_wait(semaphore) != 0) continue;
}
static int number(void) { return (int)syscall(SYS_gettid); }

static void on_signal(int signal) {
  (void)signal;
  ++handled_here;
  handled_by = number();
  sem_post(&handled);
}

struct thread {
  pthread_t handle;
  int blocks, number, handled, pended;
};

/* Tells its number and waits; some of them block SIGUSR1. */
static void* serve(void* argument) {
  struct thread* me = argument;
  const sigset_t set = set_of(SIGUSR1);
  pthread_sigmask(me->blocks ? SIG_BLOCK : SIG_UNBLOCK, &set, NULL);
  me->number = number();
  sem_post(&ready);
  wait_for(&go);
  me->pended = pends(SIGUSR1);
  pthread_sigmask(SIG_UNBLOCK, &set, NULL);
  me->handled = handled_here;
  return NULL;
}

static void aimed(void) {
  struct thread threads[kThreads] = {{.blocks = 0}, {.blocks = 0}, {.blocks = 1}};
  for (int i = 0; i < kThreads; ++i) {
    threads[i].handle = start(serve, &threads[i]);
    wait_for(&ready);
  }
  answer("signal 0", pthread_kill(threads[0].handle, 0));
  answer("signal 1000", pthread_kill(threads[0].handle, 1000));
  for (int i = 0; i < 2; ++i) {
    answer("pthread_kill", pthread_kill(threads[i].handle, SIGUSR1));
    wait_for(&handled);
    fact("  handled by that thread", handled_by == threads[i].number);
  }
  answer("to one that blocks it", pthread_kill(threads[2].handle, SIGUSR1));
  fact("  pends for this one", pends(SIGUSR1));
  for (int i = 0; i < kThreads; ++i) sem_post(&go);
  for (int i = 0; i < kThreads; ++i) {
    finish(threads[i].handle);
    printf("thread %d: pended %d, handled %d\n", i, threads[i].pended, threads[i].handled);
  }
  wait_for(&handled); /* thread 2, when it unblocked the signal */
  fact("handled by the main thread", handled_here);
  answer("tgkill to a thread of another process",
         syscall(SYS_tgkill, getppid(), number(), 0) == -1 ? errno : 0);
}

/* A signal of the process goes to the only thread that does not block it. */
static void of_the_process(void) {
  const sigset_t set = set_of(SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  struct thread threads[kThreads] = {{.blocks = 1}, {.blocks = 0}, {.blocks = 1}};
  for (int i = 0; i < kThreads; ++i) {
    threads[i].handle = start(serve, &threads[i]);
    wait_for(&ready);
  }
  for (int i = 0; i < 5; ++i) {
    called("kill", kill(getpid(), SIGUSR1));
    wait_for(&handled);
    fact("  handled by the open one", handled_by == threads[1].number);
  }
  for (int i = 0; i < kThreads; ++i) sem_post(&go);
  for (int i = 0; i < kThreads; ++i) {
    finish(threads[i].handle);
    printf("thread %d: pended %d, handled %d\n", i, threads[i].pended, threads[i].handled);
  }
  called("kill when all block it", kill(getpid(), SIGUSR1));
  fact("  pends for the process", pends(SIGUSR1));
  pthread_sigmask(SIG_UNBLOCK, &set, NULL);
  wait_for(&handled);
  fact("  handled by this one", handled_by == number());
}

static void* inherited(void* unused) {
  sigset_t now;
  pthread_sigmask(SIG_BLOCK, NULL, &now);
  fact("mask of the creator", sigismember(&now, SIGUSR2));
  fact("pending signals of the creator", pends(SIGUSR2));
  return unused;
}

static int taken, values, last;

static void* take(void* unused) {
  const sigset_t set = set_of(SIGRTMIN);
  siginfo_t info;
  do {
    if (sigwaitinfo(&set, &info) != SIGRTMIN) return (void*)1;
    ++taken;
    values += info.si_value.sival_int;
    last = info.si_value.sival_int;
    sem_post(&handled);
  } while (info.si_value.sival_int != 0);
  return unused;
}

static void* wait_and_time_out(void* unused) {
  const sigset_t set = set_of(SIGUSR2);
  const struct timespec soon = {0, 20000000}, time = after(CLOCK_MONOTONIC, 20);
  called("sigtimedwait", sigtimedwait(&set, NULL, &soon));
  fact("  not too early", reached(CLOCK_MONOTONIC, time));
  sem_post(&ready);
  int signal = 0;
  answer("sigwait", sigwait(&set, &signal));
  fact("  found SIGUSR2", signal == SIGUSR2);
  return unused;
}

static void* suspend(void* unused) {
  sigset_t none;
  sigemptyset(&none);
  sem_post(&ready);
  called("sigsuspend", sigsuspend(&none));
  fact("  handled here", handled_here);
  fact("  mask as before", ({
         sigset_t now;
         pthread_sigmask(SIG_BLOCK, NULL, &now);
         sigismember(&now, SIGUSR2);
       }));
  return unused;
}

int main(void) {
  sem_init(&ready, 0, 0);
  sem_init(&handled, 0, 0);
  sem_init(&go, 0, 0);
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART;
  sigaction(SIGUSR1, &action, NULL);
  sigaction(SIGUSR2, &action, NULL);
  aimed();
  of_the_process();

  sigset_t set = set_of(SIGUSR2);
  sigaddset(&set, SIGRTMIN);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  pthread_kill(pthread_self(), SIGUSR2);
  finish(start(inherited, NULL));
  sigpending(&set);
  fact("still pending here", sigismember(&set, SIGUSR2));
  set = set_of(SIGUSR2);
  int signal;
  answer("sigwait", sigwait(&set, &signal));

  const pthread_t taker = start(take, NULL);
  for (int i = 40; i >= 0; --i) sigqueue(getpid(), SIGRTMIN, (union sigval){.sival_int = i});
  for (int i = 40; i >= 0; --i) wait_for(&handled);
  finish(taker);
  printf("taken %d with sum %d, the last one %d\n", taken, values, last);

  pthread_t waiter = start(wait_and_time_out, NULL);
  wait_for(&ready);
  pthread_kill(waiter, SIGUSR2);
  finish(waiter);
  waiter = start(suspend, NULL);
  wait_for(&ready);
  pthread_kill(waiter, SIGUSR2);
  finish(waiter);
  return 0;
}
