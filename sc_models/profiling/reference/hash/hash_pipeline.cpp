#include "sc_models/profiling/reference/hash/hash_pipeline.h"

namespace strobe::profiling {

TupleGroup HashPipeline::out() const {
  TupleGroup group;
  group.count = stages_[1].count;
  for (unsigned k = 0; k < group.count; ++k) group.tuple[k] = &stages_[1].tuple[k];
  return group;
}

void HashPipeline::advance(const TupleGroup& group, bool out_ready) {
  if (!ready(out_ready)) return;
  stages_[1] = stages_[0];
  stages_[0].count = group.count;
  for (unsigned k = 0; k < group.count; ++k) stages_[0].tuple[k] = *group.tuple[k];
}

}  // namespace strobe::profiling
