#include "sc_models/profiling/reference/tuple_register.h"

namespace strobe::profiling {

TupleRegister::Outputs TupleRegister::step(const Inputs& inputs) {
  Outputs out;
  out.ready = ready();
  const TupleGroup older = group();
  for (unsigned k = 0; k < older.count; ++k) {
    out.valid[k] = true;
    out.tuple[k] = *older.tuple[k];
  }
  TupleGroup offered;
  while (offered.count < kMaxRetireWidth && inputs.valid[offered.count]) {
    offered.tuple[offered.count] = &inputs.tuple[offered.count];
    ++offered.count;
  }
  if (inputs.clear) {
    clear();
  } else {
    advance(offered, inputs.ready);
  }
  return out;
}

void TupleRegister::advance(const TupleGroup& offered, bool compressor_ready) {
  const bool enters = ready() && offered.count != 0;
  if (compressor_ready && !empty()) {
    first_ = (first_ + 1) % kGroups;
    --groups_;
  }
  if (!enters) return;
  Group& place = held_[(first_ + groups_++) % kGroups];
  place.count = offered.count;
  for (unsigned k = 0; k < offered.count; ++k) place.tuple[k] = *offered.tuple[k];
}

}  // namespace strobe::profiling
