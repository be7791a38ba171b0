#include "sc_models/machine/profiler/production_set.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>

#include "sc_models/machine/profiler/active_profiler.h"
#include "sc_models/machine/profiler/burst_sampling.h"
#include "sc_models/machine/profiler/random_offset.h"
#include "sc_models/port/address_map.h"
#include "sc_models/port/branch_on_random.h"
#include "sc_models/profiling/device/lockstep_decode.h"
#include "sc_models/profiling/verilated/verilated_dise.h"
#include "sw/dise/assemble.h"
#include "sw/dise/replacement.h"
#include "sw/files/guest_files.h"
#include "sw/guest/include/strobe/handlers_abi.h"

namespace strobe::platform {
namespace {

constexpr uint64_t kRandomStates = uint64_t{1} << 20;  // of branch-on-random, 0 counted as another
constexpr uint32_t kHandlerStack = 7;  // the dise register that holds the handlers' stack pointer

text::Diagnostic fault_at(const dise::Place& place, std::string message) {
  text::Diagnostic fault;
  fault.file = place.file;
  fault.line = place.line;
  fault.column = place.column;
  fault.message = std::move(message);
  return fault;
}

dise::Assembled assembled(const config::RunConfig& configuration, const isa::ElfFile& firmware) {
  dise::Assembled set = dise::assemble_files(configuration.decode.productions, dise::Limits());
  set_burst_sampling(configuration, set);
  for (const dise::HandlerUse& use : set.image.handlers) {
    const isa::ElfSymbol* handler = firmware.symbol(use.symbol);
    if (handler == nullptr) {
      set.faults.push_back(
          fault_at(use.place, fmt::format("handler {}: expected a function of the firmware "
                                          "(sw/guest/handlers), got an unknown name",
                                          use.symbol)));
      continue;
    }
    uint64_t& word = set.image.replacements.at(use.entry);
    word = (word & ~uint64_t{0xffffffff}) | static_cast<uint32_t>(handler->address);
  }
  return set;
}

isa::ElfFile open_firmware() {
  return isa::ElfFile::open(files::guest_file("firmware.elf"), STROBE_DEVICE_BASE);
}

bool draws_at_random(const dise::Image& image) {
  return std::any_of(image.replacements.begin(), image.replacements.end(), [](uint64_t word) {
    return dise::draws_at_random(dise::ReplacementEntry::decode(word));
  });
}

std::set<std::string> handler_names(const dise::Image& image) {
  std::set<std::string> names;
  for (const dise::HandlerUse& use : image.handlers) names.insert(use.symbol);
  return names;
}

// Handlers and the active profiler write into one table of tuples.
void expect_other_tags(const config::ProfilerConfig& active, const std::string& source,
                       dise::Assembled& set) {
  static constexpr std::pair<const char*, unsigned> kTags[] = {
      {STROBE_CALL_PAIR_SYMBOL, STROBE_TAG_CALL_PAIR},
      {STROBE_HOT_METHOD_SYMBOL, STROBE_TAG_METHOD},
      {STROBE_SANDBOX_SYMBOL, STROBE_TAG_SANDBOX},
      {STROBE_WATCHPOINT_SYMBOL, STROBE_TAG_WATCHPOINT}};
  const std::set<std::string> called = handler_names(set.image);
  for (const auto& [handler, tag] : kTags) {
    for (const config::SelectorConfig& selector : active.selectors) {
      if (called.count(handler) == 0 || selector.tag != tag) continue;
      set.faults.push_back(fault_at(
          {source, 0, 0},
          fmt::format("profilers: the active profiler {} selects with tag {}, which is that of "
                      "the handler {}: give the selector another tag",
                      text::in_quotes(active.name), tag, handler)));
    }
  }
}

// Mode sampled measures interrupts apart from the program; in machine mode it cannot tell their
// handlers from those that productions call.
void expect_one_kind_of_handler(const config::ProfilerConfig& active, const std::string& source,
                                dise::Assembled& set) {
  if (set.image.handlers.empty()) return;
  set.faults.push_back(fault_at(
      {source, 0, 0},
      fmt::format("profilers: mode sampled cannot tell the cycles of the interrupts of the active "
                  "profiler {} from those of the handler {}, which productions call: expected one "
                  "of the two, got both; set mode to timing",
                  text::in_quotes(active.name), set.image.handlers.front().symbol)));
}

}  // namespace

text::Diagnostics check_productions(const config::RunConfig& configuration) {
  if (!configuration.decode.given()) return {};
  dise::Assembled set = assembled(configuration, open_firmware());
  const config::ProfilerConfig* active = active_profiler(configuration);
  if (active != nullptr) expect_other_tags(*active, configuration.source, set);
  if (active != nullptr && configuration.mode == config::Mode::kSampled) {
    expect_one_kind_of_handler(*active, configuration.source, set);
  }
  return set.faults;
}

ProductionSet production_set(const config::RunConfig& configuration, const isa::ElfFile& firmware) {
  dise::Assembled assembly = assembled(configuration, firmware);
  if (!assembly.good()) throw std::runtime_error(text::to_text(assembly.faults));
  ProductionSet set;
  set.files = std::move(assembly.files);
  set.writes = dise::register_writes(assembly.image);
  if (const isa::ElfSymbol* stack = firmware.symbol(STROBE_HANDLER_STACK_SYMBOL)) {
    set.writes.emplace_back(kDiseReg + 8 * kHandlerStack, stack->address);
  }
  if (draws_at_random(assembly.image)) {
    set.writes.emplace_back(kDiseRandom, random_offset(configuration.seed, kRandomStates));
  }
  for (const dise::NamedRegister& named : assembly.image.registers) {
    set.registers[named.name] = named.number;
  }
  for (const std::string& name : handler_names(assembly.image)) {
    const isa::ElfSymbol* body = firmware.symbol(name + "_body");
    set.handlers.push_back(
        {name, firmware.symbol(name)->size + (body != nullptr ? body->size : 0)});
  }
  return set;
}

std::unique_ptr<DecodeEngine> make_decode_engine(const config::RunConfig& configuration,
                                                 const std::function<uint64_t()>& now) {
  profiling::DiseParams params;
  const unsigned width = configuration.core.decode_width;
  params.lanes = width <= 2 ? width : kMaxDecodeLanes;
  params.flags_after = configuration.decode.flags_after;
  params.jitter = configuration.decode.jitter != 0;
  profiling::DisePoint point;
  point.lanes = params.lanes;
  point.counters = params.counters;
  point.counter_width = params.counter_width;
  point.flag_timing = params.flags_after ? 1 : 0;
  point.jitter = params.jitter ? 1 : 0;
  switch (configuration.decode.fidelity) {
    case profiling::Fidelity::kModel:
      return std::make_unique<profiling::DiseEngine>(params);
    case profiling::Fidelity::kRtl:
      return profiling::make_verilated_dise(point);
    case profiling::Fidelity::kLockstep:
      break;
  }
  return std::make_unique<profiling::LockstepDecode>(
      profiling::make_verilated_dise(point), std::make_unique<profiling::DiseEngine>(params), now);
}

}  // namespace strobe::platform
