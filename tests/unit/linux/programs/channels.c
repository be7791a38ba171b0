// Pipes between threads: they fill, they keep lines whole, and a thread that waits learns that the
// other end closed.
#define _GNU_SOURCE
#include <signal.h>

#include "bytes.h"

static int ends[2];

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

int main(void) {
  setvbuf(stdout, NULL, _IOLBF, 0);
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
  return 0;
}
