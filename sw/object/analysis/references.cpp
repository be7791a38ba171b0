#include "sw/object/analysis/references.h"

#include <elf.h>

#include <algorithm>

#include "sw/object/file/relocation_kinds.h"

namespace strobe::object {
namespace {

void tidy(std::vector<uint32_t>* list) {
  std::sort(list->begin(), list->end());
  list->erase(std::unique(list->begin(), list->end()), list->end());
}

/// The function of `codes` that covers a place; nullptr if none.
const Function* function_at(const std::vector<Code>& codes, uint32_t section, uint64_t offset) {
  for (const Code& code : codes) {
    if (code.section() != section) continue;
    const auto next = std::upper_bound(code.functions().begin(), code.functions().end(), offset,
                                       [](uint64_t at, const Function& f) { return at < f.start; });
    if (next == code.functions().begin()) return nullptr;
    const Function& function = *std::prev(next);
    return offset < function.end ? &function : nullptr;
  }
  return nullptr;
}

}  // namespace

std::vector<uint32_t> References::inside(const std::vector<uint32_t>& list,
                                         const Function& function) {
  const auto first = std::upper_bound(list.begin(), list.end(), function.start);
  return {first, std::lower_bound(first, list.end(), function.end)};
}

References find_references(const ObjectFile& file, const std::vector<Code>& codes,
                           const std::vector<Handlers>& handlers) {
  References found;
  for (auto* lists : {&found.tables, &found.taken, &found.entered, &found.landing_pads}) {
    lists->resize(file.sections.size());
  }
  for (uint32_t i = 1; i < file.sections.size(); ++i) {
    const Section& section = file.sections[i];
    if ((section.flags & SHF_ALLOC) == 0 || section.name == ".eh_frame" ||
        section.name.rfind(".gcc_except_table", 0) == 0) {
      continue;
    }
    for (const Relocation& relocation : section.relocations) {
      if (relocation.symbol == 0 || relocation.type == R_RISCV_RELAX ||
          relocation.type == R_RISCV_ALIGN || relocation.type == R_RISCV_SUB32 ||
          relocation.type == R_RISCV_SUB64 || is_low_half(relocation.type)) {
        continue;
      }
      const Symbol& symbol = file.symbols[relocation.symbol];
      const Location target = location_of(file, relocation.symbol, relocation.addend);
      const Function* const function =
          target.section == 0 ? nullptr : function_at(codes, target.section, target.offset);
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
                 function_at(codes, i, relocation.offset) != function) {
        found.entered[target.section].push_back(static_cast<uint32_t>(target.offset));
      }
    }
  }
  for (const Handlers& table : handlers) {
    auto& pads = found.landing_pads[table.code_section];
    pads.insert(pads.end(), table.landing_pads.begin(), table.landing_pads.end());
  }
  for (auto* lists : {&found.tables, &found.taken, &found.entered, &found.landing_pads}) {
    for (std::vector<uint32_t>& list : *lists) tidy(&list);
  }
  tidy(&found.functions);
  return found;
}

}  // namespace strobe::object
