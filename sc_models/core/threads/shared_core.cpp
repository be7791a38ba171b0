#include "sc_models/core/threads/shared_core.h"

#include <algorithm>

#include "sc_models/core/back_end/load_store_unit.h"

namespace strobe::core {

SharedCore::SharedCore(const CoreParams& core)
    : params(core),
      resources(params),
      predictor(params.predictor, params.fetch_buffer + params.rob),
      rename(params.decode_width),
      commit(params.commit_width),
      store_port(1) {}

CoreParams SharedCore::hart_params() const {
  CoreParams hart = params;
  hart.threads = 1;
  if (params.smt.buffers == Buffers::kShared) return hart;
  for (unsigned CoreParams::*size :
       {&CoreParams::rob, &CoreParams::load_queue, &CoreParams::store_queue}) {
    hart.*size /= kHarts;
  }
  return hart;
}

void SharedCore::reach(uint64_t to) {
  cycle = to;
  for (unsigned hart = 0; hart < kHarts; ++hart) {
    harts[hart].now = std::max(harts[hart].now, to);
    stations.at(hart, to);
    if (params.smt.buffers == Buffers::kHalves) continue;
    for (Occupancy* structure : {&rob, &load_queue, &store_queue}) structure->at(hart, to);
  }
  resources.slots.advance(std::min(harts[0].now, harts[1].now));
}

uint64_t CoreShare::wrong_path_slot(uint64_t from) {
  uint64_t cycle = next_fetch_slot(from);
  if (cycle >= other().next_fetch && !other().low_priority && cycle != last_fetch_) {
    if (mine().low_priority) return kNever;
    if (cycle == last_fetch_ + 1) cycle = next_fetch_slot(cycle + 1);
  }
  return take_fetch(cycle);
}

// The stores of both harts that can be written by then have left.
bool CoreShare::store_queue_full(uint64_t cycle) {
  if (!shared()) return false;
  for (SharedCore::HartView& hart : core_.harts) hart.lsu->write_stores(cycle);
  return core_.store_queue.at(hart_, cycle) >= params_.store_queue;
}

uint64_t CoreShare::rename_wrong_path(uint64_t from, uint64_t until) {
  uint64_t cycle = rename_slot(from);
  while (cycle < until && rob_full(cycle)) cycle = rename_slot(cycle + 1);
  if (cycle >= until) return cycle;
  core_.rename.take(cycle);
  if (shared()) {
    core_.rob.enter(cycle);
    core_.rob.leave(until);
  }
  return cycle;
}

void CoreShare::placed_in_shared(const Operation& op, const Placing& at, uint64_t commit_at) {
  core_.rob.enter(at.renamed);
  core_.rob.leave(commit_at);
  if (op.memory == Memory::kStore) {
    core_.store_queue.enter(at.renamed);
  } else if (op.memory != Memory::kNone) {
    core_.load_queue.enter(at.renamed);
    core_.load_queue.leave(commit_at);
  }
}

}  // namespace strobe::core
