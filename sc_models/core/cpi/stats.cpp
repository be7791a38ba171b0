#include "sc_models/core/cpi/stats.h"

#include "sc_models/port/opclass_names.h"

namespace strobe::core {
namespace {

constexpr const char* kCpiNames[kCpiClassCount] = {
    "base",   "dependency",      "fu",      "l1",          "l2",      "dram",        "branch",
    "ifetch", "interrupt_entry", "handler", "code_change", "syscall", "serializing", "expansion"};

}  // namespace

std::map<std::string, uint64_t> PipelineStats::named() const {
  std::map<std::string, uint64_t> all = {
      {"cycles", cycles},
      {"committed.user", user},
      {"committed.machine", machine},
      {"committed.injected", injected},
      {"expansions", expansions},
      {"traps", traps},
      {"interrupts", interrupts},
      {"switches", switches},
      {"branch.control", control},
      {"branch.mispredicted", mispredicted},
      {"branch.misfetched", misfetched},
      {"fetch.instructions", fetched},
      {"fetch.wrong_path", wrong_path_fetched},
      {"squashed", squashed},
      {"lsq.forwards", forwards},
      {"lsq.partial_overlaps", partial_overlaps},
      {"lsq.load_retries", load_retries},
      {"lsq.store_retries", store_retries},
      {"stall.fetch", stall.fetch},
      {"stall.rob_full", stall.rob_full},
      {"stall.stations_full", stall.stations_full},
      {"stall.load_queue_full", stall.load_queue_full},
      {"stall.store_queue_full", stall.store_queue_full},
      {"stall.serial", stall.serial},
      {"stall.idle", stall.idle},
  };
  for (unsigned i = 0; i < kOpClassCount; ++i) {
    all["class." + std::string(kOpClassNames[i])] = opclass[i];
  }
  for (unsigned i = 0; i < kCpiClassCount; ++i) all[std::string("cpi.") + kCpiNames[i]] = cpi[i];
  return all;
}

}  // namespace strobe::core
