// The state dump of the pipeline: what a person needs to see when nothing moves any more.
#include <fmt/format.h>

#include "sc_models/core/pipeline.h"

namespace strobe::core {

std::string Pipeline::dump_state() const {
  std::string text = fmt::format(
      "cycle {}: {}; last commit at cycle {}\n"
      "fetch: next pc {:#x} from cycle {}{}, {} of {} in the fetch buffer, {} of them decoded{}\n",
      cycle_, stop_name(stop_), last_progress_, fetch_pc_, fetch_at_,
      fetch_blocked_ ? " (blocked: no executable page there)" : "", front_tail_ - front_head_,
      params_.fetch_buffer, front_decoded_ - front_head_,
      wrong_from_ == kNever
          ? ""
          : fmt::format(", on the wrong path behind the branch at {:#x}", wrong_branch_.pc));
  text += fmt::format("decode: the hart is at pc {:#x}{}{}{}{}\n", hart_.state().pc,
                      serial_in_flight_ ? ", a serializing instruction is in flight" : "",
                      waiting_for_interrupt_ ? ", waits for an interrupt (wfi)" : "",
                      hart_stopped_ ? ", stopped" : "",
                      hart_.interrupt_pending() ? ", an interrupt is pending" : "");
  text += fmt::format("rob: {} of {} used, {} by the wrong path; stations: {} of {}\n",
                      rob_tail_ - rob_head_ + wrong_in_rob_, params_.rob, wrong_in_rob_,
                      stations_used_, params_.reservation_stations);
  static constexpr const char* kStates[] = {"waiting", "executing", "address", "memory"};
  static constexpr uint64_t kShown = 8;
  for (uint64_t i = rob_head_; i < rob_tail_ && i < rob_head_ + kShown; ++i) {
    const RobEntry& entry = rob_[i & rob_mask_];
    text += fmt::format(
        "  {}{:#x}: insn {:08x}, {}, {} sources unknown, {}\n", i == rob_head_ ? "head " : "     ",
        record(i).pc_rdata, record(i).insn, kStates[static_cast<unsigned>(entry.state)],
        entry.pending,
        entry.done_at == kNever ? "no result yet" : fmt::format("done at cycle {}", entry.done_at));
  }
  text += fmt::format(
      "loads: {} of {} used, {} turned away by the cache\n"
      "stores: {} of {} used, {} committed and not yet written\n",
      loads_used_, params_.load_queue, retries_.size(), stores_tail_ - stores_head_,
      params_.store_queue, stores_committed_ - stores_head_);
  if (stores_head_ < stores_tail_) {
    const StoreEntry& store = stores_[stores_head_ & stores_mask_];
    text += fmt::format("  oldest: {} bytes at {:#x}\n", store.size, store.address);
  }
  return text;
}

}  // namespace strobe::core
