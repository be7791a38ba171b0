/* Regions of known length: between markers 3 and 4 are five instructions, and between the region's
 * own markers work of a length that grows from round to round. */
#include "strobe/marker.h"

static volatile long sink;

__attribute__((noinline)) void work(int rounds) {
  for (int i = 0; i < rounds; ++i) sink += i;
}

int main(void) {
  work(30000);
  STROBE_MARKER(3);
  __asm__ volatile("nop; nop; nop; nop; nop");
  STROBE_MARKER(4);
  for (int round = 1; round <= 3; ++round) {
    strobe_roi_begin();
    work(10000 * round);
    strobe_roi_end();
  }
  return 7;
}
