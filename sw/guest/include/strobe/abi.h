/* The data that the host and the firmware exchange in guest memory. The layout is plain C, and both
 * sides include this file; every field is little-endian and naturally aligned. */
#ifndef STROBE_ABI_H
#define STROBE_ABI_H

#include <stdint.h>

#include "sw/guest/include/strobe/registers.h"

#define STROBE_ABI_MAGIC 0x32454f5254530000 /* "STROE2" above two zero bytes */
#define STROBE_BOOT_BLOCK_SYMBOL "strobe_boot_block"
#define STROBE_TABLE_SYMBOL "strobe_profile_table"
#define STROBE_RING_BLOCK_SYMBOL "strobe_ring_block"
#define STROBE_SERVICE_SYMBOL "strobe_service" /* where the service core starts, in M-mode */
#define STROBE_MAX_SELECTORS 8

/* One selector's registers, as the firmware writes them (docs/registers.md). */
typedef struct {
  uint64_t ctrl;
  uint64_t pc_lo;
  uint64_t pc_hi;
} strobe_selector_config_t;

/* The host fills this before reset is released; the firmware reads it and reports back. */
typedef struct {
  uint64_t magic; /* STROBE_ABI_MAGIC */
  uint64_t user_entry;
  uint64_t user_sp;
  uint64_t profiler_active; /* 0: leave the device alone (the baseline run) */
  uint64_t period;          /* r; this and the next three have their registers' format */
  uint64_t threshold;
  uint64_t seed;
  uint64_t settings[STROBE_SETTINGS]; /* of STROBE_SETTING_REGISTERS */
  uint64_t watermark;
  uint64_t selector_count;
  strobe_selector_config_t selectors[STROBE_MAX_SELECTORS];
  /* written by the firmware */
  uint64_t status;         /* strobe_firmware_status_t */
  uint64_t interrupts;     /* profiling interrupts taken */
  uint64_t messages;       /* messages drained, the final drain included */
  uint64_t final_messages; /* of these, delivered after the program ended */
  uint64_t residue;        /* counts still held by entries without a tuple, read out at the end */
  uint64_t fatal_cause, fatal_epc, fatal_tval; /* an unhandled exception */
} strobe_boot_block_t;

typedef enum {
  STROBE_STATUS_RESET = 0,
  STROBE_STATUS_RUNNING = 1,
  STROBE_STATUS_DONE = 2,
  STROBE_STATUS_NO_DEVICE = 3,      /* the ID register does not hold the magic */
  STROBE_STATUS_BAD_CAPABILITY = 4, /* the settings exceed what CAP offers */
  STROBE_STATUS_TABLE_FULL = 5,     /* messages were dropped: strobe_profile_table.lost counts */
  STROBE_STATUS_FATAL = 6,
  STROBE_STATUS_BAD_BOOT_BLOCK = 7,   /* wrong magic: host and firmware do not match */
  STROBE_STATUS_NO_DECODE_ENGINE = 8, /* the engine's ID does not hold the magic */
  STROBE_STATUS_EPOCH_TOO_SHORT = 9,  /* it ended before its handler did */
  STROBE_STATUS_BAD_STUB_LIST = 10    /* the list of unhooked branches has no end */
} strobe_firmware_status_t;

/* How messages reach software. The host fills this like the boot block. */
typedef struct {
  uint64_t entries; /* records of the ring, a power of two; 0: no ring, the profiler interrupts */
  uint64_t base;    /* the ring's address; its memory is zero at the start */
  uint64_t overwrite;
  /* written by the service thread whenever it frees records for the device */
  uint64_t messages;
  uint64_t lost_messages; /* overwritten before the thread took them */
  uint64_t lost_count;    /* the counts they carried */
} strobe_ring_block_t;

/* A message in the ring (docs/blocks/ring_writer.md), written in this order. */
typedef struct {
  uint32_t number; /* from 0 */
  uint32_t total;  /* counts of all messages before it */
  uint64_t pc;
  uint64_t value;
  uint32_t count;
  uint32_t stamp; /* bits 23:0 the number again, 27:24 tag, 31:28 STROBE_RECORD_VERSION */
} strobe_record_t;

#define STROBE_RECORD_VERSION 1

/* HINTs (strobe/marker.h) of the service thread, with which the simulator times it. */
#define STROBE_SERVICE_WAITS 1 /* there is no record */
#define STROBE_SERVICE_TAKES 2 /* a record is there and is taken */
#define STROBE_SERVICE_DONE 3  /* the record is in the profile */
/* The firmware's writes to the decode engine before it starts the program. The host fills this
 * before reset is released. docs/blocks/dise.md has the offsets. */
#define STROBE_DISE_PROGRAM_SYMBOL "strobe_dise_program"
#define STROBE_DISE_WRITES 4096
typedef struct {
  uint64_t count;   /* 0: leave the engine alone */
  uint64_t control; /* DISE_CTRL after the writes; 0 in the baseline run, which boots alike */
  struct {
    uint64_t offset, value;
  } writes[STROBE_DISE_WRITES];
} strobe_dise_program_t;

/* The profile: an open-addressing hash table with linear probing, keyed by {tag, pc, value}. */
typedef struct {
  uint64_t pc;
  uint64_t value;
  uint64_t tag_used; /* bit 63: used; bits 3:0 tag */
  uint64_t count;
} strobe_profile_entry_t;

#define STROBE_PROFILE_CAPACITY (1u << 20) /* entries, a power of two: 32 MiB */
#define STROBE_PROFILE_USED (1ull << 63)

/* ISO C++ has no flexible array members, but every compiler of this project does. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
typedef struct {
  uint64_t capacity;
  uint64_t used;
  uint64_t lost_messages; /* the table was full */
  uint64_t lost_count;    /* the counts they carried */
  strobe_profile_entry_t entries[];
} strobe_profile_table_t;
#pragma GCC diagnostic pop

#endif
