#include "sc_models/platform/production_set.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "sc_models/port/address_map.h"
#include "sw/config/guest_files.h"
#include "sw/dise/assemble.h"
#include "sw/guest/include/strobe/handlers_abi.h"

namespace strobe::platform {
namespace {

// The registers of configs/profilers/hps/sampling.dise.
constexpr const char* kSparsity = "sampleFreq";
constexpr const char* kBurst = "burstLength";
constexpr uint32_t kHandlerStack = 7;  // the dise register that holds the handlers' stack pointer

config::Diagnostic fault_at(const dise::Place& place, std::string message) {
  config::Diagnostic fault;
  fault.file = place.file;
  fault.line = place.line;
  fault.column = place.column;
  fault.message = std::move(message);
  return fault;
}

// A counter overflows `events` increments after it was set.
void set_events(dise::Assembled& set, const char* name, const char* key, uint64_t events) {
  if (events == 0) return;
  auto& registers = set.image.registers;
  const auto found =
      std::find_if(registers.begin(), registers.end(),
                   [name](const dise::NamedRegister& reg) { return reg.name == name; });
  if (found == registers.end()) {
    set.faults.push_back(fault_at(
        {}, fmt::format("decode.{}: expected a production file with a register named {}, such as "
                        "configs/profilers/hps/sampling.dise; got none",
                        key, name)));
    return;
  }
  found->value = (uint64_t{1} << profiling::DiseParams().counter_width) - events;
}

dise::Assembled assembled(const config::DecodeConfig& decode, const isa::ElfFile& firmware) {
  dise::Assembled set = dise::assemble_files(decode.productions, dise::Limits());
  set_events(set, kSparsity, "sparsity", decode.sparsity);
  set_events(set, kBurst, "burst", decode.burst);
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
  return isa::ElfFile::open(config::guest_file("firmware.elf"), STROBE_DEVICE_BASE);
}

}  // namespace

config::Diagnostics check_productions(const config::DecodeConfig& decode) {
  if (!decode.given()) return {};
  return assembled(decode, open_firmware()).faults;
}

std::vector<dise::RegisterWrite> production_writes(const config::DecodeConfig& decode,
                                                   const isa::ElfFile& firmware) {
  const dise::Assembled set = assembled(decode, firmware);
  if (!set.good()) throw std::runtime_error(config::to_text(set.faults));
  std::vector<dise::RegisterWrite> writes = dise::register_writes(set.image);
  if (const isa::ElfSymbol* stack = firmware.symbol(STROBE_HANDLER_STACK_SYMBOL)) {
    writes.emplace_back(kDiseReg + 8 * kHandlerStack, stack->address);
  }
  return writes;
}

std::unique_ptr<DecodeEngine> make_decode_engine(const config::RunConfig& configuration) {
  profiling::DiseParams params;
  params.lanes = std::min(configuration.core.decode_width, kMaxDecodeLanes);
  params.flags_after = configuration.decode.flags_after;
  return std::make_unique<profiling::DiseEngine>(params);
}

}  // namespace strobe::platform
