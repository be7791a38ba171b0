// Passive observers: they watch the tuple stream of a run for free and are scored for accuracy.
// The samplers of ISCA 2001, section 3: random R_r, periodic P_r, counted random CR_r, and each of
// them behind the hash that splits the stream, H[X_r]_n.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sc_models/port/tuple.h"
#include "sc_models/profiling/observers/tuple_batch.h"

namespace strobe::profiling {

/// What a kind needs; each kind looks only at its own.
struct ObserverParams {
  uint64_t period = 256;   // r: 1 to 4096 for "stratified", 1 to 2^32 - 1 for the others
  unsigned strata = 2048;  // "stratified...": n, a power of two, 1 to 4096
  unsigned counter_width =
      8;              // "stratified": bits of a counter, 1 to 12; period <= 2^counter_width
  uint64_t seed = 1;  // of the kinds that draw at random
};

class Observer {
 public:
  virtual ~Observer() = default;
  /// Watches a batch of tuples in stream order; the messages they cause are appended to `messages`.
  void observe(TupleBatch& batch, std::vector<Message>& messages) {
    const size_t before = messages.size();
    sample(batch, messages);
    events_ += batch.size();
    messages_ += messages.size() - before;
  }
  /// The same for an observer that watches alone.
  void observe(const Tuple* tuples, size_t count, std::vector<Message>& messages) {
    own_.set(tuples, count);
    observe(own_, messages);
  }
  /// Tuples watched so far.
  uint64_t events() const { return events_; }
  /// Messages made so far.
  uint64_t messages() const { return messages_; }
  /// Counts held and not reported: what a read-out at the end would add. A random sampler without a
  /// counter holds none.
  virtual uint64_t residue() const = 0;
  /// State the sampler keeps in hardware: its counters, or its random number generator.
  virtual uint64_t storage_bits() const = 0;

 private:
  virtual void sample(TupleBatch& batch, std::vector<Message>& messages) = 0;

  TupleBatch own_;
  uint64_t events_ = 0;
  uint64_t messages_ = 0;
};

/// The kinds there are, in alphabetical order.
std::vector<std::string> observer_kinds();

/// Makes an observer of a kind, one of observer_kinds().
/// Throws std::invalid_argument for another name or a parameter out of range.
std::unique_ptr<Observer> make_observer(const std::string& kind, const ObserverParams& params);

}  // namespace strobe::profiling
