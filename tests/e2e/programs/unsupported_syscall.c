/* Makes a system call the proxy does not know. */
__attribute__((noinline)) long call_unsupported(void) {
  register long a7 __asm__("a7") = 4000;
  register long a0 __asm__("a0");
  __asm__ volatile("ecall" : "=r"(a0) : "r"(a7) : "memory");
  return a0;
}

int main(void) { return (int)call_unsupported(); }
