# Room for random instructions, run 20 times over registers and memory that the test writes into the
# file; then all registers and the memory on standard output. tests/e2e/decode/transparency_test.cpp

    .option norelax
    .text
    .globl _start
_start:
    la    x31, initial
    ld    x1, 512(x31)
    fscsr x1
    .irp r, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
    fld   f\r, 256 + 8 * \r(x31)
    .endr
    .irp r, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
    ld    x\r, 8 * \r(x31)
    .endr
again:
    j     code

    .balign 8
    .ascii "the code"
code:
    .space 4096

# One more round? A backward branch or five, as loops have them.
    sd    x1, 0(sp)
    sd    x3, 8(sp)
    la    x1, rounds
    ld    x3, 0(x1)
    addi  x3, x3, -1
    sd    x3, 0(x1)
    beqz  x3, end
    li    x3, 5
1:  addi  x3, x3, -1
    bnez  x3, 1b
    ld    x1, 0(sp)
    ld    x3, 8(sp)
    j     again

end:
    ld    x3, 8(sp)
    la    x1, results
    .irp r, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
    sd    x\r, 8 * \r(x1)
    .endr
    .irp r, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
    fsd   f\r, 256 + 8 * \r(x1)
    .endr
    ld    x3, 0(sp)
    sd    x3, 8(x1)
    frcsr x3
    sd    x3, 512(x1)
    li    a0, 1
    la    a1, results
    li    a2, 520
    li    a7, 64                # write
    ecall
    li    a0, 1
    la    a1, arena
    li    a2, 0x3000
    li    a7, 64
    ecall
    li    a0, 0
    li    a7, 93                # exit
    ecall

    .data
    .balign 4096
    .ascii "memory::"           # the arena without its first 8 bytes
arena = . - 8
    .space 0x3000 - 8
    .ascii "register"           # x0 to x31, f0 to f31, fcsr
initial:
    .8byte 0, 0, arena + 0x1140, 0, 0, 0, 0, 0, arena + 0x1f80, arena + 0x1008
    .space 8 * 55
rounds:
    .8byte 20
results:
    .space 520
