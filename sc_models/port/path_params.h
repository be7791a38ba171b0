// The build-time parameters of the profiling path, and how a point is written.
//
// The defaults are those of the RTL, so a point is written as the parameters that differ from them:
// "Strata=512 CounterWidth=10" on command lines, "Strata512_CounterWidth10" in file names.
#pragma once

#include <cstdint>
#include <string>

#include "sc_models/port/path_params_generated.h"

namespace strobe::profiling {

/// The fewest places of a tuple queue: two rows, each with the power of two from `lanes` up.
constexpr unsigned two_rows(unsigned lanes) {
  unsigned places = 2;
  while (places < 2 * lanes) places *= 2;
  return places;
}

/// The fewest bits, at least 1, whose numbers a sampler with this period counts through.
constexpr unsigned bits_to_count(uint64_t period) {
  unsigned bits = 1;
  while (uint64_t{1} << bits < period) ++bits;
  return bits;
}

constexpr bool operator==(const PathParams& a, const PathParams& b) {
  for (const PathParameter& parameter : kPathParameters) {
    if (a.*parameter.field != b.*parameter.field) return false;
  }
  return true;
}

/// The parameters that are not the default, each as name, `between` and value, with `separator`
/// between two of them.
inline std::string describe_point(const PathParams& params, const char* between,
                                  const char* separator) {
  std::string text;
  for (const PathParameter& parameter : kPathParameters) {
    if (params.*parameter.field == PathParams().*parameter.field) continue;
    if (!text.empty()) text += separator;
    text += parameter.rtl + (between + std::to_string(params.*parameter.field));
  }
  return text;
}

/// The point that "Name=value Name=value" describes; a name that no parameter has is passed over.
constexpr PathParams parse_point(const char* text) {
  PathParams params;
  while (*text != 0) {
    unsigned PathParams::*field = nullptr;
    for (const PathParameter& parameter : kPathParameters) {
      const char* name = parameter.rtl;
      const char* at = text;
      while (*name != 0 && *name == *at) ++name, ++at;
      if (*name == 0 && *at == '=') field = parameter.field;
    }
    while (*text != 0 && *text != '=') ++text;
    unsigned value = 0;
    for (; *text != 0 && *text != ' '; ++text) {
      if (*text != '=') value = value * 10 + static_cast<unsigned>(*text - '0');
    }
    if (field != nullptr) params.*field = value;
    if (*text == ' ') ++text;
  }
  return params;
}

}  // namespace strobe::profiling
