#include "sc_models/profiling/observers/message_key.h"

namespace strobe::profiling {

std::vector<uint64_t> message_key(const PathParams& params, const CompressorRates& rates,
                                  const Seeds& seeds) {
  std::vector<uint64_t> key = {params.compressor, params.second_entries, seeds.hash,
                               seeds.phase ? seeds.draws : 0};
  if (params.second_entries != 0) key.push_back(params.second_width);
  add_message_key(params, rates, seeds, &key);
  return key;
}

}  // namespace strobe::profiling
