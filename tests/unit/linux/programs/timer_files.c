// Timers that are descriptors: reading them, polling them, and what is left of their time.
#define _GNU_SOURCE
#include <poll.h>
#include <stdint.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "facts.h"

int main(void) {
  const int fast = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
  const int slow = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
  uint64_t count = 0;
  called("read before it expired", read(slow, &count, sizeof count));
  const struct timespec due = after(CLOCK_MONOTONIC, 10);
  struct itimerspec time = expires_in(10);
  called("timerfd_settime", timerfd_settime(fast, 0, &time, NULL));
  time = expires_in(60000);
  timerfd_settime(slow, 0, &time, NULL);
  struct pollfd polled[2] = {{.fd = slow, .events = POLLIN}, {.fd = fast, .events = POLLIN}};
  called("poll", poll(polled, 2, 30000));
  printf("ready %d %d\n", polled[0].revents, polled[1].revents);
  fact("not too early", reached(CLOCK_MONOTONIC, due));
  called("short read", read(fast, &count, 4));
  called("read", read(fast, &count, sizeof count));
  fact("expired", (long)count);
  timerfd_gettime(slow, &time);
  fact("time left", time.it_value.tv_sec >= 30 && time.it_value.tv_sec < 60);
  called("poll in vain", poll(polled, 2, 5));
  time = expires_every(2);
  timerfd_settime(slow, 0, &time, NULL);
  sleep_ms(21);
  called("read", read(slow, &count, sizeof count));
  fact("expired often", count >= 10);
  called("read of no bytes", read(fast, &count, 0));
  time = expires_in(5);
  timerfd_settime(fast, 0, &time, NULL);
  called("read", read(fast, &count, sizeof count));
  fact("expired", (long)count);
  close(fast), close(slow);
  return 0;
}
