/* Works for a while, then does the one thing its argument names. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static volatile uint64_t sink;

__attribute__((noinline)) void illegal(void) { __asm__ volatile(".word 0xffffffff"); }
__attribute__((noinline)) void load(void) { sink = *(volatile uint64_t*)0x5000; }
__attribute__((noinline)) void store(void) { *(volatile uint64_t*)0x5008 = 1; }
__attribute__((noinline)) void jump(void) { __asm__ volatile("jr zero"); }
__attribute__((noinline)) void unsupported(void) {
  register long a7 __asm__("a7") = 4000;
  register long a0 __asm__("a0");
  __asm__ volatile("ecall" : "=r"(a0) : "r"(a7) : "memory");
  sink = (uint64_t)a0;
}
__attribute__((noinline)) uint64_t overflow(uint64_t depth) {
  volatile uint64_t frame[512];
  for (int i = 0; i < 512; i += 64) frame[i] = depth;
  return overflow(depth + 1) + frame[0];
}

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  for (uint64_t i = 0; i < 1000; ++i) sink += i;
  if (strcmp(argv[1], "illegal") == 0) illegal();
  if (strcmp(argv[1], "load") == 0) load();
  if (strcmp(argv[1], "store") == 0) store();
  if (strcmp(argv[1], "jump") == 0) jump();
  if (strcmp(argv[1], "unsupported") == 0) unsupported();
  if (strcmp(argv[1], "overflow") == 0) sink = overflow(0);
  return 0;
}
