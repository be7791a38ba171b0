// What strobe synth reads from others: any text is a Liberty library, a VCD or a list of macros, or
// gets one sentence. The first byte says which.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <stdexcept>
#include <string>

#include "sw/synth/library/liberty.h"
#include "sw/synth/memory/sram.h"
#include "sw/synth/netlist/activity.h"

namespace {

using namespace strobe::synth;

/// What must hold for every input; a fault stops the fuzzer.
void require(bool good) {
  if (!good) std::abort();
}

void read_liberty(const std::string& text) { parse_liberty(text, "fuzz"); }

void read_vcd(const std::string& text) {
  std::istringstream stream(text);
  const Activity activity = read_activity(stream, "fuzz", "dut", "clk_i", {"data_o[0]", "valid_o"});
  require(activity.cycles > 0);
  for (const auto& [name, net] : activity.nets) {
    require(net.toggles <= activity.cycles && net.ones <= activity.cycles);
  }
}

void read_macros(const std::string& text) {
  for (const Macro& macro : parse_macros(text, "fuzz")) {
    require(macro.size.width > 0 && macro.size.depth > 0 && macro.area > 0);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  constexpr void (*kReaders[])(const std::string&) = {read_liberty, read_vcd, read_macros};
  try {
    kReaders[data[0] % 3](std::string(reinterpret_cast<const char*>(data + 1), size - 1));
  } catch (const std::runtime_error& error) {
    require(error.what()[0] != '\0');
  }
  return 0;
}
