// Writes as much code as it is told and jumps through all of it. The arguments are the kind of code,
// the bytes of it, and how often it is written and executed: `straight` is additions in a row, of another
// number in each round, `jumps` is jumps to the next instruction, of which each is a basic block of its own.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const int jumps = strcmp(argv[1], "jumps") == 0;
  const size_t words = strtoul(argv[2], NULL, 0) / sizeof(uint64_t);
  const unsigned long rounds = strtoul(argv[3], NULL, 0);
  uint64_t* code = mmap(NULL, words * sizeof *code, PROT_READ | PROT_WRITE | PROT_EXEC,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (code == MAP_FAILED) return 3;
  long sum = 0;
  for (unsigned long round = 0; round < rounds; ++round) {
    const uint64_t number = 1 + round % 31;
    const uint64_t insn = jumps ? 0xa009 : 0x0501 | number << 2;  // c.j .+2, c.addi a0, number
    const uint64_t word = insn * 0x0001000100010001;
    for (size_t i = 0; i + 1 < words; ++i) code[i] = word;
    code[words - 1] = (word & 0xffffffffffff) | 0x8082000000000000;  // the last one is ret
    __asm__ volatile("fence.i" ::: "memory");
    sum += ((long (*)(long))(uintptr_t)code)(0);
  }
  printf("%ld\n", sum);
  return 0;
}
