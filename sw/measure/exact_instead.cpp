#include "sw/measure/exact_instead.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <exception>

#include "sc_models/run/run.h"
#include "sc_models/run/sampled_region.h"
#include "sw/confine/confine.h"
#include "sw/measure/confinement.h"
#include "sw/process/child_process.h"

namespace strobe {
namespace {

/// A number that a child process leaves.
class SharedNumber {
 public:
  SharedNumber()
      : at_(mmap(nullptr, sizeof(uint64_t), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
                 0)) {
    if (at_ == MAP_FAILED) throw std::bad_alloc();
  }
  ~SharedNumber() { munmap(at_, sizeof(uint64_t)); }
  SharedNumber(const SharedNumber&) = delete;
  SharedNumber& operator=(const SharedNumber&) = delete;
  uint64_t& value() { return *static_cast<uint64_t*>(at_); }

 private:
  void* at_;
};

/// The same region without anything that watches it or costs it cycles, and at most so long.
config::RunConfig counting(const config::RunConfig& configuration, uint64_t most) {
  config::RunConfig plain;
  plain.source = configuration.source;
  plain.core = configuration.core;
  plain.workload = configuration.workload;
  plain.workload.roi_run = most;
  plain.seed = configuration.seed;
  plain.max_instructions = configuration.max_instructions;
  plain.limits = configuration.limits;
  plain.mode = config::Mode::kFunctional;
  return plain;
}

/// The instructions of the region, as far as `most`; 0: it did not come to its end.
uint64_t instructions_of(const config::RunConfig& configuration,
                         const std::shared_ptr<const isa::ElfFile>& program, uint64_t most,
                         bool confined) {
  SharedNumber count;
  in_child("counting the instructions of the region", [&] {
    platform::RunHooks hooks;
    hooks.program = program;
    if (confined) hooks.elaborated = [&] { confine::confine(sandbox_grants(configuration)); };
    try {
      const platform::RunOutcome outcome =
          platform::run(counting(configuration, most), /*profiled=*/false, hooks);
      const bool whole =
          outcome.end == platform::RunEnd::kExited || outcome.end == platform::RunEnd::kRegionDone;
      if (whole) count.value() = outcome.instructions;
    } catch (const std::exception&) {  // the run itself says what is wrong
    }
  });
  return count.value();
}

}  // namespace

std::string why_exact_instead(const config::RunConfig& configuration,
                              const std::shared_ptr<const isa::ElfFile>& program, bool confined) {
  if (configuration.mode != config::Mode::kSampled) return "";
  const uint64_t least = platform::shortest_sampled_region(configuration);
  uint64_t length = configuration.workload.roi_run;
  if (length == 0 || length >= least) {
    if (!configuration.workload.write.empty()) return "";
    length = instructions_of(configuration, program, least, confined);
  }
  if (length <= configuration.sampling.start || length >= least) return "";
  return fmt::format(
      "the region has {} instructions, and mode sampled needs {} of them for {} units: it is "
      "simulated whole, as in mode timing, and its figures are exact",
      length, least, profile::kLeastUnits);
}

}  // namespace strobe
