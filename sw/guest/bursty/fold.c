// Runs in the edited program when its event buffer is full: appends the records to the trace, or folds them into a profile.
// It must not use what the program uses: no library, no floating point.
#include <stdint.h>

struct event {
  uint64_t site, value;  // site 0: a burst begins
};

struct folded {
  struct event event;
  uint64_t count;  // 0: free
};

enum { kTrace = 0, kFold = 1 };

__extension__ typedef unsigned __int128 wide;

extern struct event __strobe_events[];     // the buffer
extern struct event __strobe_events_end[];
extern struct event* __strobe_next_event;
extern struct event __strobe_trace[];      // records of full buffers, or a table of struct folded
extern struct event __strobe_trace_end[];
__attribute__((section(".sdata"))) uint64_t __strobe_mode = kTrace;  // strobe sets it in the file
uint64_t __strobe_kept = 0;     // records in the trace, or pairs in the table
uint64_t __strobe_dropped = 0;  // records for which there was no room
uint64_t __strobe_bursts = 0;   // that began, when records are folded
static uint64_t folding;        // not 0: a thread, or the code that a signal handler interrupted, empties the buffer

static void drop(uint64_t records) { __atomic_fetch_add(&__strobe_dropped, records, __ATOMIC_RELAXED); }

static void trace(void) {
  struct event* to = __strobe_trace + __strobe_kept;
  for (const struct event* from = __strobe_events; from != __strobe_events_end; ++from) {
    if (to == __strobe_trace_end) {
      drop((uint64_t)(__strobe_events_end - from));
      break;
    }
    *to++ = *from;
  }
  __strobe_kept = (uint64_t)(to - __strobe_trace);
}

static void fold(void) {
  struct folded* const table = (struct folded*)__strobe_trace;
  const uint64_t size = ((uint64_t)((char*)__strobe_trace_end - (char*)__strobe_trace)) / sizeof *table;
  for (const struct event* from = __strobe_events; from != __strobe_events_end; ++from) {
    if (from->site == 0) {
      ++__strobe_bursts;
      continue;
    }
    const uint64_t hash = (from->site ^ from->value * 0xc2b2ae3d27d4eb4fu) * 0x9e3779b97f4a7c15u;
    uint64_t at = (uint64_t)(((wide)hash * size) >> 64);
    uint64_t tried = 0;
    for (; tried < 64; ++tried, at = at + 1 == size ? 0 : at + 1) {
      struct folded* const entry = &table[at];
      if (entry->count == 0) {
        entry->event = *from;
        ++__strobe_kept;
      } else if (entry->event.site != from->site || entry->event.value != from->value) {
        continue;
      }
      ++entry->count;
      break;
    }
    if (tried == 64) drop(1);
  }
}

// Waiting for another would never end in a signal handler that interrupted it: the last record is dropped.
void __strobe_fold(void) {
  if (__atomic_exchange_n(&folding, 1, __ATOMIC_ACQUIRE) != 0) {
    drop(1);
    return;
  }
  if (__strobe_mode == kTrace) {
    trace();
  } else {
    fold();
  }
  __atomic_store_n(&__strobe_next_event, __strobe_events, __ATOMIC_RELEASE);
  __atomic_store_n(&folding, 0, __ATOMIC_RELEASE);
}
