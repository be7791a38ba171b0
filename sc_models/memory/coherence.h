// The MESI messages between first-level caches and the directory.
//
// Toward the directory: CoherenceRequest, an ignorable TLM-2.0 extension of the request. A master
// of the base protocol sends none and is coherent all the same. Toward the caches: SnoopPort, a
// plain call like the TimingPort, because it carries no payload and takes no time of its own.
#pragma once

#include <cstdint>
#include <tlm>

namespace strobe::memory {

/// The state of a line in a first-level cache.
enum class LineState : uint8_t { kInvalid, kShared, kExclusive, kModified };

/// What a cache requests, besides the command, address and length of the payload. The request
/// concerns one line.
struct CoherenceRequest : tlm::tlm_extension<CoherenceRequest> {
  enum class Kind : uint8_t {
    kFetch,      // to execute: shared, whichever caches hold it
    kRead,       // to read: exclusive when no other cache holds it
    kPeek,       // to read once: no cache takes the line, and none changes its state
    kOwn,        // to write: all other copies are invalidated
    kUpgrade,    // to write a line held shared: as kOwn, without the data (TLM_IGNORE_COMMAND)
    kWriteBack,  // writes back a modified line that the cache has given up
  };
  Kind kind = Kind::kRead;
  bool replaces = false;  // the line at `replaced` leaves the cache to make room
  uint64_t replaced = 0;
  bool shared = false;  // answer to kRead: other caches hold the line

  tlm::tlm_extension_base* clone() const override { return new CoherenceRequest(*this); }
  void copy_from(const tlm::tlm_extension_base& other) override {
    *this = static_cast<const CoherenceRequest&>(other);
  }
};

class SnoopPort {
 public:
  struct Answer {
    uint64_t ready;  // cycle from which the cache can give the line up: the line has arrived
    bool modified;
  };
  virtual ~SnoopPort() = default;
  /// When the cache could give up the line at `address`, which it holds and keeps as it is.
  virtual Answer peek(uint64_t address) const = 0;
  /// Makes the line at `address`, which the cache holds, shared.
  virtual Answer share(uint64_t address) = 0;
  /// Invalidates the line at `address`, which the cache holds.
  virtual Answer invalidate(uint64_t address) = 0;
};

}  // namespace strobe::memory
