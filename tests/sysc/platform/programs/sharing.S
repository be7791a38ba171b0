# What two harts do to shared memory, in M-mode without firmware. Each program has its arguments in
# registers and ends at an ECALL.

    .text

# a0: counter, a1: how often
    .global amo_increment
amo_increment:
    li t0, 1
1:  amoadd.d zero, t0, (a0)
    addi a1, a1, -1
    bnez a1, 1b
    ecall

# a0: counter, a1: how often; a2: how many SCs have failed
    .global lrsc_increment
lrsc_increment:
    li a2, 0
1:  lr.d t0, (a0)
    addi t0, t0, 1
    sc.d t1, t0, (a0)
    add a2, a2, t1
    bnez t1, 1b
    addi a1, a1, -1
    bnez a1, 1b
    ecall

# a0: counter, nobody else's; a1: how often
    .global store_increment
store_increment:
    ld t0, (a0)
    addi t0, t0, 1
    sd t0, (a0)
    addi a1, a1, -1
    bnez a1, store_increment
    ecall

# a0: flag, a1: rounds. Hart 0 waits for 0, 2, 4 ... and hart 1 for 1, 3, 5 ...; each adds one.
    .global ping_pong
ping_pong:
    csrr t0, mhartid
1:  ld t1, (a0)
    bne t1, t0, 1b
    addi t1, t0, 1
    sd t1, (a0)
    addi t0, t0, 2
    addi a1, a1, -1
    bnez a1, 1b
    ecall

# A ring of 16 doublewords at a0 + 128; how many were written is at a0, how many were read at a0 +
# 64. a1: how many to pass. The i-th is 3 i + 1.
    .global produce
produce:
    addi t6, a0, 128
    li t0, 0                  # written
    li t1, 1                  # value
1:  ld t2, 64(a0)
    sub t2, t0, t2
    li t3, 16
    bgeu t2, t3, 1b           # full
    andi t3, t0, 15
    slli t3, t3, 3
    add t3, t3, t6
    sd t1, (t3)
    fence w, w
    addi t0, t0, 1
    sd t0, (a0)
    addi t1, t1, 3
    bne t0, a1, 1b
    ecall

# a2: the sum of what was read
    .global consume
consume:
    addi t6, a0, 128
    li t0, 0                  # read
    li a2, 0
1:  ld t2, (a0)
    beq t2, t0, 1b            # empty
    fence r, r
    andi t3, t0, 15
    slli t3, t3, 3
    add t3, t3, t6
    ld t4, (t3)
    add a2, a2, t4
    addi t0, t0, 1
    fence r, w
    sd t0, 64(a0)
    bne t0, a1, 1b
    ecall

# a0: what is reserved, a2: set when it is, a3: set when the other has stored; a4: of the SC
    .global reserve
reserve:
    lr.d t0, (a0)
    li t1, 1
    sd t1, (a2)
1:  ld t1, (a3)
    beqz t1, 1b
    sc.d a4, t0, (a0)
    ecall

# a1: where it stores when a2 is set; then it sets a3
    .global disturb
disturb:
    ld t1, (a2)
    beqz t1, disturb
    sd zero, (a1)
    sd t1, (a3)
    ecall

# a0: set, then a1 is read into a2: without and with a fence in between. Each in one line: a miss
# of the instruction cache would do what the fence does.
    .balign 64
    .global set_and_look
set_and_look:
    li t0, 1
    sd t0, (a0)
    ld a2, (a1)
    ecall

    .balign 64
    .global set_fence_and_look
set_fence_and_look:
    li t0, 1
    sd t0, (a0)
    fence rw, rw
    ld a2, (a1)
    ecall

    .global idle
idle:
    wfi
    j idle

    .global finish
finish:
    ecall

# Eight programmable counters over a1 strided loads from a0, with a branch that no predictor learns
# and code of several lines. Ends with the counters in a0 to a7.
        .globl  count_events, counting, counted
        .balign 64
count_events:
        li      t0, -1
        csrw    mcountinhibit, t0
        csrwi   mhpmevent3, 2           # instructions
        csrwi   mhpmevent4, 3           # mispredictions
        csrwi   mhpmevent5, 4           # L1I misses
        csrwi   mhpmevent6, 5           # L1D misses
        csrwi   mhpmevent7, 6           # L2 misses
        csrwi   mhpmevent8, 7           # requests of the DRAM
        csrwi   mhpmevent9, 25          # cycles of the class handler: of M-mode
        csrwi   mhpmevent10, 1          # cycles
        li      t1, 1
        csrw    mcountinhibit, zero
counting:
        ld      t3, 0(a0)
        addi    a0, a0, 128
        slli    t4, t1, 13              # xorshift
        xor     t1, t1, t4
        srli    t4, t1, 7
        xor     t1, t1, t4
        slli    t4, t1, 17
        xor     t1, t1, t4
        andi    t4, t1, 1
        beqz    t4, 1f
        addi    t5, t5, 1
1:      addi    a1, a1, -1
        bnez    a1, counting
        .balign 64
        j       2f
        .balign 64
2:      nop
counted:
        csrw    mcountinhibit, t0
        csrr    a0, mhpmcounter3
        csrr    a1, mhpmcounter4
        csrr    a2, mhpmcounter5
        csrr    a3, mhpmcounter6
        csrr    a4, mhpmcounter7
        csrr    a5, mhpmcounter8
        csrr    a6, mhpmcounter9
        csrr    a7, mhpmcounter10
        ecall

# a0: memory, a1: how often, a2: its size - 1. Loops in U-mode, of loads that miss, divisions and
# branches that are mispredicted; then a0 ... a7 are the counters of eight classes of cycles.
        .globl  count_classes
count_classes:
        csrwi   mhpmevent3, 16          # base
        csrwi   mhpmevent4, 17          # dependency
        csrwi   mhpmevent5, 18          # unit
        csrwi   mhpmevent6, 19          # L1
        csrwi   mhpmevent7, 20          # L2
        csrwi   mhpmevent8, 21          # DRAM
        csrwi   mhpmevent9, 22          # branch
        csrwi   mhpmevent10, 23         # fetch
        la      t0, 2f
        csrw    mtvec, t0
        la      t0, 1f
        csrw    mepc, t0
        li      t0, 3 << 11             # mstatus.MPP: U-mode
        csrc    mstatus, t0
        li      t1, 1
        li      t6, 0
        mret
1:      j       1f
        .balign 64
1:      add     t4, t6, a0              # loads of the next line, where 0 is; each needs the last
        ld      t3, 0(t4)
        add     t4, t4, t3
        ld      t3, 8(t4)
        addi    t6, t6, 64
        add     t6, t6, t3
        and     t6, t6, a2
        addi    a1, a1, -1
        bnez    a1, 1b
        li      a1, 500
        j       3f
        .balign 64
3:      srli    t4, t1, 7               # a branch that is often mispredicted
        xor     t1, t1, t4
        slli    t4, t1, 13
        xor     t1, t1, t4
        andi    t4, t1, 1
        beqz    t4, 4f
        divu    t5, t1, a1
4:      addi    a1, a1, -1
        bnez    a1, 3b
        ebreak
        .balign 4
2:      csrw    mtvec, zero
        csrr    a0, mhpmcounter3
        csrr    a1, mhpmcounter4
        csrr    a2, mhpmcounter5
        csrr    a3, mhpmcounter6
        csrr    a4, mhpmcounter7
        csrr    a5, mhpmcounter8
        csrr    a6, mhpmcounter9
        csrr    a7, mhpmcounter10
        ecall

# a0: address, a1: how often; each load is the only one that its hint is of
        .globl  poll_through, poll
poll_through:
1:      add     zero, zero, t0          # ntl.all
        ld      t1, 0(a0)
        addi    a1, a1, -1
        bnez    a1, 1b
        ecall

# The same without the hint.
poll:
1:      nop
        ld      t1, 0(a0)
        addi    a1, a1, -1
        bnez    a1, 1b
        ecall

# As poll_through, after an ordinary load and what that takes.
        .globl  poll_after_load
poll_after_load:
        ld      t1, 0(a0)
        fence
        add     t2, t1, t1
        j       poll_through

# a0: where, a1: how often. a2: the doubleword there, the last time.
    .global read_often
read_often:
1:  ld a2, (a0)
    addi a1, a1, -1
    bnez a1, 1b
    ecall

# a0: where, a1: what to write. a2: the doubleword that is there then.
    .global write_and_read
write_and_read:
    sd a1, (a0)
    ld a2, (a0)
    ecall

# a0: where
    .global read_word
read_word:
    lw a2, (a0)
    ecall

# a0: table of 512 doublewords, nobody else's; a1: how often. Loads, stores, and a branch on data.
    .global update_table
update_table:
    li t0, 88172645463325252
1:  slli t1, t0, 13
    xor t0, t0, t1
    srli t1, t0, 7
    xor t0, t0, t1
    andi t1, t0, 0x7f8
    add t1, t1, a0
    ld t2, (t1)
    add t2, t2, t0
    andi t3, t2, 3
    bnez t3, 2f
    sd t0, 8(t1)
2:  sd t2, (t1)
    addi a1, a1, -1
    bnez a1, 1b
    ecall
