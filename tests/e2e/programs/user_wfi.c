/* Waits for an interrupt, which no program gets. */
__attribute__((noinline)) void do_wait(void) { __asm__ volatile("wfi"); }

int main(void) {
  do_wait();
  return 0;
}
