/* The platform's address map: one place, shared by the models and the guest firmware (plain C).
 *
 *   0x0000_0000  user memory: the program, its heap, mappings and stack (grows up to the firmware)
 *   0x8000_0000  firmware: M-mode code, handler, boot block, profile tables; no U-mode access
 *   0x8600_0000  of these, the observer thread
 *   0x8700_0000  the message ring
 *   0xF000_0000  host device: the firmware ends the run here
 *   0xF001_0000  profiling device registers (configs/registers.yaml)
 *   0xF002_0000  decode engine registers (docs/blocks/dise.md)
 *   0xF003_0000  timer (sc_models/machine/system/timer_device.h)
 *   0xF004_0000  counters of all harts (sc_models/machine/system/counter_window.h)
 */
#ifndef STROBE_ADDRESS_MAP_H
#define STROBE_ADDRESS_MAP_H

#define STROBE_MEMORY_SPAN 0x100000000 /* guest memory is the window [0, 4 GiB) */
#define STROBE_USER_TOP 0x80000000     /* user addresses are below */
#define STROBE_FIRMWARE_BASE 0x80000000
#define STROBE_FIRMWARE_SIZE 0x08000000
#define STROBE_OBSERVER_BASE 0x86000000 /* the firmware's own image ends below */
#define STROBE_RING_BASE 0x87000000
#define STROBE_RING_SIZE 0x01000000
#define STROBE_DEVICE_BASE 0xF0000000 /* no memory from here on */
#define STROBE_HOST_BASE 0xF0000000
#define STROBE_HOST_HALT 0x00 /* store any value: the firmware is done, stop the simulation */
#define STROBE_HOST_FATAL                                                     \
  0x08 /* store mcause: an exception that has no handler; mepc and mtval hold \
        */
#define STROBE_PROFILER_BASE 0xF0010000
#define STROBE_PROFILER_SIZE 0x1000
#define STROBE_DISE_BASE 0xF0020000
#define STROBE_DISE_SIZE 0x1000
#define STROBE_TIMER_BASE 0xF0030000
#define STROBE_TIMER_SIZE 0x1000
#define STROBE_TIMER_COMPARE 0x00 /* mtimecmp: the interrupt is pending from this cycle on */
#define STROBE_TIMER_NOW 0x08     /* mtime: the present cycle; read-only */
#define STROBE_COUNTERS_BASE 0xF0040000
#define STROBE_COUNTERS_SIZE 0x1000
#define STROBE_COUNTERS_OF_HART 0x100 /* from one hart to the next */
#define STROBE_COUNTERS_EVENTS 0x80   /* a hart's events are here, its counters below */

#endif
