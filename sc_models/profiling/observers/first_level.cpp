#include "sc_models/profiling/observers/first_level.h"

#include "sc_models/port/path_check.h"
#include "sc_models/port/path_facts_generated.h"
#include "sc_models/profiling/reference/common/check.h"

namespace strobe::profiling {

std::unique_ptr<FirstLevel> make_first_level(const PathParams& params, const CompressorRates& rates,
                                             const Seeds& seeds) {
  check_path(params);
  if (has_rate(params)) {
    check_range("observer: period", rates.sampling.period, 1, longest_period(params));
  }
  return make_first_level_of_kind(params, rates, seeds);
}

}  // namespace strobe::profiling
