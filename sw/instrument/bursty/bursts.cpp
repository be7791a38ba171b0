#include "sw/instrument/bursty/bursts.h"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

#include "sw/instrument/bursty/bursty_runtime.h"
#include "sw/instrument/linked_data.h"

namespace strobe::instrument {
namespace {

constexpr uint64_t kInfinity = 0x7fffffff;

}  // namespace

void set_bursts(std::vector<uint8_t>* elf, uint64_t checks, uint64_t instrumented) {
  for (const auto& [name, value] :
       {std::pair("nCheck0", checks), std::pair("nInstr0", instrumented)}) {
    if (value == 0 || value > kInfinity) {
      throw std::invalid_argument(
          fmt::format("{}: expected 1 to {}, which is infinity, got {}", name, kInfinity, value));
    }
  }
  set_word(elf, kCheckCount, static_cast<uint32_t>(checks));
  set_word(elf, kCheckReload, static_cast<uint32_t>(checks));
  set_word(elf, kInstrumentedReload, static_cast<uint32_t>(instrumented));
}

}  // namespace strobe::instrument
