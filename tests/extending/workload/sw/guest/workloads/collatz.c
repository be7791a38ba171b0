/* The longest Collatz sequence that begins below a limit, with the lengths seen kept in a table. */
#include "workload.h"

static uint32_t length_of(uint64_t start, uint16_t* known, uint64_t limit) {
  uint32_t steps = 0;
  uint64_t n = start;
  while (n != 1 && (n >= limit || known[n] == 0)) {
    n = n % 2 == 0 ? n / 2 : 3 * n + 1;
    ++steps;
  }
  if (n != 1) steps += known[n];
  known[start] = (uint16_t)steps;
  return steps;
}

int main(int argc, char** argv) {
  const uint64_t limits[] = {20000, 200000, 2000000};
  uint64_t limit = limits[workload_size(argc, argv)];
  uint16_t* known = calloc(limit, sizeof *known);
  uint64_t longest = 1, sum = CHECKSUM_START;
  for (uint64_t n = 2; n < limit; ++n) {
    sum = checksum_word(sum, length_of(n, known, limit));
    if (known[n] > known[longest]) longest = n;
  }
  require(known[27] == 111, "the sequence of 27 has 111 steps");
  printf("collatz %llu: %llu has %u steps, checksum %016llx\n", (unsigned long long)limit,
         (unsigned long long)longest, known[longest], (unsigned long long)sum);
  free(known);
  return 0;
}
