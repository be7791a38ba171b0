#include "sw/object/edit/layout.h"

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <stdexcept>

#include "sc_models/isa/decode/decoded.h"
#include "sw/object/edit/encode.h"
#include "sw/object/file/frames.h"
#include "sw/object/file/relocation_kinds.h"

namespace strobe::object {
namespace {

constexpr uint32_t kInvertCondition = 0x00001000;  // the low bit of a branch's funct3
constexpr uint32_t kOverEightBytes = 0x00000400;   // a branch's immediate: 8
constexpr uint32_t kBranchImmediate = 0xfe000f80;

bool is_negative(uint64_t offset) { return offset >> 63 != 0; }

}  // namespace

uint64_t PlaceMap::anchor_of(uint64_t old) const {
  if (is_negative(old)) return 0;
  uint64_t anchor = std::min<uint64_t>(old, new_.size() - 1);
  while (anchor > 0 && new_[anchor] == kNone) --anchor;
  return anchor;
}

uint64_t PlaceMap::operator()(uint64_t old) const {
  if (is_negative(old)) return old;
  const uint64_t anchor = anchor_of(old);
  return (new_[anchor] == kNone ? 0 : new_[anchor]) + (old - anchor);
}

Layout::Layout(ObjectFile* file, const Code& code)
    : file_(file),
      code_(code),
      section_(code.section()),
      places_(file->sections[code.section()].bytes.size()) {
  const Section& section = file->sections[section_];
  fragments_.reserve(code.instructions().size() + 16);
  bytes_.reserve(section.bytes.size());
  relocations_.reserve(section.relocations.size());
}

uint32_t Layout::add_fragment(const uint8_t* bytes, uint32_t size) {
  Fragment fragment;
  fragment.begin = static_cast<uint32_t>(bytes_.size());
  fragment.size = size;
  fragment.relocation = static_cast<uint32_t>(relocations_.size());
  bytes_.insert(bytes_.end(), bytes, bytes + size);
  const auto number = static_cast<uint32_t>(fragments_.size());
  if (number > 0) fragments_[number - 1].next = number;
  fragments_.push_back(fragment);
  return number;
}

/// To the fragment that was added last.
void Layout::add_relocation(uint32_t fragment, const Relocation& relocation) {
  if (is_branch(relocation.type) || is_jump(relocation.type)) {
    fragments_[fragment].branch = static_cast<uint32_t>(relocations_.size());
  }
  relocations_.push_back(relocation);
  ++fragments_[fragment].relocation_count;
}

void Layout::append(const Snippet& snippet) {
  if (!snippet.bytes.empty() && (snippet.starts.empty() || snippet.starts.front() != 0)) {
    throw std::logic_error("a snippet does not say where its instructions begin");
  }
  std::vector<Relocation> relocations = snippet.relocations;
  std::stable_sort(relocations.begin(), relocations.end(),
                   [](const Relocation& a, const Relocation& b) { return a.offset < b.offset; });
  auto relocation = relocations.begin();
  const uint32_t first = size();
  const auto at_end = [&](const auto& one) { return one.second == snippet.size(); };
  const bool has_end = snippet.bytes.empty() ||
                       std::any_of(snippet.labels.begin(), snippet.labels.end(), at_end) ||
                       std::any_of(snippet.ends.begin(), snippet.ends.end(), at_end);
  for (size_t i = 0; i < snippet.starts.size() + (has_end ? 1 : 0); ++i) {
    // What stands at the snippet's end has a fragment without bytes.
    const bool last = i == snippet.starts.size();
    const uint32_t begin = last ? snippet.size() : snippet.starts[i];
    const uint32_t end = i + 1 < snippet.starts.size() ? snippet.starts[i + 1] : snippet.size();
    const uint32_t fragment = add_fragment(snippet.bytes.data() + begin, end - begin);
    for (; relocation != relocations.end() && relocation->offset < end; ++relocation) {
      relocation->offset -= begin;
      add_relocation(fragment, *relocation);
    }
  }
  const auto fragment_at = [&](uint32_t offset) {
    if (offset == snippet.size()) return size() - 1;
    const auto next = std::upper_bound(snippet.starts.begin(), snippet.starts.end(), offset);
    return first + static_cast<uint32_t>(next - snippet.starts.begin()) - 1;
  };
  for (const auto& [symbol, offset] : snippet.labels)
    defines_.emplace_back(fragment_at(offset), symbol);
  for (const auto& [symbol, offset] : snippet.ends) ends_.emplace_back(fragment_at(offset), symbol);
}

void Layout::put(uint32_t instruction) {
  for (unsigned i = 0; i < 4; ++i) bytes_.push_back(static_cast<uint8_t>(instruction >> 8 * i));
}

void Layout::append(const Instruction& instruction, const std::vector<Relocation>& relocations) {
  const uint8_t* const bytes = file_->sections[section_].bytes.data() + instruction.offset;
  const uint32_t fragment = add_fragment(bytes, instruction.size);
  for (const Relocation& relocation : relocations) add_relocation(fragment, relocation);
}

void Layout::put_labels(uint32_t fragment, uint32_t old) { fragments_[fragment].labels_at = old; }

void Layout::stand_for(uint32_t fragment, uint32_t old) { fragments_[fragment].from = old; }

/// Branches and jumps become longer until each reaches its target.
void Layout::relax() {
  for (;;) {
    while (lengthen()) place();
    const std::vector<uint32_t> far = far_jumps();
    if (far.empty()) return;
    std::vector<Island> on_the_way = islands();
    for (const uint32_t fragment : far) bridge(fragment, &on_the_way);
    place();
  }
}

void Layout::place() {
  uint32_t offset = 0;
  for_fragments([&](Fragment& fragment, uint32_t) {
    fragment.to = offset;
    if (fragment.labels_at != kNone) places_.set(fragment.labels_at, offset);
    offset += fragment.size;
  });
  defined_.resize(file_->symbols.size(), kNone);
  for (const auto& [fragment, symbol] : defines_) defined_[symbol] = fragments_[fragment].to;
}

/// From a branch or jump to its target; nothing when that is elsewhere, which the linker knows.
std::optional<int64_t> Layout::distance_of(const Fragment& fragment) const {
  const Relocation& relocation = relocations_[fragment.branch];
  const Symbol& symbol = file_->symbols[relocation.symbol];
  const auto addend = static_cast<uint64_t>(relocation.addend);
  uint64_t target = 0;
  if (defined_[relocation.symbol] != kNone) {
    target = defined_[relocation.symbol] + addend;
  } else if (symbol.section == section_) {
    target = places_(symbol.value + addend);
  } else {
    return std::nullopt;
  }
  return static_cast<int64_t>(target - (fragment.to + relocation.offset));
}

bool Layout::lengthen() {
  bool changed = false;
  for (Fragment& fragment : fragments_) {
    if (fragment.branch == kNone) continue;
    Relocation& relocation = relocations_[fragment.branch];
    if (relocation.type == R_RISCV_JAL) continue;
    const std::optional<int64_t> distance = distance_of(fragment);
    if (!distance || reaches(relocation.type, *distance)) continue;
    lengthen(&fragment, &relocation);
    changed = true;
  }
  return changed;
}

void Layout::lengthen(Fragment* fragment, Relocation* relocation) {
  uint32_t word = 0;
  std::memcpy(&word, bytes_.data() + fragment->begin, fragment->size);
  fragment->begin = static_cast<uint32_t>(bytes_.size());
  if (relocation->type == R_RISCV_BRANCH) {
    put(((word & ~kBranchImmediate) ^ kInvertCondition) | kOverEightBytes);
    put(jump());
    fragment->size = 8;
    relocation->type = R_RISCV_JAL;
    relocation->offset = 4;
    return;
  }
  put(isa::expand_compressed(static_cast<uint16_t>(word)));
  fragment->size = 4;
  relocation->type = relocation->type == R_RISCV_RVC_BRANCH ? R_RISCV_BRANCH : R_RISCV_JAL;
}

std::vector<Moved> Layout::write(Reach reach) {
  place();
  if (reach == Reach::kNow) relax();
  move_advances();
  follow();
  follow_low_halves();
  move_symbols();
  Section& section = file_->sections[section_];
  std::vector<Moved> moved;
  section.bytes.clear();
  section.relocations.clear();
  for_fragments([&](const Fragment& fragment, uint32_t) {
    if (fragment.from != kNone) moved.push_back({fragment.from, fragment.to});
    const auto begin = bytes_.begin() + fragment.begin;
    section.bytes.insert(section.bytes.end(), begin, begin + fragment.size);
    for (uint32_t i = 0; i < fragment.relocation_count; ++i) {
      section.relocations.push_back(relocations_[fragment.relocation + i]);
      section.relocations.back().offset += fragment.to;
    }
  });
  sort_relocations(&section);  // that of a longer branch stands at its second half
  widen_advances(file_);
  return moved;
}

void Layout::move_advances() {
  std::map<uint64_t, uint32_t> labels;  // by old offset; they are laid out with the others
  const auto label = [&](uint64_t old) {
    const auto [known, is_new] = labels.try_emplace(old, 0);
    if (is_new) known->second = file_->add_label(section_, old);
    return known->second;
  };
  // One of code outside of the section is left as it is.
  const uint64_t size = file_->sections[section_].bytes.size();
  const auto keeps = [&](uint64_t from, uint64_t to) {
    return from > size || to > size || places_(to) - places_(from) == to - from;
  };
  const std::vector<Frame> frames = read_frames(*file_);
  const std::vector<FixedAdvance> advances = fixed_advances(*file_, frames, section_);
  std::set<uint32_t> related;
  const auto follow_field = [&](uint32_t section, const FixedField& field) {
    if (keeps(field.from, field.to)) return;
    relate_field(&file_->sections[section], field, label(field.from), label(field.to));
    related.insert(section);
  };
  for (const Handlers& table : read_handlers(*file_, frames)) {
    if (table.code_section != section_) continue;
    for (const FixedField& field : table.fixed) follow_field(table.begin.section, field);
  }
  for (const Frame& frame : frames) {
    if (frame.code.section == section_) follow_field(frame.section, frame.fixed_length);
  }
  for (const FixedAdvance& advance : advances) {
    if (keeps(advance.from, advance.to)) continue;
    relate_advance(file_, advance, label(advance.from), label(advance.to));
    related.insert(advance.section);
  }
  for (const uint32_t section : related) sort_relocations(&file_->sections[section]);
}

/// What is counted from a symbol of this section gets a label of its own, or counts anew from the
/// section's beginning.
void Layout::follow() {
  for (size_t i = 1; i < file_->sections.size(); ++i) {
    if (i == section_) continue;
    for (Relocation& relocation : file_->sections[i].relocations) follow(&relocation);
  }
  for (Relocation& relocation : relocations_) follow(&relocation);
}

void Layout::follow(Relocation* relocation) {
  const Symbol& symbol = file_->symbols[relocation->symbol];
  const bool is_new = relocation->symbol < defined_.size() && defined_[relocation->symbol] != kNone;
  if (relocation->addend == 0 || symbol.section != section_ || is_new ||
      is_low_half(relocation->type) || relocation->type == R_RISCV_ALIGN) {
    return;
  }
  const uint64_t old = symbol.value + static_cast<uint64_t>(relocation->addend);
  if (symbol.type == STT_SECTION) {
    relocation->addend = static_cast<int64_t>(places_(old));
    return;
  }
  const uint64_t anchor = places_.anchor_of(old);
  relocation->symbol = file_->add_label(section_, anchor);
  relocation->addend = static_cast<int64_t>(old - anchor);
}

/// A low half names the place of its auipc, and no jump to it: it gets a label of its own.
void Layout::follow_low_halves() {
  std::vector<uint32_t> place_of(code_.instructions().size(), kNone);
  for_fragments([&](const Fragment& fragment, uint32_t) {
    if (fragment.from != kNone) place_of[code_.at(fragment.from)] = fragment.to;
  });
  for (Relocation& relocation : relocations_) {
    if (!is_low_half(relocation.type)) continue;
    const Symbol& symbol = file_->symbols[relocation.symbol];
    if (relocation.symbol < defined_.size() && defined_[relocation.symbol] != kNone) continue;
    const size_t instruction = code_.at(symbol.value);
    if (symbol.section != section_ || instruction == place_of.size() ||
        place_of[instruction] == kNone || place_of[instruction] == places_(symbol.value)) {
      continue;
    }
    relocation.symbol = define(place_of[instruction]);
  }
}

/// A new label at a place of the new section.
uint32_t Layout::define(uint32_t place) {
  const uint32_t symbol = file_->add_label(section_, 0);
  defined_.resize(symbol + 1, kNone);
  defined_[symbol] = place;
  return symbol;
}

void Layout::move_symbols() {
  defined_.resize(file_->symbols.size(), kNone);
  for (uint32_t i = 1; i < file_->symbols.size(); ++i) {
    Symbol& symbol = file_->symbols[i];
    if (defined_[i] != kNone) {
      symbol.section = section_;
      symbol.value = defined_[i];
    } else if (symbol.section == section_ && symbol.type != STT_SECTION) {
      const uint64_t end = places_(symbol.value + symbol.size);
      symbol.value = places_(symbol.value);
      if (symbol.size > 0) symbol.size = end - symbol.value;
    }
  }
  for (const auto& [fragment, symbol] : ends_) {
    file_->symbols[symbol].size = fragments_[fragment].to - file_->symbols[symbol].value;
  }
}

}  // namespace strobe::object
