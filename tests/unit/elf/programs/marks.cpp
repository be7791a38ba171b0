// Symbols and lines for the ELF tests; the tests know the line of twice().
extern "C" {
extern const int table[10];
const int table[10] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
}

namespace marks {
__attribute__((noinline)) int twice(int x) { return table[x] * 2; }
}  // namespace marks

asm(".globl bare_label\n.globl after_label\n"
    "bare_label: nop\nnop\nnop\nnop\nnop\nafter_label: nop\nret\n");

extern "C" void _start() {
  volatile int result = marks::twice(3);
  (void)result;
  for (;;) {
  }
}
