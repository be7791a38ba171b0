#include "sw/stream/block_codec.h"

#include <fmt/format.h>

#include <cstring>

namespace strobe::stream {
namespace {

constexpr size_t kSiteBytes = 9;                  // pc, tag
constexpr size_t kSlots = 2 * kBlockEvents;       // never more than half full
constexpr size_t kCountBytes = sizeof(uint32_t);  // bytes of the number of sites

size_t marks_for(size_t events) { return (events + kMarkEvents - 1) / kMarkEvents; }

// Maps small differences of either sign to small numbers.
uint64_t zigzag(uint64_t difference) {
  return difference << 1 ^ (difference >> 63 != 0 ? ~uint64_t{0} : 0);
}
uint64_t unzigzag(uint64_t coded) { return coded >> 1 ^ (~(coded & 1) + 1); }

unsigned byte_length(uint64_t value) {
  return value == 0 ? 0 : static_cast<unsigned>(71 - __builtin_clzll(value)) / 8;
}

template <class T>
void put(std::vector<uint8_t>& out, const T* data, size_t count) {
  const auto* bytes = reinterpret_cast<const uint8_t*>(data);
  out.insert(out.end(), bytes, bytes + count * sizeof(T));
}

template <class T>
T get(const uint8_t* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

}  // namespace

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the columns are little-endian");

BlockEncoder::BlockEncoder()
    : slots_(kSlots),
      indices_(kBlockEvents),
      lengths_(kBlockEvents),
      values_((kBlockEvents + 1) * sizeof(uint64_t)) {}

BlockEncoder::Slot& BlockEncoder::slot_of(const Tuple& tuple) {
  // Neighboring instructions share a cache line of the table, and there are few tags.
  size_t at = (tuple.pc >> 1 ^ uint64_t{tuple.tag} << 12) & (kSlots - 1);
  for (;; at = (at + 1) & (kSlots - 1)) {
    Slot& slot = slots_[at];
    if (slot.generation != generation_) {
      slot = {tuple.pc, 0, generation_, static_cast<uint16_t>(sites_.size()), tuple.tag};
      sites_.push_back(Tuple{tuple.pc, 0, tuple.tag});
      return slot;
    }
    if (slot.pc == tuple.pc && slot.tag == tuple.tag) return slot;
  }
}

void BlockEncoder::add(const Tuple* tuples, size_t count, uint64_t cycles) {
  uint8_t* value = values_.data() + value_bytes_;
  for (size_t i = 0; i < count; ++i) {
    Slot& slot = slot_of(tuples[i]);
    const uint64_t coded = zigzag(tuples[i].value - slot.last);
    const unsigned length = byte_length(coded);
    slot.last = tuples[i].value;
    indices_[events_] = slot.site;
    lengths_[events_++] = static_cast<uint8_t>(length);
    std::memcpy(value, &coded, sizeof coded);  // the bytes after `length` are overwritten
    value += length;
  }
  value_bytes_ = static_cast<size_t>(value - values_.data());
  marks_.push_back(cycles);
}

void BlockEncoder::finish(std::vector<uint8_t>& raw) {
  raw.clear();
  const auto sites = static_cast<uint32_t>(sites_.size());
  put(raw, &sites, 1);
  for (const Tuple& site : sites_) put(raw, &site.pc, 1);
  for (const Tuple& site : sites_) put(raw, &site.tag, 1);
  put(raw, indices_.data(), events_);
  put(raw, lengths_.data(), events_);
  put(raw, marks_.data(), marks_.size());
  put(raw, values_.data(), value_bytes_);
  ++generation_;
  events_ = value_bytes_ = 0;
  sites_.clear();
  marks_.clear();
}

size_t largest_raw_block() {
  return kCountBytes + kBlockEvents * (kSiteBytes + sizeof(uint16_t) + 1 + sizeof(uint64_t)) +
         marks_for(kBlockEvents) * sizeof(uint64_t);
}

std::string decode_block(const uint8_t* raw, size_t size, size_t events, Block& block) {
  if (size < kCountBytes) return fmt::format("expected columns, got {} bytes", size);
  const size_t sites = get<uint32_t>(raw);
  const size_t marks = marks_for(events);
  const size_t fixed =
      sites * kSiteBytes + events * (sizeof(uint16_t) + 1) + marks * sizeof(uint64_t);
  if (sites > events || size - kCountBytes < fixed) {
    return fmt::format("expected the columns of {} events at {} sites, got {} bytes", events, sites,
                       size);
  }
  const uint8_t* const pcs = raw + kCountBytes;
  const uint8_t* const tags = pcs + sites * sizeof(uint64_t);
  const uint8_t* const indices = tags + sites;
  const uint8_t* const lengths = indices + events * sizeof(uint16_t);
  const uint8_t* const cycles = lengths + events;
  const uint8_t* value = cycles + marks * sizeof(uint64_t);
  const uint8_t* const end = raw + size;

  block.cycles.resize(marks);
  if (marks > 0) std::memcpy(block.cycles.data(), cycles, marks * sizeof(uint64_t));
  std::vector<Tuple> last(sites);
  for (size_t i = 0; i < sites; ++i) {
    last[i] = Tuple{get<uint64_t>(pcs + i * sizeof(uint64_t)), 0, tags[i]};
  }
  block.tuples.resize(events);
  for (size_t i = 0; i < events; ++i) {
    const size_t site = get<uint16_t>(indices + i * sizeof(uint16_t));
    const unsigned length = lengths[i];
    if (site >= sites || length > sizeof(uint64_t) || static_cast<size_t>(end - value) < length) {
      return fmt::format(
          "expected event {} to be of one of {} sites and its value to fit, got site "
          "{} and {} bytes",
          i, sites, site, length);
    }
    uint64_t coded = 0;
    if (end - value >= 8) {
      coded = get<uint64_t>(value);
      if (length < 8) coded &= (uint64_t{1} << 8 * length) - 1;
    } else {
      std::memcpy(&coded, value, length);
    }
    value += length;
    Tuple& tuple = last[site];
    tuple.value += unzigzag(coded);
    block.tuples[i] = tuple;
  }
  if (value != end) {
    return fmt::format("expected the values to end with the block, got {} bytes more", end - value);
  }
  return "";
}

}  // namespace strobe::stream
