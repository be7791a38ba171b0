/* Programs that never end by themselves, each in its own way; the first argument says which. */
#define _GNU_SOURCE
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

static char stack[1 << 16] __attribute__((aligned(16)));
static const struct itimerspec kEveryNanosecond = {{0, 1}, {0, 1}};

static void handle(int signal, void (*handler)(int), int flags) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = handler;
  action.sa_flags = flags;
  sigaction(signal, &action, NULL);
}
static void nothing(int signal) { (void)signal; }

static void (*code_that_faults(void))(int) {
  void* const code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
                          MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  memset(code, 0, 4096);
  __asm__ volatile("fence.i" ::: "memory");
  return (void (*)(int))code;
}

/* The first instruction of the handler traps: no instruction retires between two entries. */
static void handler_that_faults(void) {
  void (*const code)(int) = code_that_faults();
  handle(SIGILL, code, SA_NODEFER);
  code(0);
}
/* The same, on an alternate stack without room for a second frame. */
static void small_stack(void) {
  const stack_t small = {.ss_sp = stack + sizeof stack / 2, .ss_size = 2048};
  sigaltstack(&small, NULL);
  void (*const code)(int) = code_that_faults();
  handle(SIGILL, code, SA_ONSTACK | SA_NODEFER);
  puts("begins");
  fflush(stdout);
  code(0);
}
/* The handler returns to the instruction that has trapped. */
static void faults_again(void) {
  handle(SIGSEGV, nothing, 0);
  *(volatile int*)16 = 1;
}
static void alarms(void) {
  handle(SIGALRM, nothing, 0);
  struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM};
  timer_t timer;
  timer_create(CLOCK_MONOTONIC, &event, &timer);
  timer_settime(timer, 0, &kEveryNanosecond, NULL);
  for (;;) pause();
}
static void ignored_timer(void) {
  signal(SIGUSR1, SIG_IGN);
  struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1};
  timer_t timer;
  timer_create(CLOCK_PROCESS_CPUTIME_ID, &event, &timer);
  timer_settime(timer, 0, &kEveryNanosecond, NULL);
  for (;;) sched_yield();
}
static void suspends(void) {
  handle(SIGUSR1, nothing, 0);
  sigset_t set, none;
  sigemptyset(&none);
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  sigprocmask(SIG_BLOCK, &set, NULL);
  for (;;) {
    raise(SIGUSR1);
    sigsuspend(&none);
  }
}
static void* starts_the_next(void* unused) {
  pthread_t next;
  pthread_create(&next, NULL, starts_the_next, NULL);
  pthread_detach(next);
  return unused;
}
static void chain_of_threads(void) {
  starts_the_next(NULL);
  for (;;) pause();
}
static void* turns(void* unused) {
  for (volatile int i = 0;; ++i) continue;
  return unused;
}
/* The first thread only waits for the second, which never ends. */
static void second_thread(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, turns, NULL);
  pthread_join(thread, NULL);
}
/* Nor does the first. */
static void two_threads(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, turns, NULL);
  turns(NULL);
}
/* A poll that times out at once, with a timer that it does not look at. */
static void polls(void) {
  const int timer = timerfd_create(CLOCK_MONOTONIC, 0);
  timerfd_settime(timer, 0, &kEveryNanosecond, NULL);
  struct pollfd one = {.fd = eventfd(0, 0), .events = POLLIN};
  const struct timespec nanosecond = {0, 1};
  for (;;) ppoll(&one, 1, &nanosecond, NULL);
}
static void futexes(void) {
  static int word;
  const struct timespec nanosecond = {0, 1};
  for (;;) syscall(SYS_futex, &word, 0, 0, &nanosecond);
}

int main(int count, char** words) {
  static const struct {
    const char* name;
    void (*run)(void);
  } kWays[] = {{"small_stack", small_stack},
               {"handler_that_faults", handler_that_faults},
               {"faults_again", faults_again},
               {"alarms", alarms},
               {"ignored_timer", ignored_timer},
               {"suspends", suspends},
               {"chain_of_threads", chain_of_threads},
               {"second_thread", second_thread},
               {"two_threads", two_threads},
               {"polls", polls},
               {"futexes", futexes}};
  for (unsigned i = 0; i < sizeof kWays / sizeof kWays[0]; ++i) {
    if (count == 2 && strcmp(words[1], kWays[i].name) == 0) kWays[i].run();
  }
  return 1;
}
