// The cost of memories as macros that can be ordered: a band to compare with the model's areas,
// which leave out much of what a compiler puts around the cells. See docs/synthesis.md, "Memories".
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "sw/synth/memory/sram.h"
#include "sw/yaml/map_reader.h"

namespace strobe::synth {

/// Published macros, and the sizes that can be ordered. No list is empty, and each list of sizes
/// rises.
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

/// Reads `macros` and `orderable` of sram.yaml; each macro must have a source.
RealMacros read_real_macros(yaml::MapReader& document, text::Diagnostics* diagnostics);

struct Band {
  double low = 0, high = 0;
};

/// The lowest and the highest ratio of a known macro's area to the model's area at the same feature
/// size.
Band real_over_model(const RealMacros& real, const SramModel& model);

/// A memory as macros that can be ordered.
struct MemoryOrder {
  std::vector<std::pair<MemorySize, int>> macros;  // sizes, and the number of macros of each
  Band area;                                       // um2, of all of them
};

/// The order takes as many of the widest macros as the word fills and the narrowest that holds the
/// rest; and as many of the deepest as the words need, or the shallowest that holds them. `feature`
/// is in um.
MemoryOrder order_of(MemorySize size, const RealMacros& real, const SramModel& model,
                     double feature);

struct SramData {
  std::map<std::string, double> coefficients;
  RealMacros real;
};

}  // namespace strobe::synth
