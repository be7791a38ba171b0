/* Marks the region of interest in a program, for `workload.roi.begin` and `.end`
 * (docs/sampling.md).
 *
 * A mark is one instruction, the HINT `slti x0, x0, N`. It has no effect on real hardware, so the
 * program runs everywhere. The region begins after the begin mark and ends with the end mark.
 */
#ifndef STROBE_MARKER_H
#define STROBE_MARKER_H

/* Marker `number`, a constant from 1 to 2047. The compiler moves no memory access across it. */
#define STROBE_MARKER(number) __asm__ volatile("slti x0, x0, %0" ::"i"(number) : "memory")

#define STROBE_ROI_BEGIN 1
#define STROBE_ROI_END 2

static inline void strobe_roi_begin(void) { STROBE_MARKER(STROBE_ROI_BEGIN); }
static inline void strobe_roi_end(void) { STROBE_MARKER(STROBE_ROI_END); }

#endif
