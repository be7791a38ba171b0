// A stream of bytes from one thread to another, longer than any buffer between them.
#pragma once

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#include "facts.h"

enum { kBytes = 300000 };

static inline uint8_t byte_at(long place) { return (uint8_t)(place * 31 + place / 251); }

/** Writes kBytes in blocks of different sizes and closes the descriptor. */
static inline void* write_all(void* argument) {
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
/** Reads to the end what a thread writes, and prints whether it is the same. */
static inline void receive(const char* what, int from, int to) {
  const pthread_t writer = start(write_all, &to);
  static uint8_t block[7001];
  long place = 0, wrong = 0, result;
  while ((result = read(from, block, sizeof block)) > 0)
    for (long i = 0; i < result; ++i) wrong += block[i] != byte_at(place++);
  const long written = (long)finish(writer);
  printf("%s: written %ld, read %ld, wrong %ld, end %ld\n", what, written, place, wrong, result);
  close(from);
}
