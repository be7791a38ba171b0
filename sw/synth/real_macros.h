// What memories cost as macros that can be had: a band beside the model's areas, which leave out
// much of what a compiler puts around the cells. docs/synthesis.md, "Memories"
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "sw/synth/sram.h"
#include "sw/yaml/map_reader.h"

namespace strobe::synth {

/// Published macros, and the sizes that can be ordered. No list is empty, and sizes rise.
struct RealMacros {
  struct Known {
    std::string name;
    MemorySize size;
    double feature = 0;  // um
    double area = 0;     // um2
  };
  std::vector<Known> known;
  std::vector<int> widths, depths;
};

/// Reads `macros` and `orderable` of sram.yaml, each macro with a source.
RealMacros read_real_macros(yaml::MapReader& document, text::Diagnostics* diagnostics);

struct Band {
  double low = 0, high = 0;
};

/// The lowest and the highest of the known macros' areas over the model's at their own feature
/// size.
Band real_over_model(const RealMacros& real, const SramModel& model);

/// A memory as macros that can be ordered.
struct MemoryOrder {
  std::vector<std::pair<MemorySize, int>> macros;  // and how many of each
  Band area;                                       // um2, of all of them
};

/// As many of the widest as the word fills and the narrowest that holds the rest; as many of the
/// deepest as the words need, or the shallowest that holds them. `feature` in um.
MemoryOrder order_of(MemorySize size, const RealMacros& real, const SramModel& model,
                     double feature);

struct SramData {
  std::map<std::string, double> coefficients;
  RealMacros real;
};

}  // namespace strobe::synth
