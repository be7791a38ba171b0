#include "sw/object/edit/duplicate.h"

#include <elf.h>

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>

#include "sw/object/edit/editor.h"
#include "sw/object/edit/encode.h"
#include "sw/object/file/frames.h"
#include "sw/object/file/relocation_kinds.h"

namespace strobe::object {
namespace {

/// Places in sections as pairs of section and offset, sorted; one that is there twice is twice in
/// it.
using Places = std::vector<std::pair<uint32_t, uint64_t>>;

/// What the code of an object computes the address of.
Places addresses_computed(const ObjectFile& file) {
  Places found;
  for (const Section& section : file.sections) {
    if (!section.is_code()) continue;
    for (const Relocation& relocation : section.relocations) {
      if (!is_high_half(relocation.type)) continue;
      const Location target = location_of(file, relocation.symbol, relocation.addend);
      if (target.section != 0) found.emplace_back(target.section, target.offset);
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

/// Makes the copy of one function.
class Copier {
 public:
  Copier(ObjectFile* file, const Code& code, const Function& function, const Places& computed,
         const std::vector<Frame>& frames, const std::vector<Handlers>& handlers)
      : file_(file),
        code_(code),
        function_(function),
        computed_(computed),
        frames_(frames),
        handlers_(handlers) {}

  /// The code, to be appended; tables and descriptions are appended to their sections here.
  Snippet copy(uint32_t symbol) {
    Snippet snippet;
    const Section& section = file_->sections[function_.section];
    snippet.bytes.assign(section.bytes.begin() + function_.start,
                         section.bytes.begin() + function_.end);
    for (size_t i = code_.at(function_.start);
         i < code_.instructions().size() && code_.instructions()[i].offset < function_.end; ++i) {
      snippet.starts.push_back(code_.instructions()[i].offset - function_.start);
    }
    const auto [first, last] = range(section.relocations, function_.start, function_.end);
    for (size_t i = first; i < last; ++i) {
      Relocation relocation = file_->sections[function_.section].relocations[i];
      relocation.offset -= function_.start;
      retarget(&relocation);
      snippet.relocations.push_back(relocation);
    }
    end_label_ = file_->add_label(function_.section, 0);
    for (const Frame& frame : frames_) {
      if (frame.code.section == function_.section && frame.code.offset >= function_.start &&
          frame.code.offset < function_.end) {
        copy_frame(frame);
      }
    }
    copy_marks(&snippet);
    for (const auto& [old, label] : labels_) {
      snippet.labels.emplace_back(label, static_cast<uint32_t>(old - function_.start));
    }
    snippet.labels.emplace_back(symbol, 0);
    snippet.labels.emplace_back(end_label_, snippet.size());
    snippet.ends.emplace_back(symbol, snippet.size());
    if (falls_through()) {
      snippet.add(jump(), R_RISCV_JAL, file_->add_label(function_.section, function_.end));
    }
    return snippet;
  }

 private:
  static std::pair<size_t, size_t> range(const std::vector<Relocation>& relocations, uint64_t begin,
                                         uint64_t end) {
    const auto at = [&](uint64_t offset) {
      return static_cast<size_t>(
          std::lower_bound(relocations.begin(), relocations.end(), offset,
                           [](const Relocation& r, uint64_t o) { return r.offset < o; }) -
          relocations.begin());
    };
    return {at(begin), at(end)};
  }

  /// The symbols that tell code from data ($x, $d), where the function has data.
  void copy_marks(Snippet* snippet) {
    std::vector<Symbol> marks;
    bool data = false;
    for (const Symbol& symbol : file_->symbols) {
      if (symbol.section != function_.section || symbol.name.size() < 2 || symbol.name[0] != '$' ||
          symbol.value < function_.start || symbol.value >= function_.end) {
        continue;
      }
      data |= symbol.name[1] == 'd';
      marks.push_back(symbol);
    }
    if (!data) return;
    for (const Symbol& mark : marks) {
      snippet->labels.emplace_back(file_->add_label(function_.section, 0, mark.name),
                                   static_cast<uint32_t>(mark.value - function_.start));
    }
    snippet->labels.emplace_back(file_->add_label(function_.section, 0, "$x"), snippet->size());
  }

  bool falls_through() const {
    size_t last = code_.at(function_.start);
    while (last + 1 < code_.instructions().size() &&
           code_.instructions()[last + 1].offset < function_.end) {
      ++last;
    }
    const Flow flow = code_.instructions()[last].flow;
    return function_.end < file_->sections[function_.section].bytes.size() && flow != Flow::kJump &&
           flow != Flow::kTailCall && flow != Flow::kOtherPart && flow != Flow::kIndirectJump &&
           flow != Flow::kReturn;
  }

  /// The copy's label for what is at `offset` of the original.
  uint32_t label(uint64_t offset) {
    const auto [found, is_new] = labels_.try_emplace(offset, 0);
    if (is_new) found->second = file_->add_label(function_.section, 0);
    return found->second;
  }

  bool inside(const Location& location) const {
    return location.section == function_.section && location.offset >= function_.start &&
           location.offset < function_.end;
  }

  /// What the code of the copy refers to.
  void retarget(Relocation* relocation) {
    if (relocation->type == R_RISCV_RELAX || relocation->type == R_RISCV_ALIGN) return;
    const Symbol& symbol = file_->symbols[relocation->symbol];
    const Location target = location_of(*file_, relocation->symbol, relocation->addend);
    if (target.section == 0) return;
    if (inside(target)) {
      // A call of itself and its own address stay; so do addresses of labels, which may be counted
      // from others that stay.
      const bool branch =
          is_branch(relocation->type) || (is_jump(relocation->type) && symbol.type != STT_FUNC);
      if (!branch && !is_low_half(relocation->type)) return;
      relocation->symbol = label(target.offset);
      relocation->addend = 0;
      return;
    }
    if (const std::optional<uint32_t> table = copy_table(target)) {
      relocation->symbol = *table;
      relocation->addend = 0;
    }
  }

  /// How many bytes the entry at `offset` of a table has that begins at `table`; 0 when none is
  /// there.
  uint64_t entry_size(const Location& table, uint64_t offset) const {
    const std::vector<Relocation>& relocations = file_->sections[table.section].relocations;
    const auto [first, last] = range(relocations, offset, offset + 1);
    bool label_here = false, table_subtracted = false;
    uint64_t size = 0;
    for (size_t i = first; i < last; ++i) {
      const Relocation& relocation = relocations[i];
      const Location where = location_of(*file_, relocation.symbol, relocation.addend);
      switch (relocation.type) {
        case R_RISCV_ADD32:
          label_here = inside(where);
          size = 4;
          break;
        case R_RISCV_SUB32:
          table_subtracted = where == table;
          break;
        case R_RISCV_64:
        case R_RISCV_32:
          // The function's own address is no label of it.
          label_here = table_subtracted = inside(where) && where.offset != function_.start;
          size = relocation.type == R_RISCV_64 ? 8 : 4;
          break;
        default:
          return 0;
      }
    }
    const uint64_t end = file_->sections[table.section].bytes.size();
    const bool whole = offset <= end && size <= end - offset;
    return label_here && table_subtracted && whole ? size : 0;
  }

  /// Whether code may take an entry of [begin, end) through one copy of the table and count its
  /// target from the other: entries are distances from the table, its address is computed in two
  /// places, and control may change the copy between them.
  bool must_be_one(const Location& begin, uint64_t end) const {
    const std::vector<Relocation>& relocations = file_->sections[begin.section].relocations;
    const auto [first, last] = range(relocations, begin.offset, end);
    const bool distances =
        std::any_of(relocations.begin() + static_cast<ptrdiff_t>(first),
                    relocations.begin() + static_cast<ptrdiff_t>(last),
                    [](const Relocation& relocation) { return relocation.type == R_RISCV_SUB32; });
    const auto at = [&](uint64_t offset) {
      return std::lower_bound(computed_.begin(), computed_.end(),
                              std::make_pair(begin.section, offset));
    };
    return distances && at(end) - at(begin.offset) > 1;
  }

  /// The label of the copy of the jump table at `begin`; none when no table of this function is
  /// there, or the copy of the function must use the original's.
  std::optional<uint32_t> copy_table(const Location& begin) {
    Section& section = file_->sections[begin.section];
    if (section.is_code() || (section.flags & SHF_MERGE) != 0) return std::nullopt;
    const auto known = tables_.find({begin.section, begin.offset});
    if (known != tables_.end()) return known->second;
    uint64_t end = begin.offset;
    while (const uint64_t size = entry_size(begin, end)) end += size;
    if (end == begin.offset || must_be_one(begin, end)) return std::nullopt;
    const uint32_t copy = copy_bytes(begin.section, begin.offset, end, 8, /*frames=*/false);
    tables_[{begin.section, begin.offset}] = copy;
    return copy;
  }

  /// Appends [begin, end) of a section of data to it. @return a label of the copy
  uint32_t copy_bytes(uint32_t index, uint64_t begin, uint64_t end, uint64_t alignment,
                      bool frames) {
    std::vector<Relocation> relocations;
    {
      const Section& section = file_->sections[index];
      const auto [first, last] = range(section.relocations, begin, end);
      relocations.assign(section.relocations.begin() + static_cast<ptrdiff_t>(first),
                         section.relocations.begin() + static_cast<ptrdiff_t>(last));
    }
    Section& section = file_->sections[index];
    while (section.bytes.size() % alignment != begin % alignment) section.bytes.push_back(0);
    const uint64_t base = section.bytes.size();
    const std::vector<uint8_t> bytes(section.bytes.begin() + static_cast<ptrdiff_t>(begin),
                                     section.bytes.begin() + static_cast<ptrdiff_t>(end));
    section.bytes.insert(section.bytes.end(), bytes.begin(), bytes.end());
    const uint32_t copy = file_->add_label(index, base);
    for (Relocation& relocation : relocations) {
      const Location where = location_of(*file_, relocation.symbol, relocation.addend);
      if (inside(where)) {
        relocation.symbol = label(where.offset);
        relocation.addend = 0;
      } else if (frames && where.section == function_.section && where.offset == function_.end) {
        relocation.symbol = end_label_;
        relocation.addend = 0;
      } else if (where.section == index && where.offset >= begin && where.offset <= end) {
        relocation.symbol = file_->add_label(index, base + (where.offset - begin));
        relocation.addend = 0;
      }
      relocation.offset = base + (relocation.offset - begin);
    }
    Section& grown = file_->sections[index];
    grown.relocations.insert(grown.relocations.end(), relocations.begin(), relocations.end());
    return copy;
  }

  void copy_frame(const Frame& frame) {
    const uint64_t base = file_->sections[frame.section].bytes.size();
    copy_bytes(frame.section, frame.begin, frame.end, 1, /*frames=*/true);
    Section& section = file_->sections[frame.section];
    const auto back = static_cast<uint32_t>(base + 4 - frame.cie);
    for (unsigned i = 0; i < 4; ++i) {
      section.bytes[base + 4 + i] = static_cast<uint8_t>(back >> (8 * i));
    }
    if (!frame.has_handlers) return;
    const auto table = std::find_if(handlers_.begin(), handlers_.end(), [&](const Handlers& one) {
      return one.begin == frame.handlers;
    });
    if (table == handlers_.end()) return;
    const uint32_t copy = copy_bytes(table->begin.section, table->begin.offset, table->end, 4,
                                     /*frames=*/true);
    for (Relocation& relocation : file_->sections[frame.section].relocations) {
      if (relocation.offset == base + (frame.handlers_field - frame.begin) &&
          relocation.type != R_RISCV_SUB32) {
        relocation.symbol = copy;
        relocation.addend = 0;
      }
    }
  }

  ObjectFile* file_;
  const Code& code_;
  const Function& function_;
  const Places& computed_;
  const std::vector<Frame>& frames_;
  const std::vector<Handlers>& handlers_;
  std::map<uint64_t, uint32_t> labels_;
  std::map<std::pair<uint32_t, uint64_t>, uint32_t> tables_;
  uint32_t end_label_ = 0;
};

}  // namespace

std::vector<Copy> duplicate(ObjectFile* file, const std::vector<Function>& functions,
                            const std::string& suffix) {
  const Places computed = addresses_computed(*file);
  const std::vector<Frame> frames = read_frames(*file);
  const std::vector<Handlers> handlers = read_handlers(*file, frames);
  std::map<uint32_t, std::vector<Copy>> by_section;
  for (const Function& function : functions) {
    Copy copy;
    copy.original = function;
    Symbol symbol = file->symbols[function.symbols.front()];
    symbol.name += suffix;
    file->symbols.push_back(symbol);
    copy.symbol = static_cast<uint32_t>(file->symbols.size() - 1);
    by_section[function.section].push_back(copy);
  }
  std::vector<Copy> copies;
  for (auto& [section, of_section] : by_section) {
    const Code code(file, section);
    Editor editor(file, code);
    const auto end = static_cast<uint32_t>(file->sections[section].bytes.size());
    for (Copy& copy : of_section) {
      editor.insert(
          end, Place::kAfterLabels,
          Copier(file, code, copy.original, computed, frames, handlers).copy(copy.symbol));
    }
    editor.apply();
    for (Copy& copy : of_section) {
      const Symbol& symbol = file->symbols[copy.symbol];
      copy.start = static_cast<uint32_t>(symbol.value);
      copy.end = static_cast<uint32_t>(symbol.value + symbol.size);
      copies.push_back(copy);
    }
  }
  return copies;
}

}  // namespace strobe::object
