// Passive observers: they watch the tuple stream of a run for free and are scored for accuracy.
// The samplers of ISCA 2001, section 3: random R_r, periodic P_r, stratified periodic H[P_r]_n.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sc_models/port/tuple.h"

namespace strobe::profiling {

/// What a kind needs; each kind looks only at its own.
struct ObserverParams {
  uint64_t period = 256;   // r: 1 to 4096 for "stratified", 1 to 2^32 - 1 for the others
  unsigned strata = 2048;  // "stratified": n, a power of two, 1 to 4096
  unsigned counter_width =
      8;              // "stratified": bits of a counter, 1 to 12; period <= 2^counter_width
  uint64_t seed = 1;  // "random"
};

class Observer {
 public:
  virtual ~Observer() = default;
  /// Watches `count` tuples in stream order; the messages they cause are appended to `messages`.
  void observe(const Tuple* tuples, size_t count, std::vector<Message>& messages) {
    const size_t before = messages.size();
    sample(tuples, count, messages);
    events_ += count;
    messages_ += messages.size() - before;
  }
  /// Tuples watched so far.
  uint64_t events() const { return events_; }
  /// Messages made so far.
  uint64_t messages() const { return messages_; }
  /// Counts held and not reported: what a read-out at the end would add. A random sampler holds
  /// none.
  virtual uint64_t residue() const = 0;
  /// State the sampler keeps in hardware: its counters, or its random number generator.
  virtual uint64_t storage_bits() const = 0;

 private:
  virtual void sample(const Tuple* tuples, size_t count, std::vector<Message>& messages) = 0;

  uint64_t events_ = 0;
  uint64_t messages_ = 0;
};

/// The kinds there are, in alphabetical order.
std::vector<std::string> observer_kinds();

/// Makes an observer of a kind: "random", "periodic" or "stratified".
/// Throws std::invalid_argument for another name or a parameter out of range.
std::unique_ptr<Observer> make_observer(const std::string& kind, const ObserverParams& params);

}  // namespace strobe::profiling
