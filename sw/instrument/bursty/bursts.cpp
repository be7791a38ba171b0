#include "sw/instrument/bursty/bursts.h"

#include <fmt/format.h>

#include <random>
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

void set_distances(std::vector<uint8_t>* elf, uint64_t checks, unsigned bits, uint64_t seed) {
  const uint64_t half = uint64_t{1} << (bits - 1);
  if (checks < half || checks + half > kInfinity) {
    throw std::invalid_argument(
        fmt::format("nCheck0: expected {} to {}, from which {} bits of jitter can take {} and to "
                    "which they can "
                    "add as many, got {}",
                    half, kInfinity - half, bits, half - 1, checks));
  }
  LinkedData data(elf, "the edited program");
  std::mt19937_64 random(seed);
  const auto drawn = [&] {
    return static_cast<uint32_t>(checks - half + 1 + (random() & (2 * half - 1)));
  };
  const uint64_t distances = data.address_of(kDistances);
  for (uint64_t i = 0; i < kDistanceCount; ++i) data.set_word(distances + 4 * i, drawn());
  data.set_word(data.address_of(kCheckCount), drawn());
}

}  // namespace strobe::instrument
