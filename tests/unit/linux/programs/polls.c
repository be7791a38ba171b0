// poll and select wake a thread when another one writes to a pipe or closes it.
#define _GNU_SOURCE
#include <poll.h>
#include <sys/select.h>
#include <unistd.h>

#include "facts.h"

static void* write_later(void* fd) {
  sleep_ms(10);
  write((int)(long)fd, "word", 4);
  return NULL;
}
static void* close_later(void* fd) {
  sleep_ms(10);
  close((int)(long)fd);
  return NULL;
}

int main(void) {
  setvbuf(stdout, NULL, _IOLBF, 0);
  int pipe_ends[2], other_ends[2];
  char text[8] = "";
  if (pipe(pipe_ends) != 0 || pipe(other_ends) != 0) return 1;
  struct pollfd polled[3] = {{.fd = pipe_ends[0], .events = POLLIN},
                             {.fd = -1, .events = POLLIN},
                             {.fd = other_ends[0], .events = POLLIN}};
  called("poll in vain", poll(polled, 3, 5));
  pthread_t other = start(write_later, (void*)(long)pipe_ends[1]);
  called("poll", poll(polled, 3, -1));
  printf("found %#x %#x %#x\n", polled[0].revents, polled[1].revents, polled[2].revents);
  finish(other);
  called("read", read(pipe_ends[0], text, sizeof text - 1));

  fd_set set;
  struct timeval time = {0, 5000};
  FD_ZERO(&set);
  FD_SET(pipe_ends[0], &set);
  FD_SET(other_ends[0], &set);
  const int highest = (pipe_ends[0] > other_ends[0] ? pipe_ends[0] : other_ends[0]) + 1;
  called("select in vain", select(highest, &set, NULL, NULL, &time));
  fact("none set", FD_ISSET(pipe_ends[0], &set) || FD_ISSET(other_ends[0], &set));
  other = start(write_later, (void*)(long)other_ends[1]);
  FD_SET(pipe_ends[0], &set);
  FD_SET(other_ends[0], &set);
  called("select", select(highest, &set, NULL, NULL, NULL));
  printf("found %d %d\n", FD_ISSET(pipe_ends[0], &set) != 0, FD_ISSET(other_ends[0], &set) != 0);
  finish(other);
  called("read", read(other_ends[0], text, sizeof text - 1));
  other = start(close_later, (void*)(long)pipe_ends[1]);
  called("poll until closed", poll(polled, 1, -1));
  printf("found %#x\n", polled[0].revents);
  finish(other);
  polled[0].fd = pipe_ends[1];
  called("poll a closed one", poll(polled, 1, -1));
  printf("found %#x\n", polled[0].revents);
  return 0;
}
