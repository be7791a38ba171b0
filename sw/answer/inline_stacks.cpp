#include "sw/answer/inline_stacks.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "sc_models/isa/elf/debug_file.h"
#include "sc_models/isa/elf/debug_limits.h"
#include "sw/answer/answer_error.h"
#include "sw/text/limits.h"

namespace strobe::answer {

/// A function with code, or one that is inlined there.
struct InlineScope {
  Dwarf_Die die;
  uint32_t caller;  // the scope in which it is inlined; kNone: it is not
  uint32_t unit;
};

/// Code of a scope. The ranges of a scope lie within those of its caller.
struct InlineRange {
  uint64_t begin, end;
  uint32_t scope;
  uint32_t outer;  // the range around it; kNone: there is none
};

namespace {

constexpr uint32_t kNone = ~uint32_t{0};

constexpr unsigned kGnuDiscriminator = 0x2136;  // DW_AT_GNU_discriminator

/// One component of a packed discriminator: 0 is one bit, a number below 32 seven, others fourteen.
unsigned first_component(unsigned packed) {
  if ((packed & 1) != 0) return 0;
  const unsigned bits = packed >> 1;
  return (bits & 0x20) != 0 ? ((bits >> 1 & 0xfe0) | (bits & 0x1f)) : bits & 0x1f;
}

unsigned without_first_component(unsigned packed) {
  if ((packed & 1) != 0) return packed >> 1;
  return packed >> ((packed & 0x40) != 0 ? 14 : 7);
}

int number_of(Dwarf_Die* die, unsigned name) {
  Dwarf_Attribute attribute;
  Dwarf_Word value = 0;
  if (dwarf_attr_integrate(die, name, &attribute) == nullptr ||
      dwarf_formudata(&attribute, &value) != 0 || value > INT32_MAX) {
    return 0;
  }
  return static_cast<int>(value);
}

std::string name_of(Dwarf_Die* die) {
  Dwarf_Attribute attribute;
  for (const unsigned name : {DW_AT_linkage_name, DW_AT_MIPS_linkage_name, DW_AT_name}) {
    if (dwarf_attr_integrate(die, name, &attribute) == nullptr) continue;
    if (const char* text = dwarf_formstring(&attribute)) return text;
  }
  return "";
}

bool made_by_llvm(Dwarf_Die* unit) {
  Dwarf_Attribute attribute;
  const char* producer =
      dwarf_attr(unit, DW_AT_producer, &attribute) ? dwarf_formstring(&attribute) : nullptr;
  return producer != nullptr && std::string(producer).find("clang") != std::string::npos;
}

/// Goes through the entries of all units once.
class ScopeReader {
 public:
  ScopeReader(std::vector<Dwarf_Die>* units, std::vector<InlineScope>* scopes,
              std::vector<InlineRange>* ranges)
      : units_(*units), scopes_(*scopes), ranges_(*ranges) {}

  void read() {
    for (uint32_t unit = 0; unit < units_.size(); ++unit) read_unit(unit);
    std::sort(ranges_.begin(), ranges_.end(), [](const InlineRange& a, const InlineRange& b) {
      return std::tie(a.begin, b.end, a.scope) < std::tie(b.begin, a.end, b.scope);
    });
    std::vector<uint32_t> open;
    for (uint32_t i = 0; i < ranges_.size(); ++i) {
      while (!open.empty() && ranges_[open.back()].end <= ranges_[i].begin) open.pop_back();
      ranges_[i].outer = open.empty() ? kNone : open.back();
      open.push_back(i);
    }
  }

 private:
  /// The entries of a list of siblings that are still to be read.
  struct Level {
    Dwarf_Die die;
    uint32_t scope;  // around them
    uint64_t read;   // entries below `die`
  };

  void read_unit(uint32_t unit) {
    std::vector<Level> open;
    const auto enter = [&](Dwarf_Die* die, uint32_t scope) {
      Level level = {{}, scope, 0};
      if (dwarf_child(die, &level.die) != 0) return false;
      open.push_back(level);
      const text::Limit& most = text::limits::kDebugDepth;
      if (text::exceeds(most, open.size())) refuse(die, text::excess(most, open.size()));
      return true;
    };
    enter(&units_[unit], kNone);
    while (!open.empty()) {
      Dwarf_Die die = open.back().die;
      take(&die, 1);
      if (!enter(&die, scope_of(&die, open.back().scope, unit))) leave(&open);
    }
  }

  /// Goes on with the next sibling, or with that of an entry around it. libdw looks for it below
  /// the entry.
  void leave(std::vector<Level>* open) {
    for (; !open->empty(); open->pop_back()) {
      Level& level = open->back();
      take(&level.die, level.read);
      if (open->size() > 1) (*open)[open->size() - 2].read += level.read + 1;
      level.read = 0;
      if (dwarf_siblingof(&level.die, &level.die) == 0) return;
    }
  }

  /// The scope of what is below an entry.
  uint32_t scope_of(Dwarf_Die* die, uint32_t around, uint32_t unit) {
    const int tag = dwarf_tag(die);
    if (tag != DW_TAG_subprogram && tag != DW_TAG_inlined_subroutine) return around;
    const auto scope = static_cast<uint32_t>(scopes_.size());
    bool has_code = false;
    Dwarf_Addr base = 0, begin = 0, end = 0;
    for (ptrdiff_t at = 0; (at = dwarf_ranges(die, at, &base, &begin, &end)) > 0;) {
      if (!range_budget_.take()) refuse(die, range_budget_.excess());
      if (begin >= end) continue;
      ranges_.push_back({begin, end, scope, kNone});
      has_code = true;
    }
    if (!has_code) return tag == DW_TAG_subprogram ? kNone : around;
    scopes_.push_back({*die, tag == DW_TAG_subprogram ? kNone : around, unit});
    return scope;
  }

  void take(Dwarf_Die* die, uint64_t entries) {
    if (!entry_budget_.take(entries)) refuse(die, entry_budget_.excess());
  }

  [[noreturn]] static void refuse(Dwarf_Die* die, const std::string& excess) {
    throw AnswerError(fmt::format(
        "the debug information of the program is too large at byte {:#x} of .debug_info: {}",
        dwarf_dieoffset(die), excess));
  }

  std::vector<Dwarf_Die>& units_;
  std::vector<InlineScope>& scopes_;
  std::vector<InlineRange>& ranges_;
  text::Budget entry_budget_{text::limits::kDebugEntries};
  text::Budget range_budget_{text::limits::kDebugRanges};
};

}  // namespace

unsigned base_discriminator(unsigned packed) { return first_component(packed); }

unsigned copies_of(unsigned packed) {
  return std::max(1u, first_component(without_first_component(packed)));
}

struct InlineStacks::Impl {
  int file = -1;
  Elf* elf = nullptr;
  Dwarf* dwarf = nullptr;
  std::vector<Dwarf_Die> units;
  std::vector<InlineScope> scopes;
  std::vector<InlineRange> ranges;

  Impl() = default;
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
  ~Impl() {
    if (dwarf != nullptr) dwarf_end(dwarf);
    elf_end(elf);
    if (file >= 0) ::close(file);
  }

  /// The innermost scope at `pc`; kNone without one.
  uint32_t scope_at(uint64_t pc) const {
    const auto after = std::upper_bound(
        ranges.begin(), ranges.end(), pc,
        [](uint64_t value, const InlineRange& range) { return value < range.begin; });
    auto range = static_cast<uint32_t>(after - ranges.begin()) - 1;
    // Only hostile ranges overlap so often.
    for (uint64_t i = 0; range != kNone && i < text::limits::kDebugDepth.most; ++i) {
      if (pc < ranges[range].end) return ranges[range].scope;
      range = ranges[range].outer;
    }
    return kNone;
  }
};

InlineStacks::InlineStacks(const std::string& elf) : impl_(std::make_unique<Impl>()) {
  elf_version(EV_CURRENT);
  impl_->file = ::open(elf.c_str(), O_RDONLY | O_CLOEXEC);
  impl_->elf = elf_begin(impl_->file, ELF_C_READ_MMAP_PRIVATE, nullptr);
  if (impl_->elf == nullptr || !isa::unreadable_debug(impl_->elf).empty() ||
      !isa::debug_excess(impl_->elf).empty()) {
    return;
  }
  impl_->dwarf = dwarf_begin_elf(impl_->elf, DWARF_C_READ, nullptr);
  if (impl_->dwarf == nullptr) return;
  Dwarf_CU* unit = nullptr;
  Dwarf_Die die;
  while (dwarf_get_units(impl_->dwarf, unit, &unit, nullptr, nullptr, &die, nullptr) == 0) {
    impl_->units.push_back(die);
  }
  ScopeReader(&impl_->units, &impl_->scopes, &impl_->ranges).read();
}

InlineStacks::~InlineStacks() = default;

InlineStack InlineStacks::at(uint64_t pc) const {
  InlineStack stack;
  uint32_t scope = impl_->scope_at(pc);
  if (scope == kNone) return stack;
  Dwarf_Die* const unit = &impl_->units[impl_->scopes[scope].unit];
  Dwarf_Line* const row = dwarf_getsrc_die(unit, pc);
  int line = 0;
  unsigned packed = 0;
  if (row == nullptr || dwarf_lineno(row, &line) != 0 || line == 0) return stack;
  const bool llvm = made_by_llvm(unit);
  if (!llvm || dwarf_linediscriminator(row, &packed) != 0) packed = 0;
  stack.copies = llvm ? copies_of(packed) : 1;
  for (; scope != kNone; scope = impl_->scopes[scope].caller) {
    Dwarf_Die* const function = &impl_->scopes[scope].die;
    InlineFrame frame{name_of(function), number_of(function, DW_AT_decl_line), line,
                      llvm ? base_discriminator(packed) : 0};
    if (frame.function.empty() || frame.start == 0) return {};
    stack.frames.push_back(std::move(frame));
    line = number_of(function, DW_AT_call_line);
    packed = static_cast<unsigned>(number_of(function, kGnuDiscriminator));
  }
  std::reverse(stack.frames.begin(), stack.frames.end());
  return stack;
}

}  // namespace strobe::answer
