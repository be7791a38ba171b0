// The service thread. It runs on a core of its own, takes the records out of the ring in memory and
// folds them into the profile (ISCA 2001, section 2.2: message passing).
//
// A record is read as a seqlock. Its last word is read first: it is valid when the record is whole.
// Its first word is read last: it is unchanged if overwriting has not begun. The fences keep this
// order on any core. docs/blocks/ring_writer.md has the layout.
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

constexpr uint32_t kNumberMask = 0xffffff;  // a stamp's number
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
  /// How far a record is ahead of the next one to take; the stamp has only the number's low bits.
  int32_t ahead_of_next(uint32_t stamp) const {
    return static_cast<int32_t>((stamp - next_) << 8) >> 8;
  }

  /// Called when the writer has overtaken this thread: goes on in the middle of the ring's records.
  /// If it went on at the oldest one, that would be overwritten again before it is read.
  void skip(uint32_t ahead) { next_ += ahead - entries_ / 2; }

  void take(volatile strobe_record_t& record, uint32_t stamp) {
    reads_in_order();
    const uint64_t pc = record.pc, value = record.value;
    const uint32_t count = record.count, total = record.total;
    reads_in_order();
    if (record.number != next_) return;  // overwritten meanwhile
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

  /// Tells the device which records are free, and the host what this thread has done.
  void release() {
    ring_.messages = messages_;
    ring_.lost_messages = lost_messages_;
    ring_.lost_count = lost_count_;
    asm volatile("fence rw, o" ::: "memory");  // the counts above must be visible before the index
    write_register(STROBE_REG_RING_CONS, next_);
    released_ = next_;
  }

  strobe_ring_block_t& ring_;
  volatile strobe_record_t* records_;
  const uint32_t entries_;
  uint32_t next_ = 0;      // number of the next record to take
  uint32_t released_ = 0;  // the value that the device has
  uint32_t expected_ = 0;  // the record after the last one taken
  uint32_t total_ = 0;     // sum of all counts before that record
  uint64_t messages_ = 0, lost_messages_ = 0, lost_count_ = 0;
};

}  // namespace
}  // namespace strobe::guest

extern "C" [[noreturn]] void strobe_serve() { strobe::guest::Service(strobe_ring_block).run(); }
