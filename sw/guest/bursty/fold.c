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

static void trace(void) {
  struct event* to = __strobe_trace + __strobe_kept;
  for (const struct event* from = __strobe_events; from != __strobe_next_event; ++from) {
    if (to == __strobe_trace_end) {
      __strobe_dropped += (uint64_t)(__strobe_next_event - from);
      break;
    }
    *to++ = *from;
  }
  __strobe_kept = (uint64_t)(to - __strobe_trace);
}

static void fold(void) {
  struct folded* const table = (struct folded*)__strobe_trace;
  const uint64_t size = ((uint64_t)((char*)__strobe_trace_end - (char*)__strobe_trace)) / sizeof *table;
  for (const struct event* from = __strobe_events; from != __strobe_next_event; ++from) {
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
    if (tried == 64) ++__strobe_dropped;
  }
}

void __strobe_fold(void) {
  if (__strobe_mode == kTrace) {
    trace();
  } else {
    fold();
  }
  __strobe_next_event = __strobe_events;
}
