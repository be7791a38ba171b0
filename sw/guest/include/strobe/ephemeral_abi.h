/* Ephemeral instrumentation in guest memory: the data of a stub, the list of unhooked branches, and
 * what the firmware is told of epochs. The layout is plain C; the program, the firmware and the
 * host include this file. docs/ephemeral.md */
#ifndef STROBE_EPHEMERAL_ABI_H
#define STROBE_EPHEMERAL_ABI_H

#include <stdint.h>

/* The data of a stub, 8-byte aligned after its code. */
typedef struct {
  /* The present hooking: the executions that it still records less one, above STROBE_LEFT_SHIFT,
   * and the taken ones above STROBE_TAKEN_SHIFT. An execution adds one constant that `lui` makes;
   * the last one makes the word negative. */
  uint64_t count;
  uint64_t next;     /* the stub after it in the list, or in a page's ring (unhook.c); 0: none */
  uint64_t taken;    /* executions, of the hookings that have ended */
  uint32_t unhooked; /* hookings that have ended, of `persistence` executions each */
  /* The instruction at the branch: itself, or the jump to the stub's code. */
  uint32_t branch_word, jump_word;
  int32_t branch; /* where it is, in bytes from this structure */
} strobe_stub_t;

/* A target of an indirect jump or call. Its stub has an array of them after its strobe_stub_t; free
 * ones are 0, and the last one, whose target is all ones, counts what finds no room. */
typedef struct {
  uint64_t target; /* in the edited program */
  uint64_t count;  /* executions, of all hookings */
} strobe_stub_target_t;

#define STROBE_LEFT_SHIFT 31
#define STROBE_TAKEN_SHIFT 12
#define STROBE_TAKEN_MASK 0x7ffff /* the longest persistence, too */

/* Data of an edited program. */
#define STROBE_UNHOOKED_SYMBOL "__strobe_unhooked"       /* 64 bits: the list's first stub, or 0 */
#define STROBE_PERSISTENCE_SYMBOL "__strobe_persistence" /* 32 bits */
#define STROBE_STUBS_SYMBOL "__strobe_stubs"             /* 32 bits: how many there are */

/* The timer of a run, which ends epochs of ephemeral instrumentation or samples the program. The
 * host fills this before reset is released. */
#define STROBE_EPOCH_BLOCK_SYMBOL "strobe_epoch_block"
typedef struct {
  uint64_t list;   /* address of the program's list of unhooked branches; 0: there is no timer */
  uint64_t stubs;  /* in the program: the most that the list holds; 0: the timer samples, and the
                      list is empty */
  uint64_t cycles; /* the mean length of an epoch, or from one sample to the next */
  uint64_t jitter; /* an epoch is at most so many cycles shorter or longer, uniformly */
  uint64_t random; /* state of the random numbers (splitmix64) */
  /* written by the firmware */
  uint64_t due;             /* when the present epoch ends, in cycles */
  uint64_t epochs;          /* that have ended */
  uint64_t hooked;          /* branches that were hooked again */
  uint64_t longest_handler; /* cycles from the end of an epoch to that of its handler */
} strobe_epoch_block_t;

#endif
