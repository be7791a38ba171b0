/* malloc, mmap, mremap and qsort under load; a checksum of what they hold. */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

static uint64_t state = 88172645463325252ull;
static uint64_t next_random(void) {
  state ^= state << 13;
  state ^= state >> 7;
  return state ^= state << 17;
}

static int compare(const void* a, const void* b) {
  const uint64_t x = *(const uint64_t*)a, y = *(const uint64_t*)b;
  return (x > y) - (x < y);
}

int main(void) {
  enum { kBlocks = 200, kRounds = 3000 };
  unsigned char* blocks[kBlocks] = {0};
  size_t sizes[kBlocks] = {0};
  uint64_t sum = 0;
  for (int round = 0; round < kRounds; ++round) {
    const int i = (int)(next_random() % kBlocks);
    /* Every 50th is big enough for malloc to map it, and to remap it when it grows. */
    const size_t size = next_random() % (round % 50 == 0 ? 600000 : 2000) + 1;
    for (size_t k = 0; k < sizes[i]; k += 97) sum += blocks[i][k];
    blocks[i] = realloc(blocks[i], size);
    if (blocks[i] == NULL) return 1;
    if (size > sizes[i]) memset(blocks[i] + sizes[i], (int)(next_random() & 255), size - sizes[i]);
    sizes[i] = size;
  }
  for (int i = 0; i < kBlocks; ++i) free(blocks[i]);
  printf("sum %llu\n", (unsigned long long)sum);

  char* map = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  strcpy(map, "moved along");
  map = mremap(map, 8192, 1 << 20, MREMAP_MAYMOVE);
  printf("%s %d\n", map, map[(1 << 20) - 1]);
  printf("unmapped %d\n", munmap(map, 1 << 20));
  printf("too much: %d\n", malloc((size_t)1 << 40) == NULL);

  uint64_t* values = malloc(5000 * sizeof *values);
  for (int i = 0; i < 5000; ++i) values[i] = next_random();
  qsort(values, 5000, sizeof *values, compare);
  for (int i = 1; i < 5000; ++i) sum += values[i] ^ values[i - 1];
  printf("sorted %llu\n", (unsigned long long)sum);

  struct timespec before, after;
  clock_gettime(CLOCK_MONOTONIC, &before);
  const clock_t cpu = clock();
  clock_gettime(CLOCK_MONOTONIC, &after);
  printf("time goes on: %d %d %d\n",
         after.tv_sec > before.tv_sec ||
             (after.tv_sec == before.tv_sec && after.tv_nsec >= before.tv_nsec),
         cpu != (clock_t)-1, time(NULL) >= 1000000000);
  free(values);
  return 0;
}
