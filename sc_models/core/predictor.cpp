#include "sc_models/core/predictor.h"

#include <fmt/format.h>

#include <stdexcept>

namespace strobe::core {
namespace {

bool is_call(OpClass c) { return c == OpClass::kCall || c == OpClass::kCallIndirect; }
bool is_direct(OpClass c) {
  return c == OpClass::kBranch || c == OpClass::kJump || c == OpClass::kCall;
}

}  // namespace

PredictorKind predictor_kind(const std::string& name) {
  if (name == "perfect") return PredictorKind::kPerfect;
  if (name == "static") return PredictorKind::kStatic;
  if (name == "bimodal") return PredictorKind::kBimodal;
  if (name == "gshare") return PredictorKind::kGshare;
  throw std::invalid_argument("predictor.kind: expected perfect, static, bimodal or gshare, got '" +
                              name + "'");
}

Predictor::Predictor(const PredictorParams& params)
    : kind_(predictor_kind(params.kind)), btb_ways_(params.btb_ways) {
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
  btb_.resize(params.btb_entries);
  table_mask_ = (uint64_t{1} << params.table_bits) - 1;
  counters_.assign(table_mask_ + 1, 2);  // weakly taken
  if (kind_ == PredictorKind::kGshare) history_mask_ = (uint64_t{1} << params.history_bits) - 1;
  ras_.assign(params.ras_entries, 0);
}

bool Predictor::direction(const isa::DecodedInsn& insn, uint64_t pc, uint32_t& index) const {
  if (kind_ == PredictorKind::kStatic) return insn.imm < 0;  // backward taken, forward not
  // bimodal is gshare without history (its mask is 0)
  index = static_cast<uint32_t>((pc >> 1 ^ (history_ & history_mask_)) & table_mask_);
  return counters_[index] >= 2;
}

const Predictor::Target* Predictor::find_target(uint64_t pc) {
  Target* set = &btb_[(pc >> 1 & btb_mask_) * btb_ways_];
  for (unsigned way = 0; way < btb_ways_; ++way) {
    if (set[way].pc != pc) continue;
    const Target hit = set[way];
    for (; way > 0; --way) set[way] = set[way - 1];
    set[0] = hit;
    return &set[0];
  }
  return nullptr;
}

void Predictor::note(OpClass opclass, uint64_t fall_through, bool taken) {
  if (opclass == OpClass::kBranch) {
    history_ = history_ << 1 | uint64_t{taken};
  } else if (is_call(opclass)) {
    ras_top_ = ras_top_ + 1 == ras_.size() ? 0 : ras_top_ + 1;
    ras_[ras_top_] = fall_through;
  } else if (opclass == OpClass::kReturn) {
    ras_top_ = ras_top_ == 0 ? static_cast<uint32_t>(ras_.size() - 1) : ras_top_ - 1;
  }
}

Prediction Predictor::predict(const isa::DecodedInsn& insn, uint64_t pc) {
  const uint64_t fall_through = pc + insn.length;
  Prediction result;
  result.taken = insn.opclass != OpClass::kBranch || direction(insn, pc, result.index);
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
  note(insn.opclass, fall_through, result.taken);
  return result;
}

void Predictor::restore(const Checkpoint& state) {
  history_ = state.history;
  ras_top_ = state.ras_top;
  ras_[ras_top_] = state.ras_value;
}

void Predictor::resolve(const Checkpoint& before, OpClass opclass, uint64_t fall_through,
                        bool taken) {
  restore(before);
  note(opclass, fall_through, taken);
}

void Predictor::train(OpClass opclass, uint64_t pc, uint32_t index, bool taken, uint64_t target) {
  if (opclass == OpClass::kBranch && kind_ != PredictorKind::kStatic) {
    uint8_t& counter = counters_[index];
    if (taken && counter < 3) ++counter;
    if (!taken && counter > 0) --counter;
  }
  if (!taken || opclass == OpClass::kReturn) return;
  if (find_target(pc) != nullptr) {
    btb_[(pc >> 1 & btb_mask_) * btb_ways_].target = target;  // find_target moved it to way 0
    return;
  }
  Target* set = &btb_[(pc >> 1 & btb_mask_) * btb_ways_];
  for (unsigned way = btb_ways_ - 1; way > 0; --way) set[way] = set[way - 1];
  set[0] = {pc, target};
}

}  // namespace strobe::core
