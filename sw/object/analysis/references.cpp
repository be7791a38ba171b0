#include "sw/object/analysis/references.h"

#include <elf.h>

#include <algorithm>

#include "sw/object/analysis/jump_tables.h"
#include "sw/object/file/relocation_kinds.h"

namespace strobe::object {
namespace {

void tidy(std::vector<uint32_t>* list) {
  std::sort(list->begin(), list->end());
  list->erase(std::unique(list->begin(), list->end()), list->end());
}

/// The functions of an object by place.
class Functions {
 public:
  Functions(const ObjectFile& file, const std::vector<Code>& codes)
      : by_section_(file.sections.size()) {
    for (const Code& code : codes) by_section_[code.section()] = &code.functions();
  }

  /// The function that covers a place; nullptr if none.
  const Function* at(const Location& place) const {
    const std::vector<Function>* const functions = by_section_[place.section];
    if (functions == nullptr) return nullptr;
    const auto next =
        std::upper_bound(functions->begin(), functions->end(), place.offset,
                         [](uint64_t offset, const Function& f) { return offset < f.start; });
    if (next == functions->begin() || place.offset >= std::prev(next)->end) return nullptr;
    return &*std::prev(next);
  }

 private:
  std::vector<const std::vector<Function>*> by_section_;
};

/// What follows from code that computes the address of a jump table.
void refer_to_table(const ObjectFile& file, const Functions& functions, const JumpTable& table,
                    const Location& code, References* found) {
  const auto offset = static_cast<uint32_t>(code.offset);
  if (!table.complete) found->table_is_open[code.section].push_back(offset);
  for (const Location& label : labels_of(file, table)) {
    const Function* const function = functions.at(label);
    if (function == functions.at(code)) continue;
    found->table_leads_out[code.section].push_back(offset);
    if (function != nullptr && label.offset != function->start) {
      found->entered[label.section].push_back(static_cast<uint32_t>(label.offset));
    }
  }
}

}  // namespace

std::vector<uint32_t> References::inside(const std::vector<uint32_t>& list,
                                         const Function& function) {
  const auto first = std::upper_bound(list.begin(), list.end(), function.start);
  return {first, std::lower_bound(first, list.end(), function.end)};
}

bool References::any_inside(const std::vector<uint32_t>& list, const Function& function) {
  const auto first = std::lower_bound(list.begin(), list.end(), function.start);
  return first != list.end() && *first < function.end;
}

References find_references(const ObjectFile& file, const std::vector<Code>& codes,
                           const std::vector<Handlers>& handlers) {
  References found;
  const auto lists = {&found.tables,       &found.taken,           &found.entered,
                      &found.landing_pads, &found.table_leads_out, &found.table_is_open};
  for (auto* list : lists) list->resize(file.sections.size());
  const Functions functions(file, codes);
  const JumpTables tables(file);
  for (uint32_t i = 1; i < file.sections.size(); ++i) {
    const Section& section = file.sections[i];
    if (!section.is_code() && !has_data(section)) continue;
    for (const Relocation& relocation : section.relocations) {
      if (relocation.symbol == 0 || relocation.type == R_RISCV_RELAX ||
          relocation.type == R_RISCV_ALIGN || relocation.type == R_RISCV_SUB32 ||
          relocation.type == R_RISCV_SUB64 || is_low_half(relocation.type)) {
        continue;
      }
      const Symbol& symbol = file.symbols[relocation.symbol];
      Location target = location_of(file, relocation.symbol, relocation.addend);
      if (section.is_code() && is_high_half(relocation.type)) {
        const JumpTable* const table = tables.at(target);
        if (table != nullptr) {
          refer_to_table(file, functions, *table, {i, relocation.offset}, &found);
        }
      }
      // A pointer may have a tag in its lowest bit, which a jump through it ignores.
      target.offset &= ~uint64_t{1};
      const Function* const function = functions.at(target);
      const bool begins = function != nullptr && function->start == target.offset;
      const bool branch =
          section.is_code() &&
          (is_branch(relocation.type) || is_jump(relocation.type) || is_far_call(relocation.type));
      if (!branch) {
        if (begins) {
          found.functions.push_back(function->symbols.front());
        } else if (function != nullptr) {
          (section.is_code() ? found.taken : found.tables)[target.section].push_back(
              static_cast<uint32_t>(target.offset));
        } else if (symbol.section == kUndefined) {
          found.functions.push_back(relocation.symbol);
        }
      } else if (function != nullptr && !begins &&
                 functions.at({i, relocation.offset}) != function) {
        found.entered[target.section].push_back(static_cast<uint32_t>(target.offset));
      }
    }
  }
  for (const Handlers& table : handlers) {
    auto& pads = found.landing_pads[table.code_section];
    pads.insert(pads.end(), table.landing_pads.begin(), table.landing_pads.end());
  }
  for (auto* list : lists) {
    for (std::vector<uint32_t>& of_section : *list) tidy(&of_section);
  }
  tidy(&found.functions);
  return found;
}

}  // namespace strobe::object
