/* Executes a word that is no instruction. */
__attribute__((noinline)) void do_illegal(void) { __asm__ volatile(".word 0xffffffff"); }

int main(void) {
  do_illegal();
  return 0;
}
