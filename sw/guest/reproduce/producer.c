/* The producer of figure 8 of "Computer Performance Microscopy with SHIM": it writes one word over and over; between two
 * writes it waits for as many rounds as its argument says. The second word, which the paper calls dummy, is written so that
 * the first one becomes visible. */
#include <stdint.h>
#include <stdlib.h>

volatile uint32_t flag;
static volatile uint32_t dummy;

int main(int argc, char** argv) {
  const int wait = argc > 1 ? atoi(argv[1]) : 0;
  for (uint32_t i = 1; i <= 20000; ++i) {
    flag = i;
    dummy = i;
    for (int round = 0; round < wait; ++round) __asm__ volatile("");
  }
  return 0;
}
