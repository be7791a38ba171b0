// The state dump of the pipeline: what a person needs to see when nothing moves any more.
#include <fmt/format.h>

#include <algorithm>

#include "sc_models/core/pipeline.h"

namespace strobe::core {

std::string Pipeline::dump_state() const {
  std::string text = fmt::format(
      "cycle {}: {}; last commit at cycle {}\n"
      "fetch: next pc {:#x}{}\n",
      cycle_, stop_name(stop_), commit_.last_progress(), front_end_.pc(),
      front_end_.cycle() >= kNever ? ", never" : fmt::format(" from cycle {}", front_end_.cycle()));
  text += fmt::format("decode: the hart is at pc {:#x}, {} fetched instructions wait{}{}{}{}\n",
                      hart_.state().pc, group().left(),
                      serial_until_ > cycle_ ? ", a serializing instruction is in flight" : "",
                      waiting_for_interrupt_ ? ", waits for an interrupt (wfi)" : "",
                      commit_.decode().hart_stopped ? ", stopped" : "",
                      hart_.interrupt_pending() ? ", an interrupt is pending" : "");
  text += fmt::format("rob: {} of {} used; stations: {} of {}\n", rob_.in_flight(), params_.rob,
                      stations_taken(), params_.reservation_stations);
  static constexpr uint64_t kShown = 8;
  const uint64_t head = rob_.head();
  for (uint64_t i = head; i < rob_.placed() && i < head + kShown; ++i) {
    const RetireRecord& done = rob_.record(i);
    const uint64_t commit_at = rob_.committed_at(i);
    text += fmt::format(
        "  {}{:#x}: insn {:08x}, {}, {}\n", i == head ? "head " : "     ", done.pc_rdata, done.insn,
        (done.mem_rmask | done.mem_wmask) != 0 ? "memory" : "executes",
        commit_at >= kNever ? "never commits" : fmt::format("commits at cycle {}", commit_at));
  }
  text += fmt::format("stores: {} not yet written, of {} places\n", placement_.lsu().unwritten(),
                      params_.store_queue);
  if (placement_.lsu().unwritten() != 0) {
    const LoadStoreUnit::Store& oldest = placement_.lsu().oldest_unwritten();
    text += fmt::format("  oldest: {} bytes at {:#x}\n", oldest.size, oldest.address);
  }
  return text;
}

}  // namespace strobe::core
