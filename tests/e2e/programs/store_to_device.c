/* Writes to the profiling device from U-mode. */
__attribute__((noinline)) void poke_profiler(void) { *(volatile unsigned long*)0xF0010018ul = 1; }

int main(void) {
  poke_profiler();
  return 0;
}
