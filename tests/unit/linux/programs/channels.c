// Bytes between threads: pipes that fill, pairs of sockets, and files in memory.
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "facts.h"

enum { kBytes = 300000 };

static int ends[2];

static uint8_t byte_at(long place) { return (uint8_t)(place * 31 + place / 251); }

/* Writes kBytes in blocks of different sizes: more than any buffer holds. */
static void* write_all(void* argument) {
  const int fd = *(int*)argument;
  static uint8_t block[9001];
  long done = 0;
  for (long size = 1; done < kBytes; size = size * 5 % 8999 + 1) {
    if (size > kBytes - done) size = kBytes - done;
    for (long i = 0; i < size; ++i) block[i] = byte_at(done + i);
    for (long part = 0; part < size;) {
      const long result = write(fd, block + part, (size_t)(size - part));
      if (result <= 0) return (void*)-1;
      part += result;
    }
    done += size;
  }
  close(fd);
  return (void*)done;
}
static void receive(const char* what, int from, int to) {
  const pthread_t writer = start(write_all, &to);
  static uint8_t block[7001];
  long place = 0, wrong = 0, result;
  while ((result = read(from, block, sizeof block)) > 0)
    for (long i = 0; i < result; ++i) wrong += block[i] != byte_at(place++);
  const long written = (long)finish(writer);
  printf("%s: written %ld, read %ld, wrong %ld, end %ld\n", what, written, place, wrong, result);
  close(from);
}

/* Each message is written whole, so lines of several threads do not mix. */
static void* write_lines(void* argument) {
  char line[64];
  for (int i = 0; i < 200; ++i) {
    const int size = snprintf(line, sizeof line, "<%c%03d>", (char)('a' + (long)argument), i);
    write(ends[1], line, (size_t)size);
  }
  return NULL;
}
static void lines(void) {
  pthread_t writers[3];
  pipe(ends);
  for (long i = 0; i < 3; ++i) writers[i] = start(write_lines, (void*)i);
  int next[3] = {0}, wrong = 0;
  FILE* const file = fdopen(ends[0], "r");
  for (int i = 0; i < 600; ++i) {
    char letter;
    int number;
    if (fscanf(file, "<%c%d>", &letter, &number) != 2 || letter < 'a' || letter > 'c') exit(2);
    wrong += number != next[letter - 'a']++;
  }
  for (int i = 0; i < 3; ++i) finish(writers[i]);
  fclose(file), close(ends[1]);
  printf("lines %d %d %d, wrong %d\n", next[0], next[1], next[2], wrong);
}

static void* read_byte(void* fd) {
  char byte = 0;
  called("read until closed", read((int)(long)fd, &byte, 1));
  return NULL;
}
static void* close_reader(void* fd) {
  sleep_ms(10);
  close((int)(long)fd);
  return NULL;
}

static void pipes(void) {
  pipe(ends);
  receive("pipe", ends[0], ends[1]);
  lines();
  pipe(ends);
  pthread_t other = start(read_byte, (void*)(long)ends[0]);
  sleep_ms(10);
  close(ends[1]);
  finish(other);
  close(ends[0]);

  /* A writer that waits for room is told when the reader goes. */
  static char block[70000];
  signal(SIGPIPE, SIG_IGN);
  pipe(ends);
  other = start(close_reader, (void*)(long)ends[0]);
  const long partly = write(ends[1], block, sizeof block);
  fact("partly written", partly == 65536);
  called("without a reader", write(ends[1], block, 1));
  finish(other);
  close(ends[1]);
}

/* ---- pairs of sockets ---- */

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

/* ---- files in memory ---- */

static void* fill(void* memory) {
  for (int i = 0; i < 1000; ++i) ((int*)memory)[i] = i * i;
  return NULL;
}

static void memory_files(void) {
  const int file = memfd_create("numbers", MFD_CLOEXEC);
  struct stat status;
  called("truncate", ftruncate(file, 8192));
  fstat(file, &status);
  printf("a file %d of %ld bytes\n", S_ISREG(status.st_mode), (long)status.st_size);
  int* const memory = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (memory == MAP_FAILED) called("mmap", -1), exit(3);
  finish(start(fill, memory));
  int number = 0;
  called("pread", pread(file, &number, sizeof number, 30 * sizeof number));
  fact("number in the file", number);
  number = -5;
  called("pwrite", pwrite(file, &number, sizeof number, 31 * sizeof number));
  fact("number in memory", ((volatile int*)memory)[31]);
  const int* const second = mmap(NULL, 8192, PROT_READ, MAP_SHARED, file, 0);
  memory[32] = 77;
  fact("in a second mapping", ((const volatile int*)second)[32]);
  volatile int* const own = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
  own[33] = 1;
  printf("a private one has %d, the file %d\n", own[33], ((volatile int*)memory)[33]);
  called("seek to the end", lseek(file, 0, SEEK_END));
  called("append", write(file, "tail", 4));
  fstat(file, &status);
  fact("size", status.st_size);
  munmap(memory, 8192);
  called("pread after munmap", pread(file, &number, sizeof number, 32 * sizeof number));
  fact("number", number);
  called("close", close(file));
  fact("mapped after close", ((const volatile int*)second)[32]);
}

int main(void) {
  setvbuf(stdout, NULL, _IOLBF, 0);
  pipes();
  streams();
  datagrams();
  memory_files();
  return 0;
}
