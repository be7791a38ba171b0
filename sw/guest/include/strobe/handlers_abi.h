/* The results of the HPS profiles' handlers in guest memory, and the registers that they use.
 * The layout is plain C; host and guest include this file. docs/hot-streams.md */
#ifndef STROBE_HANDLERS_ABI_H
#define STROBE_HANDLERS_ABI_H

#include <stdint.h>

/* Entry points for a dcall. Before it, the replacement sequence sets d0 to the pc of the trigger
 * and d1 to the effective address of a memory access or the target of a jump or branch. */
#define STROBE_DATA_STREAM_SYMBOL "strobe_data_stream" /* d0, d1 */
#define STROBE_BURST_END_SYMBOL "strobe_burst_end"     /* nothing */
#define STROBE_CALL_PAIR_SYMBOL "strobe_call_pair"     /* d0, d1 */
#define STROBE_HOT_METHOD_SYMBOL "strobe_hot_method"   /* d1 */
#define STROBE_SANDBOX_SYMBOL "strobe_sandbox"         /* d0, d1: a store outside its segment */
#define STROBE_WATCHPOINT_SYMBOL "strobe_watchpoint"   /* d0, d1: a store to a watched address */

/* d7 holds the handlers' stack pointer; it starts as the address of this symbol. */
#define STROBE_HANDLER_STACK_SYMBOL "strobe_handler_stack_top"

/* Tags of the tuples {pc of the call, callee}, {target, 0} and {pc of the store, address} in
 * strobe_profile_table. */
#define STROBE_TAG_CALL_PAIR 1
#define STROBE_TAG_METHOD 2
#define STROBE_TAG_SANDBOX 3
#define STROBE_TAG_WATCHPOINT 4
#define STROBE_TAG_TIMER 5

/* The references of the bursts, in order. */
#define STROBE_TRACE_SYMBOL "strobe_reference_trace"
#define STROBE_TRACE_CAPACITY (1u << 20) /* records: 16 MiB */

typedef struct {
  uint64_t pc; /* 0: a burst ended here */
  uint64_t address;
} strobe_reference_t;

typedef struct {
  uint64_t used;    /* records */
  uint64_t dropped; /* records lost because the trace was full */
  strobe_reference_t records[STROBE_TRACE_CAPACITY];
} strobe_reference_trace_t;

#endif
