// Events between threads: eventfd, and epoll in its three ways.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "facts.h"

static int counter, events;

static long add(int fd, uint64_t value) { return write(fd, &value, sizeof value); }
static void take(const char* what, int fd) {
  uint64_t value = 0;
  const long result = read(fd, &value, sizeof value);
  called(what, result == sizeof value ? (long)value : result);
}

/* ---- eventfd ---- */

static void* add_later(void* value) {
  sleep_ms(10);
  return (void*)add(counter, (uint64_t)value);
}
static void* add_many(void* unused) {
  for (int i = 0; i < 500; ++i) add(counter, 3);
  return unused;
}
static void* add_too_much(void* unused) {
  (void)unused;
  return (void*)add(counter, UINT64_MAX - 1);
}

static void event_counters(void) {
  counter = eventfd(5, EFD_NONBLOCK);
  take("initial", counter);
  take("empty", counter);
  add(counter, 2), add(counter, 4);
  take("sum", counter);
  called("the most", add(counter, UINT64_MAX - 1));
  called("one more", add(counter, 1));
  called("not a value", add(counter, UINT64_MAX));
  uint64_t value;
  called("short read", read(counter, &value, 4));
  close(counter);

  counter = eventfd(0, EFD_SEMAPHORE | EFD_NONBLOCK);
  add(counter, 2);
  take("one", counter);
  take("and one", counter);
  take("none left", counter);
  close(counter);

  counter = eventfd(0, 0);
  pthread_t other = start(add_later, (void*)6);
  take("waited for", counter);
  fact("added", (long)finish(other));
  pthread_t adders[3];
  for (int i = 0; i < 3; ++i) adders[i] = start(add_many, NULL);
  long sum = 0;
  while (sum < 3 * 500 * 3) {
    read(counter, &value, sizeof value);
    sum += (long)value;
  }
  for (int i = 0; i < 3; ++i) finish(adders[i]);
  fact("added by three threads", sum);
  add(counter, 1);
  other = start(add_too_much, NULL);
  sleep_ms(10); /* it waits until the counter is read */
  take("before the most", counter);
  fact("added", (long)finish(other));
  read(counter, &value, sizeof value);
  fact("the most", value == UINT64_MAX - 1);
  close(counter);
}

/* ---- epoll ---- */

static int watch(int operation, int fd, uint32_t what, int data) {
  struct epoll_event event = {.events = what, .data.u32 = (uint32_t)data};
  return epoll_ctl(events, operation, fd, &event);
}
static void ready(const char* what, int milliseconds) {
  struct epoll_event found[8];
  const int count = epoll_wait(events, found, 8, milliseconds);
  printf("%s: %d", what, count);
  /* by their data: the kernel's order of descriptors is its own matter */
  for (uint32_t data = 0; data < 8; ++data)
    for (int i = 0; i < count; ++i)
      if (found[i].data.u32 == data) printf(", %u has %#x", data, found[i].events);
  puts("");
}

static void epolls(void) {
  int ends[2];
  char byte;
  events = epoll_create1(EPOLL_CLOEXEC);
  counter = eventfd(0, EFD_NONBLOCK);
  if (pipe(ends) != 0) exit(1);
  called("add", watch(EPOLL_CTL_ADD, counter, EPOLLIN, 1));
  called("add again", watch(EPOLL_CTL_ADD, counter, EPOLLIN, 1));
  called("add itself", watch(EPOLL_CTL_ADD, events, EPOLLIN, 1));
  called("change an unknown one", watch(EPOLL_CTL_MOD, ends[0], EPOLLIN, 1));
  called("remove an unknown one", watch(EPOLL_CTL_DEL, ends[0], 0, 1));
  ready("nothing", 5);
  add(counter, 1);
  ready("level", -1);
  ready("level again", -1);
  called("change", watch(EPOLL_CTL_MOD, counter, EPOLLIN | EPOLLOUT, 2));
  ready("both", -1);
  take("take", counter);
  ready("still writable", -1);

  called("edge", watch(EPOLL_CTL_MOD, counter, EPOLLIN | EPOLLET, 3));
  ready("no edge", 0);
  add(counter, 1);
  ready("edge", -1);
  ready("no edge again", 0);
  add(counter, 1);
  ready("next edge", -1);
  take("take", counter);

  called("once", watch(EPOLL_CTL_MOD, counter, EPOLLIN | EPOLLONESHOT, 4));
  add(counter, 1);
  ready("once", -1);
  add(counter, 1);
  ready("not twice", 0);
  called("armed again", watch(EPOLL_CTL_MOD, counter, EPOLLIN | EPOLLONESHOT, 5));
  ready("once more", -1);

  called("reader", watch(EPOLL_CTL_ADD, ends[0], EPOLLIN, 6));
  called("writer", watch(EPOLL_CTL_ADD, ends[1], EPOLLOUT, 7));
  ready("room", -1);
  write(ends[1], "x", 1);
  ready("data and room", -1);
  read(ends[0], &byte, 1);
  called("remove", watch(EPOLL_CTL_DEL, ends[1], 0, 0));
  close(ends[1]);
  ready("hung up", -1);
  close(ends[0]);
  ready("closed ones leave", 0);
  close(counter);
}

/* ---- a loop that serves threads ---- */

enum { kClients = 4, kRequests = 60 };

static int requests[kClients][2], replies[kClients][2], wrong;

static void* ask(void* argument) {
  const long me = (long)argument;
  for (int i = 0; i < kRequests; ++i) {
    int number = (int)me * 1000 + i, reply = 0;
    write(requests[me][1], &number, sizeof number);
    read(replies[me][0], &reply, sizeof reply);
    if (reply != number * 2 + 1) __atomic_add_fetch(&wrong, 1, __ATOMIC_SEQ_CST);
  }
  close(requests[me][1]);
  return NULL;
}

static void server(void) {
  pthread_t clients[kClients];
  events = epoll_create1(0);
  for (int i = 0; i < kClients; ++i) {
    if (pipe(requests[i]) != 0 || pipe(replies[i]) != 0) exit(1);
    watch(EPOLL_CTL_ADD, requests[i][0], EPOLLIN, i);
  }
  for (long i = 0; i < kClients; ++i) clients[i] = start(ask, (void*)i);
  int served = 0, left = kClients;
  while (left > 0) {
    struct epoll_event found[2];
    const int count = epoll_wait(events, found, 2, -1);
    for (int i = 0; i < count; ++i) {
      const uint32_t client = found[i].data.u32;
      int number;
      if (read(requests[client][0], &number, sizeof number) == 0) {
        close(requests[client][0]);
        --left;
        continue;
      }
      number = number * 2 + 1;
      write(replies[client][1], &number, sizeof number);
      ++served;
    }
  }
  for (int i = 0; i < kClients; ++i) finish(clients[i]);
  printf("served %d requests of %d threads, wrong replies %d\n", served, kClients, wrong);
}

int main(void) {
  setvbuf(stdout, NULL, _IOLBF, 0);
  event_counters();
  epolls();
  server();
  return 0;
}
