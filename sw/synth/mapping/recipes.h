// The sequences of abc commands by which a block is mapped.
#pragma once

#include <string>
#include <vector>

namespace strobe::synth {

struct Recipe {
  std::string name;    // "direct-6"
  std::string script;  // abc commands, one a line
};

/// "direct" maps the RTL as written. "restructured" rewrites it first, which helps flat logic and
/// undoes an adder that was written out. "chosen" maps from structural choices, balanced for delay.
/// Each recipe comes with two limits of fan-out, above which abc inserts buffers, because without
/// buffers zero-wire timing means nothing.
std::vector<Recipe> cell_recipes();

}  // namespace strobe::synth
