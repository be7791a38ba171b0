// The names of a program's addresses, for the analyses of sw/profile.
#pragma once

#include <string>

#include "sc_models/isa/elf/elf_file.h"
#include "sw/profile/reports/program_names.h"

namespace strobe::platform {

/// The file must outlive them.
inline profile::ProgramNames names_of(const isa::ElfFile& program) {
  return {[&program](uint64_t pc) { return program.describe(pc); },
          [&program](uint64_t pc) {
            const isa::SourceLine line = program.line_at(pc);
            if (line.file.empty()) return std::string();
            const size_t slash = line.file.rfind('/');
            return line.file.substr(slash + 1) + ':' + std::to_string(line.line);
          }};
}

inline profile::FunctionOf functions_of(const isa::ElfFile& program) {
  return [&program](uint64_t pc) {
    const isa::ElfSymbol* symbol = program.symbol_at(pc);
    return symbol != nullptr ? symbol->address : pc;
  };
}

}  // namespace strobe::platform
