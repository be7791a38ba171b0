/* What the host and the observer thread of SHIM exchange in guest memory (docs/shim.md). Plain C;
 * both sides include it. Every field is little-endian and naturally aligned. */
#ifndef STROBE_OBSERVER_ABI_H
#define STROBE_OBSERVER_ABI_H

#include <stdint.h>

#define STROBE_OBSERVER_MAGIC 0x314d494853000000 /* "SHIM1" above three zero bytes */
#define STROBE_OBSERVER_BLOCK_SYMBOL "strobe_observer_block"
#define STROBE_OBSERVER_BUFFER_SYMBOL "strobe_observer_buffer"

#define STROBE_OBSERVER_COUNTERS 7 /* the last of a hart's eight wakes the observer */
#define STROBE_OBSERVER_SIGNALS 4
#define STROBE_OBSERVER_BUCKETS 500 /* the first rate is instructions in a cycle */
#define STROBE_OBSERVER_TAGS 65536  /* values of the first signal that are told apart */

/* HINT (strobe/marker.h): a sample is in the buffer. */
#define STROBE_OBSERVER_SAMPLE 4

/* What is known about samples that have something in common. */
typedef struct {
  uint64_t samples;
  uint64_t cycles; /* of these samples, and the counts of the first two counters */
  uint64_t count[2];
} strobe_observer_sum_t;

typedef struct {
  uint64_t magic;
  /* The host fills these before the observer starts. */
  uint64_t window;   /* registers of the observed hart in the counter window; 0: none */
  uint64_t counters; /* read in a sample */
  uint64_t event[STROBE_OBSERVER_COUNTERS]; /* mhpmevent of each */
  uint64_t signals;
  uint64_t signal[STROBE_OBSERVER_SIGNALS]; /* addresses, aligned to their size */
  uint64_t wide;                            /* bit i: signal i has 64 bits, else 32 */
  uint64_t period;   /* cycles from one sample to the next; 0: as fast as it goes */
  uint64_t dte;      /* how far cycles per cycle may be from one, in units of 2^-20 */
  uint64_t highest;  /* the rate that the buckets end at */
  uint64_t own;      /* 1: counters 2 i + 1 count for this hart what 2 i counts for the core */
  uint64_t buffered; /* 1: samples go into the buffer; 0: they are analyzed */
  /* The observer reports back. */
  uint64_t busy;        /* cycles of a sample without idling, before the program ran */
  uint64_t samples;     /* all of them; of those with two clock readings */
  uint64_t kept;        /* as many are not discarded */
  uint64_t other_tags;  /* samples whose tag was STROBE_OBSERVER_TAGS or more */
  uint64_t other_rates; /* kept samples with a rate above the highest */
  strobe_observer_sum_t bucket[STROBE_OBSERVER_BUCKETS]; /* the others kept, by rate */
  strobe_observer_sum_t tag[STROBE_OBSERVER_TAGS];       /* all samples, by the first signal */
} strobe_observer_block_t;

/* A sample in the buffer: as Figure 2 of the paper writes it. */
typedef struct {
  uint64_t begin, end; /* the clock before and after the counters */
  uint64_t counter[STROBE_OBSERVER_COUNTERS];
  uint64_t signal[STROBE_OBSERVER_SIGNALS];
} strobe_observer_sample_t;

#define STROBE_OBSERVER_BUFFERED 1024 /* a power of two; the oldest sample is overwritten */

#endif
