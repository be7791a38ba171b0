#include "sc_models/core/front_end/predictor.h"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

namespace strobe::core {
namespace {

bool is_call(OpClass c) { return c == OpClass::kCall || c == OpClass::kCallIndirect; }
bool is_direct(OpClass c) {
  return c == OpClass::kBranch || c == OpClass::kJump || c == OpClass::kCall;
}

}  // namespace

Predictor::Predictor(const PredictorParams& params, unsigned in_flight)
    : isolation_(params.isolation), btb_ways_(params.btb_ways) {
  const DirectionPredictorEntry& entry = find_direction_predictor(params.kind);
  const uint64_t sets = params.btb_ways == 0 ? 0 : params.btb_entries / params.btb_ways;
  if (sets == 0 || sets * params.btb_ways != params.btb_entries || (sets & (sets - 1)) != 0 ||
      params.table_bits == 0 || params.table_bits > 28 || params.history_bits > 63 ||
      params.ras_entries == 0) {
    throw std::invalid_argument(
        fmt::format("predictor: btb_entries / btb_ways must be a power of two, table_bits 1 to 28, "
                    "history_bits "
                    "up to 63, ras_entries at least 1; got {} / {}, {}, {}, {}",
                    params.btb_entries, params.btb_ways, params.table_bits, params.history_bits,
                    params.ras_entries));
  }
  btb_mask_ = sets - 1;
  targets_ = std::make_shared<std::vector<Target>>(params.btb_entries);
  btb_ = targets_->data();
  if (entry.make != nullptr) {
    direction_ = entry.make(params, in_flight);
    if (isolation_ == Isolation::kBanked) other_direction_ = direction_->sibling();
  }
  ras_.assign(params.ras_entries, 0);
}

Predictor Predictor::sibling() const {
  Predictor other;
  if (direction_ != nullptr) other.direction_ = direction_->sibling();
  if (other_direction_ != nullptr) other.other_direction_ = direction_->sibling();
  other.isolation_ = isolation_;
  other.btb_ways_ = btb_ways_;
  other.btb_mask_ = btb_mask_;
  other.targets_ = targets_;
  other.btb_ = btb_;
  other.ras_.assign(ras_.size(), 0);
  return other;
}

void Predictor::note_call(OpClass opclass, uint64_t fall_through) {
  if (is_call(opclass)) {
    ras_top_ = ras_top_ + 1 == ras_.size() ? 0 : ras_top_ + 1;
    ras_[ras_top_] = fall_through;
  } else if (opclass == OpClass::kReturn) {
    ras_top_ = ras_top_ == 0 ? static_cast<uint32_t>(ras_.size() - 1) : ras_top_ - 1;
  }
}

void Predictor::change_mode(bool machine) {
  machine_ = machine;
  if (isolation_ != Isolation::kBanked) return;
  direction_.swap(other_direction_);
  std::swap(history_, other_history_);
}

Prediction Predictor::predict(const isa::DecodedInsn& insn, uint64_t pc) {
  const uint64_t fall_through = pc + insn.length;
  Prediction result;
  const uint64_t before = history_;
  result.taken =
      insn.opclass != OpClass::kBranch || direction_->predict(insn, pc, history_, result.index);
  if (frozen(machine_)) set_history(before);
  result.next = fall_through;
  if (insn.opclass == OpClass::kReturn) {
    result.next = ras_[ras_top_];
  } else if (result.taken) {
    if (const Target* hit = find_target(pc)) {
      result.next = hit->target;
    } else {
      result.needs_target = is_direct(insn.opclass);
    }
  }
  note_call(insn.opclass, fall_through);
  return result;
}

void Predictor::set_history(uint64_t history) {
  history_ = history;
  if (direction_) direction_->restore(history);
}

void Predictor::restore(const Checkpoint& state) {
  set_history(state.history);
  ras_top_ = state.ras_top;
  ras_[ras_top_] = state.ras_value;
}

void Predictor::resolve(const Checkpoint& before, OpClass opclass, uint64_t fall_through,
                        bool taken) {
  restore(before);
  if (opclass == OpClass::kBranch && !frozen(machine_)) direction_->append(history_, taken);
  note_call(opclass, fall_through);
}

void Predictor::train(OpClass opclass, uint64_t pc, uint32_t index, bool taken, uint64_t target,
                      bool machine) {
  if (opclass == OpClass::kBranch && !frozen(machine)) {
    const bool other = isolation_ == Isolation::kBanked && machine != machine_;
    (other ? other_direction_ : direction_)->train(index, taken);
  }
  if (!taken || opclass == OpClass::kReturn) return;
  learn_target(pc, target);
}

void Predictor::learn_target(uint64_t pc, uint64_t target) {
  Target* set = &btb_[(pc >> 1 & btb_mask_) * btb_ways_];
  if (find_target(pc) != nullptr) {
    set[0].target = target;  // find_target moved it to way 0
    return;
  }
  for (unsigned way = btb_ways_ - 1; way > 0; --way) set[way] = set[way - 1];
  set[0] = {pc, target};
}

}  // namespace strobe::core
