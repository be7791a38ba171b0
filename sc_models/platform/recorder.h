// Hands the selected tuples of a run to a TupleSink.
#pragma once

#include <cstdint>

#include "sc_models/platform/run.h"
#include "sc_models/platform/tuple_tap.h"

namespace strobe::platform {

class Recorder {
 public:
  /// Keeps a reference to the sink.
  Recorder(const std::vector<config::SelectorConfig>& selectors, TupleSink& sink)
      : tap_(selectors), sink_(sink) {}

  void record(const RetireRecord& record) {
    if (tap_.select(record)) flush();
  }
  /// Core cycles of the region so far.
  void set_cycles(uint64_t cycles) { cycles_ = cycles; }
  /// The last, shorter batch.
  void finish() {
    if (!tap_.batch.empty()) flush();
  }

 private:
  void flush() {
    sink_.take(tap_.batch.data(), tap_.batch.size(), cycles_);
    tap_.batch.clear();
  }

  TupleTap tap_;
  TupleSink& sink_;
  uint64_t cycles_ = 0;
};

}  // namespace strobe::platform
