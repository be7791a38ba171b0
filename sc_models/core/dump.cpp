// The state dump of the pipeline: what a person needs to see when nothing moves any more.
#include <fmt/format.h>

#include <algorithm>

#include "sc_models/core/pipeline.h"

namespace strobe::core {

std::string Pipeline::dump_state() const {
  std::string text = fmt::format(
      "cycle {}: {}; last commit at cycle {}\n"
      "fetch: next pc {:#x}{}\n",
      cycle_, stop_name(stop_), last_progress_, fetch_pc_,
      fetch_cycle_ >= kNever ? ", never" : fmt::format(" from cycle {}", fetch_cycle_));
  text += fmt::format("decode: the hart is at pc {:#x}, {} fetched instructions wait{}{}{}{}\n",
                      hart_.state().pc, piece_.count - piece_.done,
                      serial_until_ > cycle_ ? ", a serializing instruction is in flight" : "",
                      waiting_for_interrupt_ ? ", waits for an interrupt (wfi)" : "",
                      hart_stopped_ ? ", stopped" : "",
                      hart_.interrupt_pending() ? ", an interrupt is pending" : "");
  text += fmt::format("rob: {} of {} used; stations: {} of {}\n", placed_ - head_, params_.rob,
                      slots_.waiting(), params_.reservation_stations);
  static constexpr uint64_t kShown = 8;
  for (uint64_t i = head_; i < placed_ && i < head_ + kShown; ++i) {
    const RetireRecord& done = records_[i & mask_];
    const uint64_t commit_at = committed_at_[i & mask_];
    text += fmt::format(
        "  {}{:#x}: insn {:08x}, {}, {}\n", i == head_ ? "head " : "     ", done.pc_rdata,
        done.insn, (done.mem_rmask | done.mem_wmask) != 0 ? "memory" : "executes",
        commit_at >= kNever ? "never commits" : fmt::format("commits at cycle {}", commit_at));
  }
  text += fmt::format("stores: {} not yet written, of {} places\n", stores_tail_ - stores_written_,
                      params_.store_queue);
  if (stores_written_ < stores_tail_) {
    const Store& oldest = stores_[stores_written_ & stores_mask_];
    text += fmt::format("  oldest: {} bytes at {:#x}\n", oldest.size, oldest.address);
  }
  return text;
}

}  // namespace strobe::core
