// The keys of a profiler that say what its compressor is. docs/blocks/compressor.md
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sc_models/machine/config/run_config.h"
#include "sw/config/keys/visitor.h"

namespace strobe::config {

void declare_compressor(Visitor& v, ProfilerConfig& p);

/// The parameters of the compressors, from configs/blocks.
void declare_parameters(Visitor& v, CompressorConfig& c);

/// What a key must keep to beside its range.
struct KeyLimit {
  std::string key;
  uint64_t value = 0;
  bool power_of_two = false;  ///< that it is one; nothing else then
  std::string other;          ///< the key that limits it
  uint64_t most = 0;
  std::string text;  ///< what `most` is, such as "2^counter_width"; empty: the other key's value
};

/// Those of the keys that the kind has, from configs/blocks.
std::vector<KeyLimit> limits_of(const CompressorConfig& c);

}  // namespace strobe::config
