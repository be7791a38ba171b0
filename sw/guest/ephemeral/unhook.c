/* What the stubs of ephemeral instrumentation share: a branch that has been recorded `persistence` times is put back
 * into the code, and enters the list of those that the end of the epoch hooks again (sw/guest/firmware/epoch.cpp). The
 * first branch of a page to be executed hooks the others (hook: page). This file is compiled so that every function
 * saves all registers that it uses. It must not use what the program uses: no library, no floating point. */
#include <stdint.h>

#include "sw/guest/include/strobe/ephemeral_abi.h"

#define NEAR_GP __attribute__((section(".sdata")))

NEAR_GP uint32_t __strobe_persistence = 1, __strobe_stubs = 0; /* strobe sets them in the file */
NEAR_GP uint64_t __strobe_unhooked = 0;
/* Not 0: a thread, or the code that a signal handler interrupted, changes hooks. Another leaves its branch as it is, and
 * the next execution of that branch tries again: waiting would never end in such a handler. */
NEAR_GP static uint64_t changing = 0;

/* A routine for each link register: both are saved, and all else that C code changes but what it saves itself. The stub
 * has pushed a frame: the link, and the address of its data. */
__asm__(
    ".text\n"
    ".irp link, t0, ra\n"
    ".globl __strobe_unhook_\\link\n"
    ".type __strobe_unhook_\\link, @function\n"
    "__strobe_unhook_\\link:\n"
    "  addi sp, sp, -32\n"
    "  sd ra, 0(sp)\n"
    "  sd a0, 8(sp)\n"
    "  ld a0, 40(sp)\n"
    "  call __strobe_unhook_stub\n"
    "  ld ra, 0(sp)\n"
    "  ld a0, 8(sp)\n"
    "  addi sp, sp, 32\n"
    "  jr \\link\n"
    ".size __strobe_unhook_\\link, . - __strobe_unhook_\\link\n"
    ".endr\n");

static uint32_t* branch_of(const strobe_stub_t* stub) { return (uint32_t*)((char*)stub + stub->branch); }

/* The branch is aligned, so that whatever another hart fetches, it is the branch or the jump to the stub (Ziccif). Either
 * does what the program says, however long it goes on fetching the old one. */
static void put(const strobe_stub_t* stub, uint32_t word) { __atomic_store_n(branch_of(stub), word, __ATOMIC_RELAXED); }

static uint64_t whole_count(void) { return (uint64_t)(__strobe_persistence - 1) << STROBE_LEFT_SHIFT; }

/* When branches are hooked by page, the stubs of one page are a ring until the first one is executed. Each has a count
 * of 0, which that execution makes negative. This function hooks the branches of the ring of `first` and takes the ring
 * apart, so a stub that was never unhooked and is in no ring is hooked. */
static void hook_page(strobe_stub_t* first) {
  strobe_stub_t* stub = first;
  do {
    strobe_stub_t* const next = (strobe_stub_t*)stub->next;
    put(stub, stub->jump_word);
    stub->count += whole_count();
    stub->next = 0;
    stub = next;
  } while (stub != first);
}

/* Executions beyond the last one to be recorded, which other threads were in the stub for, go to the next hooking. */
static void unhook(strobe_stub_t* stub) {
  put(stub, stub->branch_word);
  const uint64_t taken = stub->count >> STROBE_TAKEN_SHIFT & STROBE_TAKEN_MASK;
  stub->taken += taken;
  ++stub->unhooked;
  stub->count += whole_count() + (UINT64_C(1) << STROBE_LEFT_SHIFT) - (taken << STROBE_TAKEN_SHIFT);
  /* The firmware takes the whole list between any two instructions: a stub enters it last, and complete. */
  uint64_t head = __strobe_unhooked;
  do {
    stub->next = head;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
  } while (!__atomic_compare_exchange_n(&__strobe_unhooked, &head, (uint64_t)stub, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
}

void __strobe_unhook_stub(strobe_stub_t* stub) {
  if (__atomic_exchange_n(&changing, 1, __ATOMIC_ACQUIRE) != 0) return;
  if (stub->unhooked == 0 && stub->next != 0) hook_page(stub);
  /* A stub that is not hooked is in the list, and enters it once. */
  if ((int64_t)stub->count < 0 && *branch_of(stub) == stub->jump_word) unhook(stub);
  __atomic_store_n(&changing, 0, __ATOMIC_RELEASE);
  __asm__ volatile("fence.i" ::: "memory");
}
