// Masks of ppoll, pselect and epoll_pwait: a signal that is blocked elsewhere is taken while they
// wait.
#define _GNU_SOURCE
#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <unistd.h>

#include "facts.h"

static volatile sig_atomic_t handled;

static void on_signal(int signal) {
  (void)signal;
  ++handled;
}

int main(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = on_signal;
  sigaction(SIGUSR1, &action, NULL);
  sigset_t blocked, none;
  sigemptyset(&none);
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &blocked, NULL);
  const struct timespec late = {30, 0};
  struct epoll_event found;
  const int events = epoll_create1(0);
  raise(SIGUSR1);
  called("ppoll", ppoll(NULL, 0, &late, &none));
  fact("handled", handled);
  raise(SIGUSR1);
  called("pselect", pselect(0, NULL, NULL, NULL, &late, &none));
  fact("handled", handled);
  raise(SIGUSR1);
  called("epoll_pwait", epoll_pwait(events, &found, 1, 30000, &none));
  fact("handled", handled);
  sigset_t now;
  pthread_sigmask(SIG_BLOCK, NULL, &now);
  fact("blocked again", sigismember(&now, SIGUSR1));
  const struct timespec soon = {0, 1000000};
  raise(SIGUSR1);
  called("ppoll with its own mask", ppoll(NULL, 0, &soon, NULL));
  fact("handled", handled);
  return 0;
}
