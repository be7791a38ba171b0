// Selects tuples from the retire stream and gathers them into batches.
#pragma once

#include <vector>

#include "sc_models/machine/outcome/run_hooks.h"
#include "sc_models/machine/profiler/selection.h"
#include "sc_models/port/retire.h"
#include "sc_models/profiling/observers/selector_set.h"

namespace strobe::platform {

struct TupleTap {
  explicit TupleTap(const std::vector<config::SelectorConfig>& selectors)
      : selection(selector_slots(selectors)), batch(TupleSink::kTupleBatch) {}

  /// True when the batch is full with it: the caller takes its first `size` tuples and zeroes that.
  /// A tuple is made in its place, for a copy would wait for the fields just written.
  template <class Record>
  bool select(const Record& record) {
    return selection.select(record, batch[size]) && ++size == TupleSink::kTupleBatch;
  }

  profiling::SelectorSet selection;
  std::vector<Tuple> batch;
  size_t size = 0;
};

}  // namespace strobe::platform
