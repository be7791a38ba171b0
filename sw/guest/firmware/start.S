# The reset entry, the trap vector and the exit hook, which cannot be written in C++.
#
# While the program runs, mscratch holds the firmware's stack pointer; while a trap is handled, the
# program's. Interrupts are off in M-mode, so traps do not nest. While the firmware boots and
# finishes, mtvec points to the handler of fatal traps, because every trap is fatal then.

    .set mstatus_mpie, 1 << 7
    .set mstatus_mpp, 3 << 11
    .set mstatus_fs, 3 << 13
    .set mie_profiler, 1 << 16
    .set mie_timer, 1 << 7
    .set counters_cycle_time_instret, 7

    .macro enter_cpp          # set gp and sp as C++ expects them, from any state of the hart
    .option push
    .option norelax
    la gp, __global_pointer$
    .option pop
    la sp, strobe_stack_top
    .endm

    .macro save_caller_saved  # on the stack, beside t0 and t1; gp becomes the firmware's
    sd ra, 16(sp)
    sd gp, 24(sp)
    sd t2, 32(sp)
    sd t3, 40(sp)
    sd t4, 48(sp)
    sd t5, 56(sp)
    sd t6, 64(sp)
    sd a0, 72(sp)
    sd a1, 80(sp)
    sd a2, 88(sp)
    sd a3, 96(sp)
    sd a4, 104(sp)
    sd a5, 112(sp)
    sd a6, 120(sp)
    sd a7, 128(sp)
    .option push
    .option norelax
    la gp, __global_pointer$
    .option pop
    .endm

    .section .text.reset, "ax"
    .global strobe_reset
strobe_reset:
    csrw mie, zero
    enter_cpp
    la t0, strobe_trap_fatal
    csrw mtvec, t0

    la t0, strobe_bss_start
    la t1, strobe_bss_end
1:  bgeu t0, t1, 2f
    sd zero, 0(t0)
    addi t0, t0, 8
    j 1b
2:
    call strobe_boot

    li t0, counters_cycle_time_instret
    csrw mcounteren, t0
    la t0, strobe_trap
    csrw mtvec, t0
    csrw mscratch, sp
    la t1, strobe_boot_block
    ld t0, 8(t1)              # user_entry
    csrw mepc, t0
    ld sp, 16(t1)             # user_sp
    li t0, mstatus_mpp
    csrc mstatus, t0          # mret goes to U-mode
    li t0, mstatus_mpie | mstatus_fs
    csrs mstatus, t0          # floating point on
    li t0, mie_profiler | mie_timer
    csrw mie, t0
    .irp r, 1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
    mv x\r, zero
    .endr
    mret

# The service core begins here. It takes no interrupts, and a trap on it is fatal.
    .global strobe_service
strobe_service:
    csrw mie, zero
    enter_cpp
    la sp, strobe_service_stack_top
    la t0, strobe_trap_fatal
    csrw mtvec, t0
    tail strobe_serve

# Calls the handler of an interrupt with the caller-saved integer registers on the stack.
# Both handlers are integer code, so the floating-point registers need not be saved.
    .section .text.trap, "ax"
    .balign 4
    .global strobe_trap
strobe_trap:
    csrrw sp, mscratch, sp
    addi sp, sp, -144
    sd t0, 0(sp)
    sd t1, 8(sp)
    csrr t0, mcause
    bgez t0, strobe_trap_fatal   # an exception
    slli t0, t0, 1               # the interrupt number, twice
    addi t1, t0, -2 * 16
    bnez t1, strobe_trap_timer
    save_caller_saved
    call strobe_profile_interrupt
strobe_trap_return:
    ld t0, 0(sp)
    ld t1, 8(sp)
    ld ra, 16(sp)
    ld gp, 24(sp)
    ld t2, 32(sp)
    ld t3, 40(sp)
    ld t4, 48(sp)
    ld t5, 56(sp)
    ld t6, 64(sp)
    ld a0, 72(sp)
    ld a1, 80(sp)
    ld a2, 88(sp)
    ld a3, 96(sp)
    ld a4, 104(sp)
    ld a5, 112(sp)
    ld a6, 120(sp)
    ld a7, 128(sp)
    addi sp, sp, 144
    csrrw sp, mscratch, sp
    mret

    .balign 4
strobe_trap_timer:
    addi t0, t0, -2 * 7
    bnez t0, strobe_trap_fatal
    save_caller_saved
    call strobe_timer_interrupt
    j strobe_trap_return

    .balign 4
strobe_trap_fatal:
    csrw mie, zero
    enter_cpp
    csrr a0, mcause
    csrr a1, mepc
    csrr a2, mtval
    tail strobe_fatal

# The host sends the hart here, in M-mode, when the program has ended.
    .section .text.exit, "ax"
    .balign 4
    .global strobe_firmware_exit
strobe_firmware_exit:
    csrw mie, zero
    enter_cpp
    la t0, strobe_trap_fatal
    csrw mtvec, t0
    tail strobe_finish
