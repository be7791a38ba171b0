// Selects tuples from the retire stream and gathers them into batches.
#pragma once

#include <vector>

#include "sc_models/platform/run.h"
#include "sc_models/platform/selection.h"
#include "sc_models/port/retire.h"
#include "sc_models/profiling/observers/selector_set.h"

namespace strobe::platform {

struct TupleTap {
  explicit TupleTap(const std::vector<config::SelectorConfig>& selectors)
      : selection(selector_slots(selectors)) {
    batch.reserve(TupleSink::kTupleBatch);
  }

  /// True when the batch is full with it: the caller takes the batch and clears it.
  template <class Record>
  bool select(const Record& record) {
    Tuple tuple;
    if (!selection.select(record, tuple)) return false;
    batch.push_back(tuple);
    return batch.size() == TupleSink::kTupleBatch;
  }

  profiling::SelectorSet selection;
  std::vector<Tuple> batch;
};

}  // namespace strobe::platform
