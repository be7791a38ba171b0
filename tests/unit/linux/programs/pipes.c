// Pipes within one process, and waiting for descriptors. It prints no number of a descriptor, because
// qemu inherits some.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <unistd.h>

static volatile sig_atomic_t broken;
static void on_pipe(int signal) { broken = signal; }

static void tell(const char* what, long result) {
  printf("%s: %ld%s%s\n", what, result, result < 0 ? " " : "", result < 0 ? strerrorname_np(errno) : "");
}
static void polled(const char* what, int in, int out) {
  struct pollfd fds[2] = {{.fd = in, .events = POLLIN | POLLOUT}, {.fd = out, .events = POLLIN | POLLOUT}};
  const int ready = poll(fds, 2, 0);
  printf("%s: poll %d, %#x %#x\n", what, ready, fds[0].revents, fds[1].revents);
  fd_set reads, writes;
  FD_ZERO(&reads);
  FD_ZERO(&writes);
  if (in >= 0) FD_SET(in, &reads);
  if (out >= 0) FD_SET(out, &writes);
  struct timeval none = {0, 0};
  const int chosen = select((in > out ? in : out) + 1, &reads, &writes, NULL, &none);
  printf("%s: select %d, %d %d\n", what, chosen, in >= 0 && FD_ISSET(in, &reads), out >= 0 && FD_ISSET(out, &writes));
}

int main(void) {
  static char block[70000], back[70000];
  int ends[2];
  for (size_t i = 0; i < sizeof block; ++i) block[i] = (char)(i * 7 + i / 256);
  tell("pipe2 with wrong flags", pipe2(ends, 1));
  tell("pipe", pipe(ends));
  printf("size %d\n", fcntl(ends[0], F_GETPIPE_SZ));
  struct stat status;
  fstat(ends[0], &status);
  printf("is a pipe %d\n", S_ISFIFO(status.st_mode));
  polled("empty", ends[0], ends[1]);
  tell("write", write(ends[1], "hello, world", 12));
  polled("with data", ends[0], ends[1]);
  int waiting = 0;
  ioctl(ends[0], FIONREAD, &waiting);
  printf("waiting %d\n", waiting);
  tell("read", read(ends[0], back, 5));
  tell("read the rest", read(ends[0], back + 5, 100));
  printf("%s\n", back);
  tell("read the wrong end", read(ends[1], back, 1));
  tell("write the wrong end", write(ends[0], back, 1));
  tell("seek", lseek(ends[0], 0, SEEK_SET));
  tell("pread", pread(ends[0], back, 1, 0));

  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  fcntl(ends[1], F_SETFL, O_NONBLOCK);
  tell("read nothing", read(ends[0], back, 1));
  tell("write too much", write(ends[1], block, sizeof block));
  tell("write when full", write(ends[1], block, 10));
  polled("full", ends[0], ends[1]);
  tell("read all", read(ends[0], back, sizeof back));
  printf("equal %d\n", memcmp(block, back, 65536) == 0);

  const int copy = dup(ends[1]);
  close(ends[1]);
  tell("read with a copy of the other end open", read(ends[0], back, 1));
  close(copy);
  tell("read with the other end closed", read(ends[0], back, 1));
  polled("closed", ends[0], -1);
  close(ends[0]);

  signal(SIGPIPE, on_pipe);
  tell("pipe", pipe(ends));
  close(ends[0]);
  tell("write with the other end closed", write(ends[1], "x", 1));
  printf("signal %d\n", broken);
  polled("without a reader", -1, ends[1]);
  fd_set closed;
  FD_ZERO(&closed);
  FD_SET(ends[1], &closed);
  close(ends[1]);
  tell("select a closed one", select(ends[1] + 1, &closed, NULL, NULL, NULL));
  const struct timespec soon = {0, 1000};
  tell("wait for nothing", ppoll(NULL, 0, &soon, NULL));
  return 0;
}
