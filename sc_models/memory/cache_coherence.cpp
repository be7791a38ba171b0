// The coherent side of a cache: states, upgrades, and what the directory asks of it.
#include <algorithm>

#include "sc_models/memory/cache.h"

namespace strobe::memory {

void Cache::make_coherent(Holds holds) {
  coherent_ = true;
  holds_ = holds;
}

// The index of the line in lines_; lines_.size() if it is absent.
size_t Cache::find(uint64_t number) const {
  const size_t first = (number & set_mask_) * params_.ways;
  for (size_t i = first; i < first + params_.ways; ++i) {
    if (lines_[i].tag >> kFlagBits == number) return i;
  }
  return lines_.size();
}

// A write to a shared line. It takes a miss register until no other cache holds the line. Until
// then every access to the line waits as for a line in flight.
uint64_t Cache::upgrade(Line* set, unsigned way, uint64_t now) {
  if (registers_.full(now)) {
    ++counters_.mshr_stalls;
    return 0;
  }
  const Line line = set[way];
  const uint64_t number = line.tag >> kFlagBits;
  CoherenceRequest request;
  request.kind = CoherenceRequest::Kind::kUpgrade;
  const uint64_t from = std::max(now + params_.latency, line.ready);
  const uint64_t ready = ask(tlm::TLM_IGNORE_COMMAND, number, request, from);
  registers_.take({now, ready, number, true});
  ++counters_.writes;
  for (; way > 0; --way) set[way] = set[way - 1];
  set[0] = {number << kFlagBits | kDirty, ready};
  fresh_ = false;
  return ready;
}

// The cycle in which a line arrives that another cache took away while it was in flight to this
// one; 0 if there is none. Accesses before its arrival are still served by it.
uint64_t Cache::outstanding(uint64_t number, bool write, uint64_t now) const {
  for (const MissRegisters::Entry& entry : registers_.entries()) {
    const bool serves = entry.line == number && (!write || entry.owns);
    if (serves && entry.until > now) return entry.until;
  }
  return 0;
}

SnoopPort::Answer Cache::peek(uint64_t address) const {
  const Line& line = lines_[find(address >> line_bits_)];
  return {line.ready, (line.tag & kDirty) != 0};
}

SnoopPort::Answer Cache::share(uint64_t address) {
  Line& line = lines_[find(address >> line_bits_)];
  const Answer answer{line.ready, (line.tag & kDirty) != 0};
  line.tag = (line.tag & ~kDirty) | kShared;
  return answer;
}

SnoopPort::Answer Cache::invalidate(uint64_t address) {
  const size_t place = find(address >> line_bits_);
  const Line gone = lines_[place];
  // The free way becomes the least recently used one, so that it is taken first.
  const size_t last = place / params_.ways * params_.ways + params_.ways - 1;
  for (size_t i = place; i < last; ++i) lines_[i] = lines_[i + 1];
  lines_[last] = {kInvalid, 0};
  return {gone.ready, (gone.tag & kDirty) != 0};
}

LineState Cache::state(uint64_t address) const {
  const size_t place = find(address >> line_bits_);
  if (place == lines_.size()) return LineState::kInvalid;
  const uint64_t tag = lines_[place].tag;
  if ((tag & kDirty) != 0) return LineState::kModified;
  return (tag & kShared) != 0 ? LineState::kShared : LineState::kExclusive;
}

}  // namespace strobe::memory
