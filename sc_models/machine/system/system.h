// The cores of a platform and the memory they share.
//
//     core ─ l1i ┐                      core0 ─ l1i0 ┐
//            l1d ┴ l2 ─ bus ─ dram              l1d0 ┤
//                                       core1 ─ l1i1 ├ directory ─ l2 ─ bus ─ dram
//                                               l1d1 ┤
//                                       masters ─────┘
//
// Several cores have a directory between their caches and the second level, and masters beside
// them: a DMA engine binds to directory().master_socket. Device sockets are the caller's to bind.
//
// A core has one hart or two (CoreParams::threads); two of them share its caches. The second hart
// of a core is off until its restart() (core.h), and then runs whenever the first one does:
//
//   System system(params, clock, memory, {&program, &observer});   // params.core.threads == 2
//   core::HardwareThread& observer = system.core(0).thread(1);
//   observer.set_retire_sink(...);  observer.hart().state().pc = ...;
//   system.core(0).restart();  system.core(0).restart(1);
//   system.core(0).run_until(limits);                              // of the first hart
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sc_models/machine/system/core_complex.h"
#include "sc_models/memory/directory.h"
#include "sc_models/memory/dram.h"
#include "sc_models/memory/interconnect.h"

namespace strobe::platform {

struct SystemParams {
  core::CoreParams core;                      // the first core, and the shared memory
  std::vector<core::CoreParams> others = {};  // the other cores; missing ones are as the first
  memory::CoherenceParams coherence = {};
  uint64_t quantum = 10;  // cycles a core runs ahead of the others, where there are several
  bool in_step = false;   // no hart runs ahead of another: each sees the other's present cycle
};

class System {
 public:
  /// The first core and as many others as the delegates have harts. There is one delegate for each
  /// hart, core by core; the hart of delegate i has mhartid i. Throws std::invalid_argument when
  /// the last core has fewer delegates than harts.
  System(const SystemParams& params, const Clock& clock, isa::GuestMemory& memory,
         const std::vector<core::CoreDelegate*>& delegates);

  unsigned cores() const { return static_cast<unsigned>(complexes_.size()); }
  CoreComplex& complex(unsigned i) { return *complexes_[i]; }
  core::Core& core(unsigned i) { return complexes_[i]->core; }
  /// In the order of mhartid.
  std::vector<core::HardwareThread*> harts();
  /// Only where there are several cores.
  memory::Directory& directory() { return *directory_; }

  void add_to(Statistics& statistics);

  /// Why the cores make no progress.
  std::string dump_cores() const;
  /// What the memory system holds in flight at the cycle of the first core.
  std::string dump_memory() const;

 private:
  void add_cores(const SystemParams& params, const Clock& clock, isa::GuestMemory& memory,
                 const std::vector<core::CoreDelegate*>& delegates);
  uint64_t memory_events(const CoreComplex& complex, HpmEvent event) const;

  std::vector<std::unique_ptr<CoreComplex>> complexes_;
  std::unique_ptr<memory::Directory> directory_;
  memory::Cache l2_;
  memory::Interconnect bus_;
  memory::Dram dram_;
};

}  // namespace strobe::platform
