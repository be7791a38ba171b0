// Timers and sleeps: in which order they end, how often, and never too early. It prints no
// duration.
#define _GNU_SOURCE
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include "facts.h"

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

static volatile sig_atomic_t alarms, codes_wrong, values[8], expiries, here;
static int main_number;

static int number(void) { return (int)syscall(SYS_gettid); }

static void on_alarm(int signal) {
  (void)signal;
  ++alarms;
}
static void on_timer(int signal, siginfo_t* info, void* context) {
  (void)signal, (void)context;
  codes_wrong += info->si_code != SI_TIMER;
  if (expiries < 8) values[expiries] = info->si_value.sival_int;
  here += number() != main_number;
  ++expiries;
}
static void handle(int signal, void (*handler)(int, siginfo_t*, void*)) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO;
  sigaction(signal, &action, NULL);
}
static void interval_timers(void) {
  signal(SIGALRM, on_alarm);
  const struct itimerval often = {{0, 5000}, {0, 5000}}, none = {{0, 0}, {0, 0}};
  struct timespec due = after(CLOCK_MONOTONIC, 20);
  called("setitimer", setitimer(ITIMER_REAL, &often, NULL));
  struct itimerval now;
  getitimer(ITIMER_REAL, &now);
  printf("interval %ld, at most %d\n", (long)now.it_interval.tv_usec, now.it_value.tv_usec <= 5000);
  while (alarms < 4) pause();
  fact("four alarms, not too early", reached(CLOCK_MONOTONIC, due));
  called("stop", setitimer(ITIMER_REAL, &none, &now));
  fact("it ran with interval", now.it_interval.tv_usec);
  const int before = alarms;
  sleep_ms(15);
  fact("alarms after it was stopped", alarms - before);
  const struct itimerval wrong = {{0, 0}, {0, 1000000}};
  called("wrong time", setitimer(ITIMER_REAL, &wrong, NULL));

  alarms = 0;
  due = after(CLOCK_MONOTONIC, 1000);
  fact("alarm", alarm(100));
  fact("alarm again", alarm(1) >= 99);
  called("pause", pause());
  fact("alarms", alarms);
  fact("not too early", reached(CLOCK_MONOTONIC, due));
  fact("nothing left", alarm(0));
}

static void posix_timers(void) {
  handle(SIGRTMIN, on_timer);
  main_number = number();
  struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN};
  timer_t timers[3];
  static const long delays[3] = {45, 15, 30};
  sigset_t set, old;
  sigemptyset(&set);
  sigaddset(&set, SIGRTMIN);
  for (int i = 0; i < 3; ++i) {
    event.sigev_value.sival_int = i;
    called("timer_create",
           timer_create(i == 2 ? CLOCK_REALTIME : CLOCK_MONOTONIC, &event, &timers[i]));
  }
  for (int i = 0; i < 3; ++i) {
    const struct itimerspec time = expires_in(delays[i]);
    timer_settime(timers[i], 0, &time, NULL);
  }
  while (expiries < 3) sleep_ms(1);
  printf("order %d %d %d, wrong codes %d\n", values[0], values[1], values[2], codes_wrong);
  struct itimerspec left;
  timer_gettime(timers[0], &left);
  fact("nothing left", left.it_value.tv_sec == 0 && left.it_value.tv_nsec == 0);

  /* An absolute time, and one that is over. */
  const struct timespec soon = after(CLOCK_MONOTONIC, 10);
  struct itimerspec absolute = {{0, 0}, soon};
  expiries = 0;
  timer_settime(timers[0], TIMER_ABSTIME, &absolute, NULL);
  while (expiries < 1) sleep_ms(1);
  fact("absolute, not too early", reached(CLOCK_MONOTONIC, soon));
  absolute.it_value = (struct timespec){0, 1};
  timer_settime(timers[0], TIMER_ABSTIME, &absolute, NULL);
  while (expiries < 2) sleep_ms(1);

  /* Expiries while the signal is blocked are one signal, and the rest is the overrun. */
  sigprocmask(SIG_BLOCK, &set, &old);
  const struct itimerspec often = expires_every(2), none = expires_in(0);
  timer_settime(timers[1], 0, &often, NULL);
  sleep_ms(30);
  siginfo_t info;
  fact("one signal", sigwaitinfo(&set, &info) == SIGRTMIN);
  fact("overrun", timer_getoverrun(timers[1]) >= 10 && info.si_value.sival_int == 1);
  timer_settime(timers[1], 0, &none, NULL);
  const struct timespec now = {0, 0};
  while (sigtimedwait(&set, NULL, &now) == SIGRTMIN) continue;
  sleep_ms(10);
  fact("none after it was stopped", sigtimedwait(&set, NULL, &now) == -1 && errno == EAGAIN);
  sigprocmask(SIG_SETMASK, &old, NULL);
  for (int i = 0; i < 3; ++i) called("timer_delete", timer_delete(timers[i]));
  called("timer_delete", timer_delete(timers[0]));
}

/* A timer whose signal goes to this thread. */
static void* own_timer(void* unused) {
  struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGRTMIN};
  event.sigev_notify_thread_id = number();
  timer_t timer;
  called("timer_create", timer_create(CLOCK_MONOTONIC, &event, &timer));
  const struct itimerspec often = expires_every(3);
  expiries = here = 0;
  timer_settime(timer, 0, &often, NULL);
  while (expiries < 4) pause();
  timer_delete(timer);
  fact("all in this thread", here == expiries);
  return unused;
}

static void sleeps(void) {
  static const long lengths[] = {1, 7, 50};
  for (int i = 0; i < 3; ++i) {
    const struct timespec due = after(CLOCK_MONOTONIC, lengths[i]);
    const struct timespec time = {0, lengths[i] * 1000000};
    called("nanosleep", nanosleep(&time, NULL));
    fact("not too early", reached(CLOCK_MONOTONIC, due));
  }
  const struct timespec wrong = {0, 1000000000};
  called("wrong time", nanosleep(&wrong, NULL));

  const struct itimerval soon = {{0, 0}, {0, 50000}};
  alarms = 0;
  struct timespec rest = {0, 0};
  const struct timespec length = {20, 0};
  setitimer(ITIMER_REAL, &soon, NULL);
  called("interrupted", nanosleep(&length, &rest));
  printf("alarms %d, rest below 20 s %d, above 10 s %d\n", alarms, rest.tv_sec < 20,
         rest.tv_sec >= 10);
  setitimer(ITIMER_REAL, &soon, NULL);
  fact("sleep has a rest", sleep(30) >= 20);
  setitimer(ITIMER_REAL, &soon, NULL);
  called("poll interrupted", poll(NULL, 0, 30000));

  struct timespec due = after(CLOCK_MONOTONIC, 20);
  answer("until", clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, NULL));
  fact("not too early", reached(CLOCK_MONOTONIC, due));
  due = after(CLOCK_REALTIME, 20);
  answer("until", clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &due, NULL));
  fact("not too early", reached(CLOCK_REALTIME, due));
  due = (struct timespec){0, 0};
  answer("until a time that is over", clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, NULL));
  due = after(CLOCK_MONOTONIC, 30000);
  setitimer(ITIMER_REAL, &soon, NULL);
  answer("until, interrupted", clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, NULL));
}

/* Threads that sleep for different times wake in the order of these. */
static int woken[4];
static _Atomic int wakings;
static void* wake_after(void* argument) {
  sleep_ms(30 + 60 * (long)argument);
  woken[wakings++] = (int)(long)argument;
  return NULL;
}

int main(void) {
  interval_timers();
  posix_timers();
  finish(start(own_timer, NULL));
  sleeps();
  pthread_t threads[4];
  for (long i = 3; i >= 0; --i) threads[i] = start(wake_after, (void*)i);
  for (int i = 0; i < 4; ++i) finish(threads[i]);
  printf("woken %d %d %d %d\n", woken[0], woken[1], woken[2], woken[3]);
  return 0;
}
