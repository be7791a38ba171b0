#include "sw/object/edit/editor.h"

#include <fmt/format.h>

#include <stdexcept>

#include "sw/object/edit/layout.h"
#include "sw/object/file/relocation_kinds.h"

namespace strobe::object {
void Editor::insert(uint32_t offset, Place place, const Snippet& snippet) {
  if (!code_.is_boundary(offset)) {
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

std::vector<Relocation> Editor::relocations_of(const Instruction& instruction, size_t* next) const {
  const std::vector<Relocation>& all = file_->sections[code_.section()].relocations;
  const auto redirected = redirected_.find(instruction.offset);
  std::vector<Relocation> own;
  for (; *next < all.size() && all[*next].offset < instruction.offset + instruction.size; ++*next) {
    Relocation moved = all[*next];
    moved.offset -= instruction.offset;
    if (redirected != redirected_.end() &&
        (is_branch(moved.type) || is_jump(moved.type) || is_far_call(moved.type))) {
      moved.symbol = redirected->second;
      moved.addend = 0;
    }
    own.push_back(moved);
  }
  return own;
}

std::vector<Moved> Editor::apply(Reach reach) {
  Layout layout(file_, code_);
  const auto insert_all = [&](const std::map<uint32_t, std::vector<Snippet>>& from,
                              uint32_t offset) {
    const auto found = from.find(offset);
    if (found == from.end()) return;
    for (const Snippet& snippet : found->second) layout.append(snippet);
  };
  size_t relocation = 0;
  for (const Instruction& instruction : code_.instructions()) {
    insert_all(before_labels_, instruction.offset);
    const uint32_t first = layout.size();
    insert_all(after_labels_, instruction.offset);
    const uint32_t piece = layout.size();
    const std::vector<Relocation> own = relocations_of(instruction, &relocation);
    const auto replaced = replaced_.find(instruction.offset);
    if (replaced != replaced_.end()) {
      layout.append(replaced->second);
    } else {
      layout.append(instruction, own);
    }
    layout.stand_for(piece, instruction.offset);
    layout.put_labels(first, instruction.offset);
  }
  const auto end = static_cast<uint32_t>(file_->sections[code_.section()].bytes.size());
  insert_all(before_labels_, end);
  layout.append(Snippet());
  layout.put_labels(layout.size() - 1, end);
  insert_all(after_labels_, end);
  return layout.write(reach);
}

}  // namespace strobe::object
