// The decode engine as RTL: the Verilated strobe_dise of a parameter point.
#pragma once

#include <memory>

#include "sc_models/port/decode_engine.h"

namespace strobe::profiling {

/// RTL parameters of strobe_dise. docs/blocks/dise.md gives their ranges.
struct DisePoint {
  unsigned lanes = 4;
  unsigned counters = 2;
  unsigned counter_width = 20;
  unsigned flag_timing = 0;  // 1: replacements see the flags that null entries leave
  unsigned jitter = 0;       // 1: there is a DISE_JITTER
};

/// Makes the RTL engine of a parameter point in its reset state. Its shared object is found or
/// built as for a profiling path (verilated_path.h). Throws std::invalid_argument for a parameter
/// out of range, std::runtime_error when Verilating the point fails.
std::unique_ptr<DecodeEngine> make_verilated_dise(const DisePoint& point);

}  // namespace strobe::profiling
