// Signals that the program sends itself, and what their handlers find. It prints nothing that a
// process number or an address decides.
#define _GNU_SOURCE
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

static volatile sig_atomic_t depth, most, entered, calls;
static char alternate[32768];
static sigjmp_buf back;

static sigset_t set_of(int signal) {
  sigset_t set;
  sigemptyset(&set);
  if (signal != 0) sigaddset(&set, signal);
  return set;
}
static void handle(int signal, void (*handler)(int, siginfo_t*, void*), int flags) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO | flags;
  sigemptyset(&action.sa_mask); /* qemu 7.2 looks for it elsewhere */
  if (sigaction(signal, &action, NULL) != 0) perror("sigaction");
}

static void tell(int signal, siginfo_t* info, void* context) {
  ucontext_t* found = context;
  sigset_t now;
  sigprocmask(SIG_BLOCK, NULL, &now);
  printf("signal %d: code %d, from itself %d, value %d, blocks itself %d, then %d\n", signal,
         info->si_code, info->si_pid == getpid(), info->si_code == SI_QUEUE ? info->si_value.sival_int : 0,
         sigismember(&now, signal), sigismember(&found->uc_sigmask, signal));
  errno = EDOM;
  ++calls;
}
static void nest(int signal, siginfo_t* info, void* context) {
  (void)info, (void)context;
  if (++depth > most) most = depth;
  if (++entered < 5) raise(signal);
  --depth;
}
static void where(int signal, siginfo_t* info, void* context) {
  (void)signal, (void)info, (void)context;
  char here;
  stack_t stack;
  sigaltstack(NULL, &stack);
  printf("on the alternate stack %d, flags %d\n", &here >= alternate && &here < alternate + sizeof alternate,
         stack.ss_flags);
  stack.ss_flags = 0;
  printf("changing it there: %d\n", sigaltstack(&stack, NULL) == -1 && errno == EPERM);
}
static void jump(int signal, siginfo_t* info, void* context) {
  (void)info, (void)context;
  siglongjmp(back, signal);
}
/* The kernel gives every register back, as the frame has it. */
static void change(int signal, siginfo_t* info, void* context) {
  (void)signal, (void)info;
  double noise = 1;
  for (int i = 0; i < 40; ++i) noise = noise * 1.5 + i;
  ((ucontext_t*)context)->uc_mcontext.__gregs[18] += 1 + (noise < 0); /* s2 */
}
static void order(int signal, siginfo_t* info, void* context) {
  (void)info, (void)context;
  printf("[%d", signal);
  printf("]");
}

int main(void) {
  setvbuf(stdout, NULL, _IONBF, 0);
  handle(SIGUSR1, tell, 0);
  errno = ERANGE;
  printf("raise %d\n", raise(SIGUSR1));
  kill(getpid(), SIGUSR1);
  sigqueue(getpid(), SIGUSR1, (union sigval){.sival_int = 42});

  handle(SIGUSR2, nest, SA_NODEFER);
  raise(SIGUSR2);
  printf("nested %d deep\n", most);
  depth = most = entered = 0;
  handle(SIGUSR2, nest, 0);
  raise(SIGUSR2); /* the second one waits until the first has returned */
  printf("%d deep without SA_NODEFER, entered %d times\n", most, entered);

  stack_t stack = {.ss_sp = alternate, .ss_size = sizeof alternate};
  sigaltstack(&stack, NULL);
  handle(SIGHUP, where, SA_ONSTACK);
  raise(SIGHUP);
  sigaltstack(NULL, &stack);
  printf("afterwards flags %d\n", stack.ss_flags);

  handle(SIGINT, jump, 0);
  const int came = sigsetjmp(back, 1);
  if (came == 0) raise(SIGINT);
  sigset_t now;
  sigprocmask(SIG_BLOCK, NULL, &now);
  printf("jumped out of %d, blocked %d\n", came, sigismember(&now, SIGINT));

  handle(SIGTERM, change, 0);
  const long self = getpid();
  double sum = 0.5;
  register long counter __asm__("s2") = 41, number __asm__("a7") = 131, pid __asm__("a0") = self,
                        thread __asm__("a1") = self, signal __asm__("a2") = SIGTERM;
  __asm__ volatile("fadd.d %0, %0, %0\n ecall\n fadd.d %0, %0, %0"
                   : "+f"(sum), "+r"(counter), "+r"(pid) : "r"(number), "r"(thread), "r"(signal) : "memory");
  printf("counter %ld, sum %.2f, result %ld\n", counter, sum, pid);

  handle(SIGUSR1, order, 0);
  handle(SIGUSR2, order, 0);
  handle(SIGRTMIN, order, 0);
  sigset_t all, old;
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, &old);
  raise(SIGUSR2), raise(SIGUSR1), raise(SIGUSR1); /* the second one is lost */
  for (int i = 0; i < 3; ++i) sigqueue(getpid(), SIGRTMIN, (union sigval){.sival_int = i});
  raise(SIGCHLD);
  sigset_t pending;
  sigpending(&pending);
  printf("pending %d %d %d\n", sigismember(&pending, SIGUSR1), sigismember(&pending, SIGHUP),
         sigismember(&pending, SIGRTMIN));
  siginfo_t info;
  const sigset_t real_time = set_of(SIGRTMIN), hup = set_of(SIGHUP);
  printf("waited for %d", sigwaitinfo(&real_time, &info) == SIGRTMIN);
  printf(" with %d\n", info.si_value.sival_int);
  const struct timespec soon = {0, 1000};
  printf("timed out %d\n", sigtimedwait(&hup, NULL, &soon) == -1 && errno == EAGAIN);
  const sigset_t none = set_of(0);
  const int result = sigsuspend(&none);
  printf(" suspended %d %d\n", result, errno == EINTR);
  sigprocmask(SIG_BLOCK, NULL, &now);
  printf("still blocked %d\n", sigismember(&now, SIGUSR1));
  sigprocmask(SIG_SETMASK, &old, NULL);

  handle(SIGABRT, tell, SA_RESETHAND);
  printf("calls %d\n", calls);
  raise(SIGABRT);
  struct sigaction action;
  sigaction(SIGABRT, NULL, &action);
  printf("calls %d, default again %d\n", calls, action.sa_handler == SIG_DFL);
  return 3;
}
