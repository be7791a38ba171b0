#include "sc_models/machine/profiler/burst_sampling.h"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "sc_models/machine/profiler/random_offset.h"
#include "sc_models/profiling/reference/dise/dise_engine.h"
#include "sc_models/profiling/reference/dise/dise_map.h"

namespace strobe::platform {
namespace {

// The registers that decode.sparsity and decode.burst set, as the production files of
// configs/profilers/hps name them: those of conditional control (sampling.dise), whose counters
// count up and overflow, and those of plain DISE (plain-sampling.dise), which are counted down.
struct SamplingRegister {
  const char* name;
  const char* key;
  uint64_t config::DecodeConfig::*events;
  unsigned less;  // events that this register does not count
  bool overflows;
};
constexpr SamplingRegister kSamplingRegisters[] = {
    // The event that takes the counters back is between two bursts, too; and with plain DISE the
    // first stretch begins after it.
    {"sampleFreq", "sparsity", &config::DecodeConfig::sparsity, 1, true},
    {"burstLength", "burst", &config::DecodeConfig::burst, 0, true},
    {"sparsity", "sparsity", &config::DecodeConfig::sparsity, 0, false},
    {"sparsityLeft", "sparsity", &config::DecodeConfig::sparsity, 1, false},
    {"burst", "burst", &config::DecodeConfig::burst, 0, false},
    {"burstLeft", "burst", &config::DecodeConfig::burst, 0, false},
};

const uint64_t kRange = uint64_t{1} << profiling::DiseParams().counter_width;

void refuse(dise::Assembled& set, std::string message) {
  text::Diagnostic fault;
  fault.message = std::move(message);
  set.faults.push_back(std::move(fault));
}

// Gives the sampling registers of the set their values; returns whether it has one of `key`.
bool set_registers(dise::Assembled& set, const config::DecodeConfig& decode,
                   const std::string& key) {
  bool any = false;
  for (const SamplingRegister& sampling : kSamplingRegisters) {
    if (sampling.key != key) continue;
    const uint64_t events = decode.*sampling.events - sampling.less;
    for (dise::NamedRegister& named : set.image.registers) {
      if (named.name != sampling.name) continue;
      any = true;
      if (sampling.overflows && events > kRange) {
        refuse(set,
               fmt::format("decode.{}: expected at most {}, which its counter can count, got {}",
                           key, kRange + sampling.less, decode.*sampling.events));
      }
      named.value = sampling.overflows ? kRange - events : events;
    }
  }
  return any;
}

dise::NamedRegister* named(dise::Image& image, const char* name) {
  for (dise::NamedRegister& reg : image.registers) {
    if (reg.name == name) return &reg;
  }
  return nullptr;
}

// The counter that counts the events between two bursts.
std::optional<unsigned> counter_set_from(const dise::Image& image, const dise::NamedRegister& reg) {
  for (const dise::PatternEntry& entry : image.patterns) {
    for (unsigned n = 0; n < image.limits.counters; ++n) {
      if (entry.ops[n].kind == dise::MicroOp::kSet && entry.ops[n].reg == reg.number) return n;
    }
  }
  return std::nullopt;
}

// How many events a counter that starts with `value` counts.
uint64_t counted(uint64_t value) { return kRange - value % kRange; }

// The first burst begins after 1 to so many events, as many as there are from the begin of one
// burst to that of the next: systematic sampling with a random start. It is a whole one, so the
// first events of the program, fewer than a burst has, are in one less often than the others.
void draw_phase(uint64_t seed, dise::Assembled& set) {
  dise::Image& image = set.image;
  const auto drawn = [seed](uint64_t period) {
    return 1 + random_offset(config::derived_seed(seed, "decode.phase"), period);
  };
  const dise::NamedRegister* frequency = named(image, "sampleFreq");
  const dise::NamedRegister* length = named(image, "burstLength");
  if (frequency != nullptr && length != nullptr) {
    const std::optional<unsigned> counter = counter_set_from(image, *frequency);
    const uint64_t period = counted(frequency->value) + 1 + counted(length->value);
    if (counter && period > kRange) {
      refuse(set,
             fmt::format("decode.phase: expected sparsity and burst to be at most {} together, "
                         "which a counter can count, got {}",
                         kRange, period));
      return;
    }
    if (counter) {
      image.counter_starts.at(*counter) = kRange - drawn(period);
      return;
    }
  }
  dise::NamedRegister* left = named(image, "sparsityLeft");
  const dise::NamedRegister* sparsity = named(image, "sparsity");
  const dise::NamedRegister* burst = named(image, "burst");
  if (left == nullptr || sparsity == nullptr || burst == nullptr) {
    refuse(set,
           "decode.phase: expected a production file with the registers sampleFreq and burstLength "
           "or sparsity, sparsityLeft and burst, such as configs/profilers/hps/sampling.dise; got "
           "none");
    return;
  }
  left->value = drawn(sparsity->value + burst->value);
}

// The distance is that of `sampleFreq` on average: the register is lowered by what the jitter adds.
// The first one stays as it is.
void add_jitter(uint64_t seed, unsigned bits, dise::Assembled& set) {
  dise::Image& image = set.image;
  dise::NamedRegister* frequency = named(image, "sampleFreq");
  const std::optional<unsigned> counter =
      frequency == nullptr ? std::nullopt : counter_set_from(image, *frequency);
  if (!counter) {
    refuse(set,
           "decode.jitter: expected a production file whose counter starts from a register named "
           "sampleFreq, such as configs/profilers/hps/sampling.dise; got none");
    return;
  }
  const uint64_t half = uint64_t{1} << (bits - 1), counts = counted(frequency->value);
  if (half > counts || counts + half > kRange) {
    refuse(set, fmt::format("decode.jitter: expected a distance of {} to {} events, from which {} "
                            "bits can take {} and to which they can add as many, got {}",
                            half + 1, kRange - half + 1, bits, half, counts + 1));
    return;
  }
  if (!image.counter_starts.at(*counter)) image.counter_starts.at(*counter) = frequency->value;
  frequency->value -= half;
  const uint64_t state =
      1 + random_offset(config::derived_seed(seed, "decode.jitter"), profiling::kJitterStates);
  image.jitter = profiling::dise_jitter_word(frequency->number, bits, static_cast<unsigned>(state));
}

}  // namespace

void set_burst_sampling(const config::RunConfig& configuration, dise::Assembled& set) {
  const config::DecodeConfig& decode = configuration.decode;
  for (const auto& [key, events, expected] :
       {std::tuple("sparsity", decode.sparsity, "sampleFreq or sparsity"),
        std::tuple("burst", decode.burst, "burstLength or burst")}) {
    if (events == 0 || set_registers(set, decode, key)) continue;
    refuse(set, fmt::format("decode.{}: expected a production file with a register named {}, such "
                            "as configs/profilers/hps/sampling.dise; got none",
                            key, expected));
  }
  if (set.good() && decode.phase == config::Phase::kRandom) draw_phase(configuration.seed, set);
  if (set.good() && decode.jitter != 0) add_jitter(configuration.seed, decode.jitter, set);
}

}  // namespace strobe::platform
