// The keys of a profiler that say what its compressor is. docs/blocks/compressor.md
#pragma once

#include "sc_models/machine/run_config.h"
#include "sw/config/visitor.h"

namespace strobe::config {

void declare_compressor(Visitor& v, ProfilerConfig& p);

}  // namespace strobe::config
