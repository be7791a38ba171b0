#include "sc_models/machine/system/system.h"

#include <algorithm>

namespace strobe::platform {

System::System(const SystemParams& params, const Clock& clock, isa::GuestMemory& memory,
               const std::vector<core::CoreDelegate*>& delegates)
    : l2_("l2", params.core.memory.l2, clock),
      bus_("bus", 1, {{0, memory::Dram::kSize}}, params.core.memory.bus_latency, clock),
      dram_("dram", memory, params.core.memory.dram_latency_at(params.core.frequency_ghz),
            params.core.memory.dram_interval_at(params.core.frequency_ghz), clock) {
  add_cores(params, clock, memory, delegates);
  if (cores() > 1) {
    directory_ = std::make_unique<memory::Directory>(
        "directory", 2 * cores(), params.core.memory.l1d.line, params.coherence, clock);
    for (unsigned i = 0; i < cores(); ++i) {
      directory_->attach(complex(i).l1i, memory::Cache::Holds::kInstructions);
      directory_->attach(complex(i).l1d, memory::Cache::Holds::kData);
    }
    directory_->initiator_socket.bind(l2_.target_socket);
  } else {
    complex(0).l1i.initiator_socket.bind(l2_.target_socket);
    complex(0).l1d.initiator_socket.bind(l2_.target_socket);
    complex(0).l1i.set_warm_below(l2_);
    complex(0).l1d.set_warm_below(l2_);
  }
  l2_.initiator_socket.bind(bus_.target_sockets[0]);
  bus_.initiator_sockets[0].bind(dram_.target_socket);
}

void System::add_cores(const SystemParams& params, const Clock& clock, isa::GuestMemory& memory,
                       const std::vector<core::CoreDelegate*>& delegates) {
  const bool several = delegates.size() > params.core.threads;
  for (size_t first = 0; first < delegates.size();) {
    const size_t number = complexes_.size();
    const bool other = number > 0 && number <= params.others.size();
    const core::CoreParams& core = other ? params.others[number - 1] : params.core;
    const size_t end = std::min<size_t>(first + core.threads, delegates.size());
    complexes_.push_back(std::make_unique<CoreComplex>(
        several ? std::to_string(number) : "", core, clock, memory,
        std::vector<core::CoreDelegate*>(delegates.data() + first, delegates.data() + end),
        params.in_step ? 1
        : several      ? params.quantum
                       : core::Core::kQuantum));
    CoreComplex& complex = *complexes_.back();
    complex.set_memory_events(
        [this, &complex](HpmEvent event) { return memory_events(complex, event); });
    if (delegates.size() > 1) complex.core.share_memory(first);
    first = end;
  }
}

std::vector<core::HardwareThread*> System::harts() {
  std::vector<core::HardwareThread*> all;
  for (const auto& complex : complexes_) {
    for (unsigned i = 0; i < complex->core.threads(); ++i) all.push_back(&complex->core.thread(i));
  }
  return all;
}

uint64_t System::memory_events(const CoreComplex& complex, HpmEvent event) const {
  switch (event) {
    case HpmEvent::kL1iMisses:
      return complex.l1i.misses();
    case HpmEvent::kL1dMisses:
      return complex.l1d.misses();
    case HpmEvent::kL2Misses:
      return l2_.misses();
    case HpmEvent::kDramRequests:
      return dram_.requests();
    default:
      return 0;
  }
}

void System::add_to(Statistics& statistics) {
  for (const auto& complex : complexes_) complex->add_to(statistics);
  if (directory_ != nullptr) statistics.add("directory", *directory_);
  statistics.add("l2", l2_);
  statistics.add("bus", bus_);
  statistics.add("dram", dram_);
}

std::string System::dump_cores() const {
  if (complexes_.size() == 1) return complexes_[0]->core.dump_state();
  std::string text;
  for (const auto& complex : complexes_) {
    text += std::string(complex->core.name()) + ": " + complex->core.dump_state();
  }
  return text;
}

std::string System::dump_memory() const {
  const uint64_t now = complexes_[0]->core.cycle_count();
  std::string text;
  for (const auto& complex : complexes_) {
    text += complex->l1i.dump_state(now) + complex->l1d.dump_state(now);
  }
  if (directory_ != nullptr) text += directory_->dump_state();
  return text + l2_.dump_state(now) + bus_.dump_state(now) + dram_.dump_state(now);
}

}  // namespace strobe::platform
