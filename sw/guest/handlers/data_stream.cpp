// Hot data streams: appends {pc, effective address} of each sampled load and store to the trace.
#include "sw/guest/handlers/dise.h"
#include "sw/guest/include/strobe/handlers_abi.h"

extern "C" strobe_reference_trace_t strobe_reference_trace;

namespace strobe::guest {
namespace {

inline void append(uint64_t pc, uint64_t address) {
  strobe_reference_trace_t& trace = strobe_reference_trace;
  const uint64_t at = trace.used;
  if (__builtin_expect(at == STROBE_TRACE_CAPACITY, 0)) {
    ++trace.dropped;
    return;
  }
  trace.records[at] = {pc, address};
  trace.used = at + 1;
}

}  // namespace
}  // namespace strobe::guest

using namespace strobe::guest;

STROBE_HANDLER(strobe_data_stream) { append(dise_register<0>(), dise_register<1>()); }

/// Called when a burst ends, so that no stream is found across two bursts.
STROBE_HANDLER(strobe_burst_end) { append(0, 0); }
