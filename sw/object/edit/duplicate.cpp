#include "sw/object/edit/duplicate.h"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>

#include "sw/object/analysis/jump_tables.h"
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

/// What copies of the functions of one object ask for, in order.
struct Index {
  explicit Index(const ObjectFile& file) : tables(file), computed(addresses_computed(file)) {
    const std::vector<Frame> all = read_frames(file);
    for (const Frame& frame : all) frames[{frame.code.section, frame.code.offset}].push_back(frame);
    for (const Handlers& table : read_handlers(file, all)) {
      handlers.emplace(std::pair(table.begin.section, table.begin.offset), table);
    }
    for (const Symbol& symbol : file.symbols) {
      if (symbol.name.size() < 2 || symbol.name[0] != '$') continue;
      marks[{symbol.section, symbol.value}].push_back(symbol);
    }
  }

  template <class Value>
  using ByPlace = std::map<std::pair<uint32_t, uint64_t>, Value>;
  /// Calls `each` for what `all` has in a function.
  template <class Value, class Each>
  static void in_function(const ByPlace<std::vector<Value>>& all, const Function& function,
                          Each each) {
    for (auto at = all.lower_bound({function.section, function.start});
         at != all.end() &&
         at->first < std::pair<uint32_t, uint64_t>(function.section, function.end);
         ++at) {
      for (const Value& value : at->second) each(value);
    }
  }

  JumpTables tables;
  Places computed;
  ByPlace<std::vector<Frame>> frames;  // by the code that they describe
  ByPlace<Handlers> handlers;
  ByPlace<std::vector<Symbol>> marks;  // symbols that tell code from data ($x, $d)
};

/// Makes the copy of one function.
class Copier {
 public:
  Copier(ObjectFile* file, const Code& code, const Function& function, const Index& index)
      : file_(file), code_(code), function_(function), index_(index) {}

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
    Index::in_function(index_.frames, function_, [this](const Frame& one) { copy_frame(one); });
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
    Index::in_function(index_.marks, function_, [&](const Symbol& mark) {
      data |= mark.name[1] == 'd';
      marks.push_back(mark);
    });
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
           location.offset < function_.end &&
           code_.at(location.offset) < code_.instructions().size();
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
    const JumpTable* const table = index_.tables.at(target);
    const std::optional<uint32_t> copy = table == nullptr ? std::nullopt : copy_of(*table);
    if (!copy) return;
    relocation->symbol = *copy;
    relocation->addend = static_cast<int64_t>(target.offset - table->begin.offset);
  }

  /// Whether code may take an entry through one copy of the table and count its target from the
  /// other: entries are distances from the table, its address is computed in two places, and
  /// control may change the copy between them.
  bool must_be_one(const JumpTable& table) const {
    const auto at = [&](uint64_t offset) {
      return std::lower_bound(index_.computed.begin(), index_.computed.end(),
                              std::make_pair(table.begin.section, offset));
    };
    return table.distances && at(table.end) - at(table.begin.offset) > 1;
  }

  /// Whether a copy of the table would do what it does: it is whole, and no one writes to it.
  bool is_copied(const JumpTable& table) const {
    const Section& section = file_->sections[table.begin.section];
    const bool constant =
        (section.flags & SHF_WRITE) == 0 || section.name.rfind(".data.rel.ro", 0) == 0;
    if (!table.complete || !constant || (section.flags & SHF_MERGE) != 0 || must_be_one(table)) {
      return false;
    }
    const std::vector<Location> labels = labels_of(*file_, table);
    return std::any_of(labels.begin(), labels.end(),
                       [this](const Location& label) { return inside(label); });
  }

  /// The label of the copy of a jump table; none when the copy of the function uses the original's,
  /// whose jumps arrive in the original.
  std::optional<uint32_t> copy_of(const JumpTable& table) {
    const auto known = copies_.find(&table);
    if (known != copies_.end()) return known->second;
    if (!is_copied(table)) return std::nullopt;
    const uint32_t copy = copy_bytes(table.begin.section, table.begin.offset, table.end, 8);
    copies_[&table] = copy;
    return copy;
  }

  /// Appends [begin, end) of a section of data to it. @return a label of the copy
  uint32_t copy_bytes(uint32_t index, uint64_t begin, uint64_t end, uint64_t alignment) {
    const bool frames = !has_data(file_->sections[index]);
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
      if (inside(where) && (frames || is_label(*file_, relocation))) {
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
    copy_bytes(frame.section, frame.begin, frame.end, 1);
    Section& section = file_->sections[frame.section];
    const auto back = static_cast<uint32_t>(base + 4 - frame.cie);
    for (unsigned i = 0; i < 4; ++i) {
      section.bytes[base + 4 + i] = static_cast<uint8_t>(back >> (8 * i));
    }
    if (!frame.has_handlers) return;
    const auto table = index_.handlers.find({frame.handlers.section, frame.handlers.offset});
    if (table == index_.handlers.end()) return;
    const Handlers& old = table->second;
    const uint32_t copy = copy_bytes(old.begin.section, old.begin.offset, old.end, 4);
    std::vector<Relocation>& relocations = file_->sections[frame.section].relocations;
    const uint64_t field = base + (frame.handlers_field - frame.begin);
    const auto [first, last] = range(relocations, field, field + 1);
    for (size_t i = first; i < last; ++i) {
      if (relocations[i].type == R_RISCV_SUB32) continue;
      relocations[i].symbol = copy;
      relocations[i].addend = 0;
    }
  }

  ObjectFile* file_;
  const Code& code_;
  const Function& function_;
  const Index& index_;
  std::map<uint64_t, uint32_t> labels_;
  std::map<const JumpTable*, uint32_t> copies_;  // labels
  uint32_t end_label_ = 0;
};

}  // namespace

std::string obstacle_to_copy(const Function& function, const References& references) {
  if (References::any_inside(references.table_is_open[function.section], function)) {
    return "the entries of its jump table are not in a row, so that its end is not known; compile "
           "it with -fno-jump-tables, or leave it out";
  }
  return "";
}

std::vector<Copy> duplicate(ObjectFile* file, const std::vector<Function>& functions,
                            const std::string& suffix) {
  const Index index(*file);
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
      editor.insert(end, Place::kAfterLabels,
                    Copier(file, code, copy.original, index).copy(copy.symbol));
    }
    editor.apply(Reach::kWithTheNextEdit);
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
