# Where the observer's hart starts: a stack, and the thread, which never returns.

    .section .text.reset, "ax"
    .globl strobe_observer
strobe_observer:
    .option push
    .option norelax
    la gp, __global_pointer$
    .option pop
    la sp, strobe_observer_stack_top
    tail strobe_observe
