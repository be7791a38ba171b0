#include "sc_models/profiling/reference/message/ring_writer.h"

#include <algorithm>

#include "sc_models/profiling/reference/common/saturate.h"

namespace strobe::profiling {
namespace {

constexpr unsigned kWords = 4;  // in a record
constexpr uint64_t kVersion = 1;

void saturating_increment(uint32_t& counter) { counter = saturating_add(counter, 1); }

}  // namespace

RingWriter::Outputs RingWriter::step(const Inputs& inputs) {
  const Outputs now = outputs(inputs.ring, inputs.head, inputs.mem_ready);
  if (inputs.clear) {
    clear(inputs.mem_ready, inputs.mem_idle);
  } else {
    advance(inputs.ring, inputs.valid, inputs.head, inputs.mem_ready, inputs.mem_idle);
  }
  return now;
}

RingWriter::Outputs RingWriter::outputs(const RingConfig& ring, const Message& head,
                                        bool mem_ready) const {
  Outputs out;
  out.busy = writing_;
  out.in_flight = in_flight_;
  out.prod = prod_;
  out.overwritten = overwritten_;
  out.high_water = high_water_;
  out.stalls = stalls_;
  if (!writing_) return out;
  const uint64_t slot = prod_ % (uint64_t{1} << ring.log2_entries);
  out.pop = mem_ready && word_ == kWords - 1;
  out.mem_valid = true;
  out.mem_addr = ring.base | (slot * kWords + word_) * 8;
  out.mem_data = word(head);
  return out;
}

uint64_t RingWriter::word(const Message& head) const {
  switch (word_) {
    case 0:
      return uint64_t{total_} << 32 | prod_;
    case 1:
      return head.tuple.pc;
    case 2:
      return head.tuple.value;
    default:
      return kVersion << 60 | uint64_t{head.tuple.tag} << 56 | uint64_t{prod_ & 0xffffff} << 32 |
             head.count;
  }
}

void RingWriter::clear(bool mem_ready, bool mem_idle) {
  const bool in_flight = (writing_ && mem_ready) || (in_flight_ && !mem_idle);
  *this = RingWriter();
  in_flight_ = in_flight;
}

void RingWriter::advance(const RingConfig& ring, bool valid, const Message& head, bool mem_ready,
                         bool mem_idle) {
  in_flight_ = (writing_ && mem_ready) || (in_flight_ && !mem_idle);
  const uint32_t waiting = prod_ - cons_;  // records that software has not read
  cons_ = ring.cons;
  const bool full = waiting >= uint64_t{1} << ring.log2_entries;
  if (!writing_) {
    if (!ring.enable || !valid) return;
    writing_ = !full || ring.overwrite;
    if (full) saturating_increment(ring.overwrite ? overwritten_ : stalls_);
    return;
  }
  if (!mem_ready || ++word_ < kWords) return;
  word_ = 0;
  writing_ = false;
  ++prod_;
  total_ += head.count;
  if (!full) high_water_ = std::max(high_water_, waiting + 1);
}

}  // namespace strobe::profiling
