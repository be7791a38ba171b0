#include "sw/object/edit/editor.h"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <unordered_map>

#include "sc_models/isa/decode/decoded.h"
#include "sw/object/edit/encode.h"
#include "sw/object/file/frames.h"
#include "sw/object/file/relocation_kinds.h"

namespace strobe::object {
namespace {

constexpr uint32_t kInvertCondition = 0x00001000;  // the low bit of a branch's funct3
constexpr uint32_t kOverEightBytes = 0x00000400;   // a branch's immediate: 8

uint32_t word_of(const std::vector<uint8_t>& bytes) {
  uint32_t word = 0;
  std::memcpy(&word, bytes.data(), bytes.size());
  return word;
}

std::vector<uint8_t> bytes_of(uint32_t word) {
  std::vector<uint8_t> bytes(sizeof word);
  std::memcpy(bytes.data(), &word, sizeof word);
  return bytes;
}

}  // namespace

void Snippet::add(uint32_t instruction, uint32_t type, uint32_t symbol, int64_t addend) {
  if (type != 0) relocations.push_back({size(), type, symbol, addend});
  starts.push_back(size());
  const std::vector<uint8_t> word = bytes_of(instruction);
  bytes.insert(bytes.end(), word.begin(), word.end());
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

struct Editor::Piece {
  uint32_t from = kNone;       // offset before the edit; kNone of what is new
  uint32_t labels_at = kNone;  // the old offset whose labels stand here
  uint32_t to = 0;             // offset after it
  std::vector<uint8_t> bytes;
  std::vector<Relocation> relocations;  // offsets count from its first byte
  std::vector<uint32_t> defines;        // symbols that stand here
  std::vector<uint32_t> ends;           // symbols that end here
  int branch = -1;                      // which relocation is a branch or jump
};

void Editor::insert(uint32_t offset, Place place, const Snippet& snippet) {
  const size_t index = code_.at(offset);
  const bool at_end = offset == file_->sections[code_.section()].bytes.size();
  if (!at_end && (index == code_.instructions().size() || code_.instructions()[index].glued)) {
    throw std::invalid_argument(fmt::format("{}: {}: nothing can be inserted at offset {:#x}",
                                            file_->name, file_->describe(code_.section(), offset),
                                            offset));
  }
  (place == Place::kBeforeLabels ? before_labels_ : after_labels_)[offset].push_back(snippet);
}

void Editor::replace(uint32_t offset, const Snippet& snippet) {
  const size_t index = code_.at(offset);
  if (index == code_.instructions().size()) {
    throw std::invalid_argument(fmt::format("{}: no instruction begins at offset {:#x} of {}",
                                            file_->name, offset,
                                            file_->sections[code_.section()].name));
  }
  replaced_[offset] = snippet;
}

void Editor::redirect(uint32_t offset, uint32_t symbol) {
  const size_t index = code_.at(offset);
  if (index == code_.instructions().size() || code_.instructions()[index].target_symbol == kNone ||
      code_.instructions()[index].relocation == kNone) {
    throw std::invalid_argument(fmt::format("{}: no direct branch begins at offset {:#x} of {}",
                                            file_->name, offset,
                                            file_->sections[code_.section()].name));
  }
  redirected_[offset] = symbol;
}

void Editor::append(const Snippet& snippet, std::vector<Piece>* pieces) const {
  if (!snippet.bytes.empty() && (snippet.starts.empty() || snippet.starts.front() != 0)) {
    throw std::logic_error("a snippet does not say where its instructions begin");
  }
  const size_t first = pieces->size();
  for (size_t i = 0; i < snippet.starts.size(); ++i) {
    const uint32_t begin = snippet.starts[i];
    const uint32_t end = i + 1 < snippet.starts.size() ? snippet.starts[i + 1] : snippet.size();
    Piece piece;
    piece.bytes.assign(snippet.bytes.begin() + begin, snippet.bytes.begin() + end);
    pieces->push_back(piece);
  }
  pieces->emplace_back();  // without bytes, for the labels at its end
  const auto piece_at = [&](uint64_t offset) {
    const auto next = std::upper_bound(snippet.starts.begin(), snippet.starts.end(), offset);
    const size_t index = offset == snippet.size()
                             ? snippet.starts.size()
                             : static_cast<size_t>(next - snippet.starts.begin()) - 1;
    return first + index;
  };
  for (Relocation relocation : snippet.relocations) {
    const size_t index = piece_at(relocation.offset);
    Piece& piece = (*pieces)[index];
    relocation.offset -=
        index - first < snippet.starts.size() ? snippet.starts[index - first] : snippet.size();
    if (is_branch(relocation.type) || is_jump(relocation.type)) {
      piece.branch = static_cast<int>(piece.relocations.size());
    }
    piece.relocations.push_back(relocation);
  }
  for (const auto& [symbol, offset] : snippet.labels) {
    (*pieces)[piece_at(offset)].defines.push_back(symbol);
  }
  for (const auto& [symbol, offset] : snippet.ends) {
    (*pieces)[piece_at(offset)].ends.push_back(symbol);
  }
}

std::vector<Editor::Piece> Editor::pieces() const {
  const Section& section = file_->sections[code_.section()];
  std::vector<Piece> result;
  result.reserve(code_.instructions().size() + 16);
  const auto insert_all = [&](const std::map<uint32_t, std::vector<Snippet>>& from,
                              uint32_t offset) {
    const auto found = from.find(offset);
    if (found == from.end()) return;
    for (const Snippet& snippet : found->second) append(snippet, &result);
  };
  size_t relocation = 0;
  for (const Instruction& instruction : code_.instructions()) {
    insert_all(before_labels_, instruction.offset);
    const size_t first = result.size();
    insert_all(after_labels_, instruction.offset);
    std::vector<Relocation> own;
    for (; relocation < section.relocations.size() &&
           section.relocations[relocation].offset < instruction.offset + instruction.size;
         ++relocation) {
      Relocation moved = section.relocations[relocation];
      moved.offset -= instruction.offset;
      if (moved.offset >= instruction.size) moved.offset = 0;
      const auto redirected = redirected_.find(instruction.offset);
      if (redirected != redirected_.end() &&
          (is_branch(moved.type) || is_jump(moved.type) || is_far_call(moved.type))) {
        moved.symbol = redirected->second;
        moved.addend = 0;
      }
      own.push_back(moved);
    }
    const size_t instruction_piece = result.size();
    const auto replaced = replaced_.find(instruction.offset);
    if (replaced != replaced_.end()) {
      append(replaced->second, &result);
    } else {
      Piece piece;
      piece.bytes.assign(section.bytes.begin() + instruction.offset,
                         section.bytes.begin() + instruction.offset + instruction.size);
      piece.relocations = own;
      for (size_t i = 0; i < own.size(); ++i) {
        if (is_branch(own[i].type) || is_jump(own[i].type)) piece.branch = static_cast<int>(i);
      }
      result.push_back(piece);
    }
    if (instruction_piece == result.size()) result.emplace_back();  // replaced by nothing
    result[instruction_piece].from = instruction.offset;
    result[first].labels_at = instruction.offset;
  }
  const auto end = static_cast<uint32_t>(section.bytes.size());
  insert_all(before_labels_, end);
  Piece last;
  last.labels_at = end;
  result.push_back(last);
  insert_all(after_labels_, end);
  return result;
}

void Editor::lay_out(std::vector<Piece>* pieces) {
  const uint32_t section = code_.section();
  const uint64_t old_size = file_->sections[section].bytes.size();
  // Symbols of this section, by what decides where they are.
  std::vector<uint32_t> new_place(old_size + 2, kNone);
  std::unordered_map<uint32_t, uint32_t> defined;
  for (bool changed = true; changed;) {
    changed = false;
    uint32_t offset = 0;
    for (Piece& piece : *pieces) {
      piece.to = offset;
      if (piece.labels_at != kNone) new_place[piece.labels_at] = offset;
      for (const uint32_t symbol : piece.defines) defined[symbol] = offset;
      offset += static_cast<uint32_t>(piece.bytes.size());
    }
    for (Piece& piece : *pieces) {
      if (piece.branch < 0) continue;
      Relocation& relocation = piece.relocations[static_cast<size_t>(piece.branch)];
      const Symbol& symbol = file_->symbols[relocation.symbol];
      const auto here = defined.find(relocation.symbol);
      int64_t target;
      if (here != defined.end()) {
        target = here->second;
      } else if (symbol.section == section) {
        const uint64_t old = symbol.value + static_cast<uint64_t>(relocation.addend);
        if (old > old_size || new_place[old] == kNone) continue;
        target = new_place[old];
      } else {
        continue;  // the linker's affair
      }
      const int64_t distance = target - (piece.to + static_cast<int64_t>(relocation.offset));
      const int64_t reach = reach_of(relocation.type);
      if (distance >= -reach && distance < reach) continue;
      changed = true;
      switch (relocation.type) {
        case R_RISCV_RVC_BRANCH:
        case R_RISCV_RVC_JUMP:
          piece.bytes =
              bytes_of(isa::expand_compressed(static_cast<uint16_t>(word_of(piece.bytes))));
          relocation.type = relocation.type == R_RISCV_RVC_BRANCH ? R_RISCV_BRANCH : R_RISCV_JAL;
          break;
        case R_RISCV_BRANCH: {
          const uint32_t branch = word_of(piece.bytes);
          constexpr uint32_t kImmediate = 0xfe000f80;
          piece.bytes = bytes_of(((branch & ~kImmediate) ^ kInvertCondition) | kOverEightBytes);
          const std::vector<uint8_t> far = bytes_of(jump());
          piece.bytes.insert(piece.bytes.end(), far.begin(), far.end());
          relocation.type = R_RISCV_JAL;
          relocation.offset = 4;
          break;
        }
        default:
          throw ObjectError(fmt::format(
              "{}: {}: a jump does not reach its target after the edit: expected at most 1 MiB, "
              "got {} bytes; "
              "split the source file, or leave this object out",
              file_->name, file_->describe(section, piece.from == kNone ? 0 : piece.from),
              distance));
      }
    }
  }
  move_advances(new_place);
  // What is counted from a symbol of this section gets a label of its own, or counts anew from the
  // section's beginning.
  const auto follow = [&](Relocation* relocation) {
    const Symbol& symbol = file_->symbols[relocation->symbol];
    if (relocation->addend == 0 || symbol.section != section ||
        defined.count(relocation->symbol) != 0 || is_low_half(relocation->type) ||
        relocation->type == R_RISCV_ALIGN) {
      return;
    }
    const uint64_t old = symbol.value + static_cast<uint64_t>(relocation->addend);
    if (old > old_size || new_place[old] == kNone) return;
    if (symbol.type == STT_SECTION) {
      relocation->addend = new_place[old];
      return;
    }
    relocation->symbol = file_->add_label(section, old);
    relocation->addend = 0;
  };
  for (size_t i = 1; i < file_->sections.size(); ++i) {
    if (i == section) continue;
    for (Relocation& relocation : file_->sections[i].relocations) follow(&relocation);
  }
  for (Piece& piece : *pieces) {
    for (Relocation& relocation : piece.relocations) follow(&relocation);
  }
  // A low half names the place of its auipc, and no jump to it: it gets a label of its own.
  std::unordered_map<uint32_t, uint32_t> place_of_instruction;
  for (const Piece& piece : *pieces) {
    if (piece.from != kNone) place_of_instruction[piece.from] = piece.to;
  }
  for (Piece& piece : *pieces) {
    for (Relocation& relocation : piece.relocations) {
      if (!is_low_half(relocation.type) || defined.count(relocation.symbol) != 0) continue;
      const Symbol symbol = file_->symbols[relocation.symbol];
      if (symbol.section != section || symbol.value >= old_size) continue;
      const auto found = place_of_instruction.find(static_cast<uint32_t>(symbol.value));
      if (found == place_of_instruction.end() || found->second == new_place[symbol.value]) continue;
      relocation.symbol = file_->add_label(section, 0);
      defined[relocation.symbol] = found->second;
    }
  }
  for (uint32_t i = 1; i < file_->symbols.size(); ++i) {
    Symbol& symbol = file_->symbols[i];
    const auto here = defined.find(i);
    if (here != defined.end()) {
      symbol.section = section;
      symbol.value = here->second;
    } else if (symbol.section == section && symbol.type != STT_SECTION &&
               symbol.value <= old_size && new_place[symbol.value] != kNone) {
      const uint64_t end = symbol.value + symbol.size;
      symbol.value = new_place[symbol.value];
      if (symbol.size > 0 && end <= old_size && new_place[end] != kNone) {
        symbol.size = new_place[end] - symbol.value;
      }
    }
  }
  for (const Piece& piece : *pieces) {
    for (const uint32_t symbol : piece.ends) {
      file_->symbols[symbol].size = piece.to - file_->symbols[symbol].value;
    }
  }
}

void Editor::move_advances(const std::vector<uint32_t>& new_place) {
  const uint32_t section = code_.section();
  std::unordered_map<uint64_t, uint32_t>
      labels;  // by old offset; they are laid out with the others
  const auto label = [&](uint64_t old) {
    const auto [known, is_new] = labels.try_emplace(old, 0);
    if (is_new) known->second = file_->add_label(section, old);
    return known->second;
  };
  for (const FixedAdvance& advance : fixed_advances(*file_, section)) {
    if (advance.from >= new_place.size() || advance.to >= new_place.size() ||
        new_place[advance.from] == kNone || new_place[advance.to] == kNone ||
        new_place[advance.to] - new_place[advance.from] == advance.to - advance.from) {
      continue;
    }
    relate_advance(file_, advance, label(advance.from), label(advance.to));
  }
}

std::vector<Moved> Editor::apply() {
  std::vector<Piece> all = pieces();
  lay_out(&all);
  Section& section = file_->sections[code_.section()];
  section.bytes.clear();
  section.relocations.clear();
  std::vector<Moved> moved;
  for (const Piece& piece : all) {
    if (piece.from != kNone) moved.push_back({piece.from, piece.to});
    section.bytes.insert(section.bytes.end(), piece.bytes.begin(), piece.bytes.end());
    for (Relocation relocation : piece.relocations) {
      relocation.offset += piece.to;
      section.relocations.push_back(relocation);
    }
  }
  widen_advances(file_);
  return moved;
}

}  // namespace strobe::object
