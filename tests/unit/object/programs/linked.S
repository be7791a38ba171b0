# The smallest program, for the refusal of a linked file.
.globl _start
_start:
  ret
