// Pairs of sockets between threads: streams and datagrams.
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>

#include "bytes.h"

static int ends[2];

static void* echo(void* fd) {
  char block[4096];
  long all = 0, size;
  while ((size = read((int)(long)fd, block, sizeof block)) > 0) {
    for (long i = 0; i < size; ++i) block[i] ^= 0x20;
    write((int)(long)fd, block, (size_t)size);
    all += size;
  }
  return (void*)all;
}

static void streams(void) {
  called("stream", socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends));
  struct stat status;
  fstat(ends[0], &status);
  fact("is a socket", S_ISSOCK(status.st_mode));
  int type = 0;
  socklen_t size = sizeof type;
  called("getsockopt", getsockopt(ends[0], SOL_SOCKET, SO_TYPE, &type, &size));
  fact("is a stream", type == SOCK_STREAM);
  pthread_t other = start(echo, (void*)(long)ends[1]);
  char text[32] = "";
  called("write", write(ends[0], "HELLO", 5));
  for (int got = 0; got < 5;) got += (int)read(ends[0], text + got, sizeof text - 1);
  puts(text);
  struct iovec parts[2] = {{"ab", 2}, {"cd", 2}};
  struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};
  called("sendmsg", sendmsg(ends[0], &message, 0));
  for (int got = 0; got < 4;) got += (int)recv(ends[0], text + got, 4 - (size_t)got, 0);
  puts(text);
  called("shutdown", shutdown(ends[0], SHUT_WR));
  fact("echoed", (long)finish(other));
  called("write after shutdown", send(ends[0], "x", 1, MSG_NOSIGNAL));
  close(ends[1]);
  called("read after the other end closed", read(ends[0], text, 1));
  close(ends[0]);

  socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends);
  called("would block", read(ends[0], text, 1));
  called("send", send(ends[1], "peeked", 6, 0));
  called("peek", recv(ends[0], text, 3, MSG_PEEK));
  called("recv", recv(ends[0], text, sizeof text, 0));
  printf("%.6s\n", text);
  fcntl(ends[0], F_SETFL, 0), fcntl(ends[1], F_SETFL, 0);
  receive("stream", ends[0], ends[1]);
}

static void* send_datagrams(void* fd) {
  for (int i = 0; i < 60; ++i) {
    char message[64];
    memset(message, 'a' + i % 26, sizeof message);
    if (write((int)(long)fd, message, (size_t)i) != i) return (void*)-1;
  }
  return NULL;
}

static void datagrams(void) {
  called("datagram", socketpair(AF_UNIX, SOCK_DGRAM, 0, ends));
  char message[100];
  called("send", send(ends[0], "one", 3, 0));
  called("send", send(ends[0], "longer one", 10, 0));
  called("send nothing", send(ends[0], "", 0, 0));
  called("recv", recv(ends[1], message, sizeof message, 0));
  called("recv a part", recv(ends[1], message, 4, 0));
  called("recv nothing", recv(ends[1], message, sizeof message, MSG_DONTWAIT));
  called("nothing is left", recv(ends[1], message, sizeof message, MSG_DONTWAIT));
  const pthread_t other = start(send_datagrams, (void*)(long)ends[1]);
  int wrong = 0;
  for (int i = 0; i < 60; ++i) {
    const long size = read(ends[0], message, sizeof message);
    wrong += size != i || (i > 0 && message[i - 1] != 'a' + i % 26);
  }
  fact("sender", (long)finish(other));
  fact("wrong datagrams", wrong);
  close(ends[0]), close(ends[1]);
}

int main(void) {
  setvbuf(stdout, NULL, _IOLBF, 0);
  streams();
  datagrams();
  return 0;
}
