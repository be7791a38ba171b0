#include "sw/answer/inline_stacks.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

namespace strobe::answer {
namespace {

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

}  // namespace

unsigned base_discriminator(unsigned packed) { return first_component(packed); }

unsigned copies_of(unsigned packed) {
  return std::max(1u, first_component(without_first_component(packed)));
}

struct InlineStacks::Impl {
  int file = -1;
  Dwarf* dwarf = nullptr;
  std::vector<Dwarf_Die> units;

  Dwarf_Die* unit_of(uint64_t pc) {
    const auto found = std::find_if(units.begin(), units.end(),
                                    [&](Dwarf_Die& one) { return dwarf_haspc(&one, pc) == 1; });
    return found == units.end() ? nullptr : &*found;
  }

  /// The functions that hold `pc`, the innermost first: inlined ones, then the one with the code.
  static std::vector<Dwarf_Die> functions_at(Dwarf_Die* unit, uint64_t pc) {
    Dwarf_Die *innermost = nullptr, *scopes = nullptr;
    std::vector<Dwarf_Die> functions;
    // Scopes of a pc lead from an inlined function to those of its definition; scopes of a DIE lead
    // to its callers.
    if (dwarf_getscopes(unit, pc, &innermost) > 0) {
      const int count = dwarf_getscopes_die(innermost, &scopes);
      for (int i = 0; i < count; ++i) {
        const int tag = dwarf_tag(&scopes[i]);
        if (tag == DW_TAG_inlined_subroutine || tag == DW_TAG_subprogram) {
          functions.push_back(scopes[i]);
        }
        if (tag == DW_TAG_subprogram) break;
      }
    }
    std::free(innermost);
    std::free(scopes);
    return functions;
  }
};

InlineStacks::InlineStacks(const std::string& elf) : impl_(std::make_unique<Impl>()) {
  impl_->file = ::open(elf.c_str(), O_RDONLY | O_CLOEXEC);
  if (impl_->file >= 0) impl_->dwarf = dwarf_begin(impl_->file, DWARF_C_READ);
  if (impl_->dwarf == nullptr) return;
  Dwarf_CU* unit = nullptr;
  Dwarf_Die die;
  while (dwarf_get_units(impl_->dwarf, unit, &unit, nullptr, nullptr, &die, nullptr) == 0) {
    impl_->units.push_back(die);
  }
}

InlineStacks::~InlineStacks() {
  if (impl_->dwarf != nullptr) dwarf_end(impl_->dwarf);
  if (impl_->file >= 0) ::close(impl_->file);
}

InlineStack InlineStacks::at(uint64_t pc) const {
  InlineStack stack;
  Dwarf_Die* const unit = impl_->unit_of(pc);
  if (unit == nullptr) return stack;
  Dwarf_Line* const row = dwarf_getsrc_die(unit, pc);
  int line = 0;
  unsigned packed = 0;
  if (row == nullptr || dwarf_lineno(row, &line) != 0 || line == 0) return stack;
  const bool llvm = made_by_llvm(unit);
  if (!llvm || dwarf_linediscriminator(row, &packed) != 0) packed = 0;
  stack.copies = llvm ? copies_of(packed) : 1;
  for (Dwarf_Die& function : Impl::functions_at(unit, pc)) {
    InlineFrame frame{name_of(&function), number_of(&function, DW_AT_decl_line), line,
                      llvm ? base_discriminator(packed) : 0};
    if (frame.function.empty() || frame.start == 0) return {};
    stack.frames.insert(stack.frames.begin(), std::move(frame));
    line = number_of(&function, DW_AT_call_line);
    packed = static_cast<unsigned>(number_of(&function, kGnuDiscriminator));
  }
  return stack;
}

}  // namespace strobe::answer
