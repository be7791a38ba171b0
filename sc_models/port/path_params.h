// The build-time parameters of the profiling path: one table for everything that handles them all.
//
// The defaults are those of the RTL, so a point is written as the parameters that differ from them:
// "Strata=512 CounterWidth=10" on command lines, "Strata512_CounterWidth10" in file names.
#pragma once

#include <string>

namespace strobe::profiling {

/// What the first level of the compressor is, in the order of strobe_pkg::Compressor*.
enum class CompressorKind : unsigned { kStratified, kTagged, kAssociative };

/// RTL parameters of strobe_profiler. docs/blocks/profiling_path.md has their ranges.
struct PathParams {
  unsigned lanes = 4;
  unsigned selectors = 2;
  unsigned queue_depth = 128;
  unsigned strata = 2048;
  unsigned counter_width = 8;
  unsigned buffer_depth = 256;
  unsigned compressor = 0;  // CompressorKind
  unsigned sampler = 0;     // SamplerKind, a stratified one's
  unsigned hash = 0;        // HashKind
  unsigned banks = 1;       // a stratified one's
  unsigned ways = 2;        // a tagged one's, as the next two
  unsigned tag_bits = 2;
  unsigned miss_width = 3;
  unsigned second_entries = 0;  // the second level's, 0 for none
  unsigned second_width = 16;
  unsigned ring = 0;          // 1: with a ring writer
  unsigned pc_width = 64;     // low bits of the pc that a tuple keeps
  unsigned value_width = 64;  // and of the value

  CompressorKind kind() const { return static_cast<CompressorKind>(compressor); }
};

/// The fewest places of a tuple queue: two rows, each with the power of two from `lanes` up.
constexpr unsigned two_rows(unsigned lanes) {
  unsigned places = 2;
  while (places < 2 * lanes) places *= 2;
  return places;
}

struct PathParameter {
  const char* rtl;  // its name in the RTL
  unsigned PathParams::*field;
};

inline constexpr PathParameter kPathParameters[] = {
    {"Lanes", &PathParams::lanes},
    {"Selectors", &PathParams::selectors},
    {"QueueDepth", &PathParams::queue_depth},
    {"Strata", &PathParams::strata},
    {"CounterWidth", &PathParams::counter_width},
    {"BufferDepth", &PathParams::buffer_depth},
    {"Compressor", &PathParams::compressor},
    {"Sampler", &PathParams::sampler},
    {"Hash", &PathParams::hash},
    {"Banks", &PathParams::banks},
    {"Ways", &PathParams::ways},
    {"TagBits", &PathParams::tag_bits},
    {"MissWidth", &PathParams::miss_width},
    {"SecondEntries", &PathParams::second_entries},
    {"SecondWidth", &PathParams::second_width},
    {"Ring", &PathParams::ring},
    {"PcWidth", &PathParams::pc_width},
    {"ValueWidth", &PathParams::value_width},
};

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
