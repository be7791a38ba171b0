#include "sc_models/profiling/reference/tuple_register.h"

namespace strobe::profiling {

TupleRegister::Outputs TupleRegister::step(const Inputs& inputs) {
  Outputs out;
  out.ready = ready(inputs.ready);
  for (unsigned k = 0; k < count_; ++k) {
    out.valid[k] = true;
    out.tuple[k] = held_[k];
  }
  TupleGroup offered;
  while (offered.count < kMaxRetireWidth && inputs.valid[offered.count]) {
    offered.tuple[offered.count] = &inputs.tuple[offered.count];
    ++offered.count;
  }
  if (inputs.clear) {
    clear();
  } else if (out.ready) {
    take(offered);
  }
  return out;
}

void TupleRegister::take(const TupleGroup& offered) {
  count_ = offered.count;
  for (unsigned k = 0; k < count_; ++k) held_[k] = *offered.tuple[k];
}

}  // namespace strobe::profiling
