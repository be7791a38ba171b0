#include "sw/instrument/address_map.h"

#include <algorithm>
#include <iterator>
#include <tuple>

namespace strobe::instrument {
namespace {

/// The last range that begins at or before the address; null if none does.
template <class Range>
const Range* last_before(const std::vector<Range>& ranges, uint64_t edited) {
  const auto after =
      std::upper_bound(ranges.begin(), ranges.end(), edited,
                       [](uint64_t address, const Range& range) { return address < range.edited; });
  return after == ranges.begin() ? nullptr : &*std::prev(after);
}

bool continues(const CodeRange& range, const CodeRange& next) {
  return next.edited == range.edited + range.bytes &&
         next.original == range.original + range.bytes && next.instrumented == range.instrumented;
}

}  // namespace

AddressMap::AddressMap(std::vector<CodeRange> code, std::vector<DataRange> data)
    : data_(std::move(data)) {
  std::sort(code.begin(), code.end(), [](const CodeRange& a, const CodeRange& b) {
    return std::tie(a.edited, a.original, a.bytes, a.instrumented) <
           std::tie(b.edited, b.original, b.bytes, b.instrumented);
  });
  for (const CodeRange& range : code) {
    if (range.bytes == 0) continue;  // the linker deleted it
    if (!code_.empty() && continues(code_.back(), range)) {
      code_.back().bytes += range.bytes;
    } else {
      code_.push_back(range);
    }
  }
  std::sort(data_.begin(), data_.end(), [](const DataRange& a, const DataRange& b) {
    return std::tie(a.edited, a.original, a.bytes) < std::tie(b.edited, b.original, b.bytes);
  });
}

const CodeRange* AddressMap::code_at(uint64_t edited) const {
  const CodeRange* const range = last_before(code_, edited);
  return range != nullptr && edited - range->edited < range->bytes ? range : nullptr;
}

std::optional<uint64_t> AddressMap::original_code(uint64_t edited) const {
  const CodeRange* const range = code_at(edited);
  if (range == nullptr) return std::nullopt;
  return range->original + (edited - range->edited);
}

std::vector<uint64_t> AddressMap::edited_code(uint64_t original) const {
  std::vector<uint64_t> found;
  for (const bool instrumented : {false, true}) {
    for (const CodeRange& range : code_) {
      if (range.instrumented != instrumented || original < range.original ||
          original - range.original >= range.bytes) {
        continue;
      }
      found.push_back(range.edited + (original - range.original));
    }
  }
  return found;
}

uint64_t AddressMap::original_data(uint64_t edited) const {
  const DataRange* const range = last_before(data_, edited);
  return range == nullptr ? edited : range->original + (edited - range->edited);
}

}  // namespace strobe::instrument
