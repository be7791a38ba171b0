/* Shared by the workloads: sizes, a random generator, a checksum. Plain C, also for C++. */
#ifndef STROBE_WORKLOAD_H
#define STROBE_WORKLOAD_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum { SIZE_TINY, SIZE_SMALL, SIZE_REF } workload_size_t;

/* The size named by the only argument: tiny (1-3 million instructions), small (10-30) or ref
 * (50-300). Anything else ends the program with exit code 2. */
static inline workload_size_t workload_size(int argc, char** argv) {
  const char* names[] = {"tiny", "small", "ref"};
  for (int i = 0; argc == 2 && i < 3; ++i) {
    if (strcmp(argv[1], names[i]) == 0) return (workload_size_t)i;
  }
  fprintf(stderr, "usage: %s tiny|small|ref\n", argv[0]);
  exit(2);
}

/* splitmix64, which gives the same numbers on every machine. */
static inline uint64_t random_next(uint64_t* state) {
  uint64_t z = (*state += 0x9e3779b97f4a7c15ull);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}

/* A number in [0, bound). Its small bias does not matter here. */
static inline uint32_t random_below(uint64_t* state, uint32_t bound) {
  return (uint32_t)((random_next(state) >> 32) * bound >> 32);
}

#define CHECKSUM_START 0xcbf29ce484222325ull

/* FNV-1a over the eight bytes of a word. */
static inline uint64_t checksum_word(uint64_t sum, uint64_t word) {
  for (int i = 0; i < 8; ++i) {
    sum = (sum ^ (word & 0xff)) * 0x100000001b3ull;
    word >>= 8;
  }
  return sum;
}

static inline uint64_t checksum_bytes(uint64_t sum, const void* data, size_t size) {
  const unsigned char* bytes = (const unsigned char*)data;
  for (size_t i = 0; i < size; ++i) sum = (sum ^ bytes[i]) * 0x100000001b3ull;
  return sum;
}

/* Ends the program with exit code 1 when something that must hold does not. */
static inline void require(int holds, const char* what) {
  if (holds) return;
  printf("FAILED: %s\n", what);
  exit(1);
}

#endif
