// What first-level caches and the directory say to each other: MESI.
//
// Down, with the request: CoherenceRequest, an ignorable TLM-2.0 extension. A master of the base
// protocol sends none and is coherent all the same. Back up: SnoopPort, a plain call like the
// TimingPort, because it carries no payload and takes no time of its own.
#pragma once

#include <cstdint>
#include <tlm>

namespace strobe::memory {

/// Of a line in a first-level cache.
enum class LineState : uint8_t { kInvalid, kShared, kExclusive, kModified };

/// What a cache asks for, beside the command, address and length of the payload: one line.
struct CoherenceRequest : tlm::tlm_extension<CoherenceRequest> {
  enum class Kind : uint8_t {
    kFetch,      // to execute: shared, whoever has it
    kRead,       // to read: exclusive when nobody else has it
    kOwn,        // to write: everybody else's copy goes
    kUpgrade,    // to write a line it has shared: as kOwn, without the data (TLM_IGNORE_COMMAND)
    kWriteBack,  // of a modified line the cache has given up
  };
  Kind kind = Kind::kRead;
  bool replaces = false;  // the line at `replaced` leaves the cache to make room
  uint64_t replaced = 0;
  bool shared = false;  // answer to kRead: others have it

  tlm::tlm_extension_base* clone() const override { return new CoherenceRequest(*this); }
  void copy_from(const tlm::tlm_extension_base& other) override {
    *this = static_cast<const CoherenceRequest&>(other);
  }
};

class SnoopPort {
 public:
  struct Answer {
    uint64_t ready;  // cycle from which the cache can give the line up: it has arrived there
    bool modified;
  };
  virtual ~SnoopPort() = default;
  /// The line at `address`, which the cache has, is shared from now on.
  virtual Answer share(uint64_t address) = 0;
  /// It is gone from now on.
  virtual Answer invalidate(uint64_t address) = 0;
};

}  // namespace strobe::memory
