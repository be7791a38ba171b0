#include "sc_models/machine/guest/observer_image.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <string>

#include "sc_models/port/address_map.h"
#include "sc_models/port/hpm_event.h"
#include "sw/files/guest_files.h"
#include "sw/profile/rates/rate_samples.h"

namespace strobe::platform {
namespace {

uint64_t number_of(const std::string& counter) {
  const auto* const name = std::find(std::begin(kHpmEventNames), std::end(kHpmEventNames), counter);
  return static_cast<uint64_t>(hpm_event(static_cast<uint32_t>(name - kHpmEventNames)));
}

/// Whether an event counts what all harts do, so that a hart's own share of it is not known.
bool counts_for_all(uint64_t event) {
  return event >= static_cast<uint64_t>(HpmEvent::kL1iMisses) &&
         event <= static_cast<uint64_t>(HpmEvent::kDramRequests);
}

/// Empty: it is a word.
std::string fault_of(const std::string& signal, const isa::ElfFile& program) {
  const isa::ElfSymbol* const symbol = program.symbol(signal);
  if (symbol == nullptr) {
    return fmt::format("the program has no symbol {}", text::in_quotes(signal));
  }
  const bool word = (symbol->size == 4 || symbol->size == 8) && !symbol->function;
  if (word && symbol->address % symbol->size == 0) return "";
  return fmt::format(
      "expected a variable of 4 or 8 bytes, aligned to its size, got {} of {} bytes "
      "at {:#x}",
      text::in_quotes(signal), symbol->size, symbol->address);
}

}  // namespace

text::Diagnostics check_signals(const config::ShimConfig& shim, const isa::ElfFile& program) {
  text::Diagnostics faults;
  for (size_t i = 0; i < shim.signals.size(); ++i) {
    const std::string fault = fault_of(shim.signals[i], program);
    if (fault.empty()) continue;
    text::Diagnostic diagnostic;
    if (i < shim.signal_places.size()) diagnostic = shim.signal_places[i];
    diagnostic.message = fault;
    faults.push_back(diagnostic);
  }
  return faults;
}

ObserverImage::ObserverImage(isa::GuestMemory& memory, const config::RunConfig& configuration,
                             const isa::ElfFile& program)
    : memory_(memory),
      elf_(isa::ElfFile::open(files::guest_file("observer.elf"), STROBE_DEVICE_BASE)) {
  elf_.load(memory, /*firmware=*/true);
  block_ = symbol(STROBE_OBSERVER_BLOCK_SYMBOL);
  buffer_ = symbol(STROBE_OBSERVER_BUFFER_SYMBOL);
  const text::Diagnostics faults = check_signals(configuration.shim, program);
  if (!faults.empty()) throw std::runtime_error(text::to_text(faults));
  fill(configuration, program);
}

void ObserverImage::fill(const config::RunConfig& configuration, const isa::ElfFile& program) {
  const config::ShimConfig& shim = configuration.shim;
  const auto block = std::make_unique<strobe_observer_block_t>();
  block->magic = STROBE_OBSERVER_MAGIC;
  block->window = configuration.remote_counters ? STROBE_COUNTERS_BASE : 0;  // of hart 0
  own_counters_ = !configuration.remote_counters;
  block->own = own_counters_ ? 1 : 0;
  const size_t each = own_counters_ ? 2 : 1;
  block->counters = each * shim.counters.size();
  for (size_t i = 0; i < shim.counters.size(); ++i) {
    const uint64_t event = number_of(shim.counters[i]);
    block->event[each * i] = own_counters_ ? event | kAllHarts : event;
    if (own_counters_) block->event[each * i + 1] = counts_for_all(event) ? 0 : event;
  }
  block->signals = shim.signals.size();
  for (size_t i = 0; i < shim.signals.size(); ++i) {
    const isa::ElfSymbol& symbol = *program.symbol(shim.signals[i]);
    block->signal[i] = symbol.address;
    block->wide |= uint64_t{symbol.size == 8} << i;
    if (i == 0) {
      tag_address_ = symbol.address;
      tag_bytes_ = static_cast<unsigned>(symbol.size);
    }
  }
  block->period = shim.period;
  block->dte = profile::dte_units(shim.dte);
  block->highest = configuration.core.commit_width;
  block->buffered = shim.analysis == config::ObserverAnalysis::kBuffer ? 1 : 0;
  memory_.write(block_, block.get(), sizeof *block);
}

uint64_t ObserverImage::symbol(const char* name) const {
  const isa::ElfSymbol* const symbol = elf_.symbol(name);
  if (symbol != nullptr) return symbol->address;
  throw std::runtime_error(fmt::format(
      "observer.elf: no symbol '{}'; the observer is of another version: rebuild it", name));
}

std::unique_ptr<strobe_observer_block_t> ObserverImage::block() const {
  auto block = std::make_unique<strobe_observer_block_t>();
  if (memory_.read(block_, block.get(), sizeof *block) && block->magic == STROBE_OBSERVER_MAGIC) {
    return block;
  }
  throw std::runtime_error(fmt::format(
      "the observer's block at {:#x}: expected magic {:#x}, got {:#x}: guest memory was "
      "overwritten",
      block_, static_cast<uint64_t>(STROBE_OBSERVER_MAGIC), block->magic));
}

strobe_observer_sample_t ObserverImage::sample(uint64_t number) const {
  strobe_observer_sample_t sample = {};
  memory_.read(buffer_ + number % STROBE_OBSERVER_BUFFERED * sizeof sample, &sample, sizeof sample);
  return sample;
}

}  // namespace strobe::platform
