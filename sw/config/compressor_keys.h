// The keys of a profiler that say what its compressor is. docs/blocks/compressor.md
#pragma once

#include "sw/config/run_config.h"
#include "sw/config/visitor.h"

namespace strobe::config {

void declare_compressor(Visitor& v, ProfilerConfig& p);

}  // namespace strobe::config
