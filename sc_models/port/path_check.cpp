#include "sc_models/port/path_check.h"

#include <stdexcept>

#include "sc_models/port/path_facts_generated.h"

namespace strobe::profiling {
namespace {

bool is_power_of_two(unsigned value) { return value != 0 && (value & (value - 1)) == 0; }

/// "64", "16 (two_rows(lanes))".
std::string bound(unsigned value, const char* text) {
  return *text == 0 ? std::to_string(value) : std::to_string(value) + " (" + text + ")";
}

std::string expected(const PathParams& params, const PathRange& range) {
  if (range.least == range.most) {
    return std::to_string(range.least) + " with compressor " + kCompressorNames[params.compressor];
  }
  return (range.power_of_two ? "a power of two from " : "") + bound(range.least, range.least_text) +
         " to " + bound(range.most, range.most_text);
}

}  // namespace

void check_path(const PathParams& params) {
  if (params.compressor >= kCompressorNames.size()) {
    throw std::invalid_argument("profiling path: compressor must be 0 to " +
                                std::to_string(kCompressorNames.size() - 1) + ", got " +
                                std::to_string(params.compressor));
  }
  for (const PathRange& range : path_ranges(params)) {
    const unsigned got = params.*range.field;
    const bool fits = got >= range.least && got <= range.most;
    if (fits && (!range.power_of_two || got == 0 || is_power_of_two(got))) continue;
    throw std::invalid_argument(std::string("profiling path: ") + range.name + " must be " +
                                expected(params, range) + ", got " + std::to_string(got));
  }
}

}  // namespace strobe::profiling
