// The service thread: on a core of its own, it takes the records out of the ring in memory and
// folds them into the profile (ISCA 2001, section 2.2: message passing).
//
// A record is read as a seqlock: the last word first, which is there when the record is whole, the
// first word last, which is still the same when nobody has begun to write over it. The fences order
// that on any core. docs/blocks/ring_writer.md has the layout.
#include <stdint.h>

#include "sw/guest/firmware/driver.h"
#include "sw/guest/handlers/fold.h"
#include "sw/guest/include/strobe/abi.h"
#include "sw/guest/include/strobe/marker.h"

extern "C" {
extern strobe_ring_block_t strobe_ring_block;
extern strobe_profile_table_t strobe_profile_table;
}

namespace strobe::guest {
namespace {

constexpr uint32_t kNumberMask = 0xffffff;  // of a stamp
constexpr unsigned kTagShift = 24, kVersionShift = 28;

void reads_in_order() { asm volatile("fence r, r" ::: "memory"); }

class Service {
 public:
  explicit Service(strobe_ring_block_t& ring)
      : ring_(ring),
        records_(reinterpret_cast<volatile strobe_record_t*>(ring.base)),
        entries_(static_cast<uint32_t>(ring.entries)) {}

  [[noreturn]] void run() {
    for (;;) {
      volatile strobe_record_t& record = records_[next_ & (entries_ - 1)];
      const uint32_t stamp = record.stamp;
      const int32_t ahead = ahead_of_next(stamp);
      if (stamp >> kVersionShift != STROBE_RECORD_VERSION || ahead < 0) {
        STROBE_MARKER(STROBE_SERVICE_WAITS);
        if (released_ != next_) release();
        continue;
      }
      if (ahead > 0) {
        skip(static_cast<uint32_t>(ahead));
        continue;
      }
      STROBE_MARKER(STROBE_SERVICE_TAKES);
      take(record, stamp);
      if (next_ - released_ >= (entries_ + 3) / 4) release();
    }
  }

 private:
  /// How far a record is ahead of the one looked for; only the low bits are in the stamp.
  int32_t ahead_of_next(uint32_t stamp) const {
    return static_cast<int32_t>((stamp - next_) << 8) >> 8;
  }

  /// The writer has come round: on in the middle of what is there. The oldest record would be
  /// written over before it is read, again and again.
  void skip(uint32_t ahead) { next_ += ahead - entries_ / 2; }

  void take(volatile strobe_record_t& record, uint32_t stamp) {
    reads_in_order();
    const uint64_t pc = record.pc, value = record.value;
    const uint32_t count = record.count, total = record.total;
    reads_in_order();
    if (record.number != next_) return;  // written over meanwhile
    note_lost(next_ - expected_, total - total_);
    fold(strobe_profile_table, pc, value, stamp >> kTagShift & 0xf, count);
    expected_ = ++next_;
    total_ = total + count;
    ++messages_;
    STROBE_MARKER(STROBE_SERVICE_DONE);
  }

  void note_lost(uint32_t messages, uint32_t count) {
    lost_messages_ += messages;
    lost_count_ += count;
  }

  /// Tells the device how far this thread is, and the host what it has done.
  void release() {
    ring_.messages = messages_;
    ring_.lost_messages = lost_messages_;
    ring_.lost_count = lost_count_;
    asm volatile("fence rw, o" ::: "memory");  // first what was done, then that it is done
    write_register(STROBE_REG_RING_CONS, next_);
    released_ = next_;
  }

  strobe_ring_block_t& ring_;
  volatile strobe_record_t* records_;
  const uint32_t entries_;
  uint32_t next_ = 0;      // the record looked for
  uint32_t released_ = 0;  // as the device knows
  uint32_t expected_ = 0;  // the record after the last one taken
  uint32_t total_ = 0;     // counts up to there
  uint64_t messages_ = 0, lost_messages_ = 0, lost_count_ = 0;
};

}  // namespace
}  // namespace strobe::guest

extern "C" [[noreturn]] void strobe_serve() { strobe::guest::Service(strobe_ring_block).run(); }
