#include "sc_models/profiling/observers/storage.h"

#include "sc_models/port/path_facts_generated.h"

namespace strobe::profiling {

uint64_t storage_bits(const PathParams& params) {
  const uint64_t second =
      uint64_t{params.second_entries} * (tuple_width(params) + params.second_width + 1);
  return first_level_bits(params) + second;
}

}  // namespace strobe::profiling
