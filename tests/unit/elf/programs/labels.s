# Labels with and without types and sizes, as hand-written assembly has them.
  .text
  .globl _start
  .type _start,@function
_start:
  call untyped
  call after_sized
within_start:
  addi a0, a0, 1
  ret
  .size _start, .-_start
untyped:
  addi a0, a0, 1
  ret
  .type typed_without_size, @function
typed_without_size:
  addi a0, a0, 2
  ret
  .type sized, @function
sized:
  addi a0, a0, 3
  ret
  .size sized, .-sized
after_sized:
  addi a0, a0, 4
.Lassembler:
  ret
  .globl global_untyped
global_untyped:
  addi a0, a0, 5
  ret
$dollar:
  addi a0, a0, 6
  ret
  .weak weak_untyped
weak_untyped:
alias_of_weak:
  addi a0, a0, 7
  ret
  .type .dotted, @function
.dotted:
  addi a0, a0, 8
  ret
  .globl end_of_code
end_of_code:
  nop
  .data
word:
  .word 7
