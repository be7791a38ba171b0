#include "sw/object/edit/snippet.h"

namespace strobe::object {

void Snippet::add(uint32_t instruction, uint32_t type, uint32_t symbol, int64_t addend) {
  if (type != 0) relocations.push_back({size(), type, symbol, addend});
  starts.push_back(size());
  for (unsigned i = 0; i < 4; ++i) bytes.push_back(static_cast<uint8_t>(instruction >> 8 * i));
}

void Snippet::add(const Snippet& other) {
  const uint32_t base = size();
  bytes.insert(bytes.end(), other.bytes.begin(), other.bytes.end());
  for (const uint32_t start : other.starts) starts.push_back(base + start);
  for (Relocation relocation : other.relocations) {
    relocation.offset += base;
    relocations.push_back(relocation);
  }
  for (const auto& [symbol, offset] : other.labels) labels.emplace_back(symbol, base + offset);
  for (const auto& [symbol, offset] : other.ends) ends.emplace_back(symbol, base + offset);
}

}  // namespace strobe::object
