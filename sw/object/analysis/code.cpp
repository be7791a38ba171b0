#include "sw/object/analysis/code.h"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>

#include "sc_models/isa/decode/jump_type.h"
#include "sc_models/isa/decode/op.h"
#include "sw/object/file/relocation_kinds.h"

namespace strobe::object {
namespace {

constexpr unsigned kFunctionType = 2, kIndirectFunctionType = 10;  // STT_FUNC, STT_GNU_IFUNC

uint32_t bits_at(const std::vector<uint8_t>& bytes, uint32_t offset) {
  uint32_t bits = 0;
  std::memcpy(&bits, bytes.data() + offset, std::min<size_t>(4, bytes.size() - offset));
  return bits;
}

isa::Kind kind_of(const Instruction& instruction) {
  return isa::info(static_cast<isa::Op>(instruction.insn.op)).kind;
}

bool is_jal(const Instruction& instruction) {
  return static_cast<isa::Op>(instruction.insn.op) == isa::Op::kJal;
}

/// Ranges that mapping symbols mark as data: $d up to the next $x.
std::map<uint32_t, bool> data_marks(const ObjectFile& file, uint32_t section) {
  std::map<uint32_t, bool> marks;
  for (const Symbol& symbol : file.symbols) {
    if (symbol.section != section || symbol.name.size() < 2 || symbol.name[0] != '$') continue;
    if (symbol.name[1] == 'd') marks[static_cast<uint32_t>(symbol.value)] = true;
    if (symbol.name[1] == 'x') marks[static_cast<uint32_t>(symbol.value)] = false;
  }
  return marks;
}

}  // namespace

Code::Code(ObjectFile* file, uint32_t section) : section_(section) {
  if (file->sections.at(section).bytes.size() >= (uint64_t{1} << 31)) {
    throw ObjectError(fmt::format("{}: section {} has 2 GiB or more; expected less", file->name,
                                  file->sections[section].name));
  }
  decode(*file);
  relate(file);
  restore_far_branches(file);
  find_functions(*file);
  classify(*file);
}

size_t Code::at(uint64_t offset) const {
  const size_t halfword = offset / 2;
  if (offset % 2 != 0 || halfword >= index_of_halfword_.size()) return instructions_.size();
  const uint32_t index = index_of_halfword_[halfword];
  return index == kNone ? instructions_.size() : index;
}

bool Code::is_boundary(uint64_t offset) const {
  const size_t index = at(offset);
  if (index < instructions_.size()) return !instructions_[index].glued;
  return instructions_.empty() ? offset == 0
                               : offset == instructions_.back().offset + instructions_.back().size;
}

void Code::decode(const ObjectFile& file) {
  const std::vector<uint8_t>& bytes = file.sections[section_].bytes;
  const std::map<uint32_t, bool> marks = data_marks(file, section_);
  auto mark = marks.begin();
  bool data = false;
  index_of_halfword_.assign(bytes.size() / 2 + 1, kNone);
  for (uint32_t offset = 0; offset < bytes.size();) {
    for (; mark != marks.end() && mark->first <= offset; ++mark) data = mark->second;
    Instruction instruction;
    instruction.offset = offset;
    const uint32_t bits = bits_at(bytes, offset);
    instruction.size = (bits & 3) == 3 && !data ? 4 : 2;
    const uint32_t rest = static_cast<uint32_t>(bytes.size()) - offset;
    instruction.size = static_cast<uint8_t>(std::min<uint32_t>(instruction.size, rest));
    if (!data && instruction.size == ((bits & 3) == 3 ? 4 : 2)) {
      instruction.insn = isa::decode(bits);
    }
    if (offset % 2 == 0) {
      index_of_halfword_[offset / 2] = static_cast<uint32_t>(instructions_.size());
    }
    offset += instruction.size;
    instructions_.push_back(instruction);
  }
}

/// Whether the relocation is one of the instruction's.
bool Code::fits(uint32_t relocation, size_t index) const {
  const Instruction& instruction = instructions_[index];
  switch (relocation) {
    case R_RISCV_BRANCH:
    case R_RISCV_RVC_BRANCH:
      return kind_of(instruction) == isa::Kind::kBranch &&
             instruction.size == (relocation == R_RISCV_BRANCH ? 4 : 2);
    case R_RISCV_JAL:
    case R_RISCV_RVC_JUMP:
      return is_jal(instruction) && instruction.size == (relocation == R_RISCV_JAL ? 4 : 2);
    case R_RISCV_CALL:
    case R_RISCV_CALL_PLT:
      return static_cast<isa::Op>(instruction.insn.op) == isa::Op::kAuipc &&
             index + 1 < instructions_.size() &&
             static_cast<isa::Op>(instructions_[index + 1].insn.op) == isa::Op::kJalr;
    default:
      return true;
  }
}

/// Where the no-ops of an alignment end. They are inside the section.
uint64_t Code::end_of_padding(const ObjectFile& file, const Relocation& alignment) const {
  const uint64_t rest = file.sections[section_].bytes.size() - alignment.offset;
  if (alignment.addend < 0 || static_cast<uint64_t>(alignment.addend) > rest) {
    throw ObjectError(fmt::format(
        "{}: {}: an alignment: expected its no-ops inside section {}, got {} bytes of them; the "
        "file is damaged: compile it again",
        file.name, file.describe(section_, alignment.offset), file.sections[section_].name,
        alignment.addend));
  }
  return alignment.offset + static_cast<uint64_t>(alignment.addend);
}

void Code::relate(ObjectFile* file) {
  const std::vector<Relocation>& relocations = file->sections[section_].relocations;
  for (uint32_t i = 0; i < relocations.size(); ++i) {
    const Relocation& relocation = relocations[i];
    if (relocation.type == R_RISCV_RELAX || relocation.type == R_RISCV_NONE) continue;
    const size_t index = at(relocation.offset);
    const bool at_instruction = index < instructions_.size();
    if (is_of_instruction(relocation.type) && !(at_instruction && fits(relocation.type, index))) {
      throw ObjectError(fmt::format(
          "{}: {}: a relocation of type {}: expected it at {}, got another instruction; the file "
          "is damaged: compile it again",
          file->name, file->describe(section_, relocation.offset), relocation.type,
          is_far_call(relocation.type) ? "auipc and jalr"
          : is_branch(relocation.type) ? "a branch of its size"
          : is_jump(relocation.type)   ? "a jump of its size"
                                       : "the beginning of an instruction"));
    }
    if (!at_instruction) continue;
    if (relocation.type == R_RISCV_ALIGN) {
      const uint64_t end = end_of_padding(*file, relocation);
      for (size_t j = index + 1; j < instructions_.size() && instructions_[j].offset < end; ++j) {
        instructions_[j].glued = true;
      }
    } else if (is_far_call(relocation.type)) {
      instructions_[index + 1].glued = true;
    }
    instructions_[index].relocation = i;
  }
}

void Code::restore_far_branches(ObjectFile* file) {
  Section& section = file->sections[section_];
  bool added = false;
  for (size_t i = 0; i < instructions_.size(); ++i) {
    const Instruction& instruction = instructions_[i];
    const isa::Kind kind = kind_of(instruction);
    if (instruction.relocation != kNone || (kind != isa::Kind::kBranch && !is_jal(instruction))) {
      continue;
    }
    const uint64_t target =
        instruction.offset + static_cast<uint64_t>(int64_t{instruction.insn.imm});
    const bool over_a_jump = kind == isa::Kind::kBranch && i + 1 < instructions_.size() &&
                             instructions_[i + 1].relocation != kNone &&
                             is_jal(instructions_[i + 1]) &&
                             target == instructions_[i + 1].offset + instructions_[i + 1].size;
    if (!over_a_jump) {
      throw ObjectError(
          fmt::format("{}: {}: a branch or jump without a relocation: expected one for each, got "
                      "an object assembled without "
                      "linker relaxation; assemble it with -mrelax and without '.option norelax', "
                      "by clang 14 with -fno-integrated-as",
                      file->name, file->describe(section_, instruction.offset)));
    }
    Relocation relocation;
    relocation.offset = instruction.offset;
    relocation.type = instruction.size == 2 ? R_RISCV_RVC_BRANCH : R_RISCV_BRANCH;
    relocation.symbol = file->add_label(section_, target);
    section.relocations.push_back(relocation);
    added = true;
  }
  if (!added) return;
  sort_relocations(&section);
  for (Instruction& instruction : instructions_) instruction.relocation = kNone;
  relate(file);
}

void Code::find_functions(const ObjectFile& file) {
  const uint64_t size = file.sections[section_].bytes.size();
  std::map<uint32_t, Function> by_start;
  const auto leave = [&](const Symbol& symbol, const std::string& reason) {
    left_alone_.push_back({file.name + ": " + symbol.name, reason});
  };
  for (uint32_t i = 1; i < file.symbols.size(); ++i) {
    const Symbol& symbol = file.symbols[i];
    if (symbol.section != section_) continue;
    if (symbol.type != kFunctionType && symbol.type != kIndirectFunctionType) continue;
    if (symbol.size == 0) {
      leave(symbol, "it has no size; give it one with the directive .size");
      continue;
    }
    if (symbol.value >= size || symbol.size > size - symbol.value || !is_boundary(symbol.value) ||
        !is_boundary(symbol.value + symbol.size)) {
      leave(symbol, "it does not begin and end at instructions of its section");
      continue;
    }
    Function& function = by_start[static_cast<uint32_t>(symbol.value)];
    function.section = section_;
    function.start = static_cast<uint32_t>(symbol.value);
    function.end = std::max(function.end, static_cast<uint32_t>(symbol.value + symbol.size));
    function.symbols.push_back(i);
  }
  for (auto& [start, function] : by_start) {
    if (!functions_.empty() && functions_.back().end > start) {
      leave(file.symbols[function.symbols.front()], "it begins inside another function");
      functions_.back().end = std::max(functions_.back().end, function.end);
      continue;
    }
    functions_.push_back(function);
  }
}

void Code::classify(const ObjectFile& file) {
  const std::vector<Relocation>& relocations = file.sections[section_].relocations;
  size_t next_function = 0;
  for (size_t i = 0; i < instructions_.size(); ++i) {
    Instruction& instruction = instructions_[i];
    while (next_function < functions_.size() &&
           functions_[next_function].end <= instruction.offset) {
      ++next_function;
    }
    if (instruction.relocation != kNone) {
      const Relocation& relocation = relocations[instruction.relocation];
      if (is_branch(relocation.type) || is_jump(relocation.type) || is_far_call(relocation.type)) {
        const Symbol& symbol = file.symbols[relocation.symbol];
        instruction.target_symbol = relocation.symbol;
        instruction.target_addend = relocation.addend;
        const uint64_t target = symbol.value + static_cast<uint64_t>(relocation.addend);
        if (symbol.section == section_ && target <= file.sections[section_].bytes.size()) {
          instruction.target = static_cast<uint32_t>(target);
        }
      }
    }
    // A direct target inside the same function; its start is where a call goes.
    const bool known =
        next_function < functions_.size() && functions_[next_function].start <= instruction.offset;
    const auto inside = [&](uint32_t target) {
      return target != kNone && (!known || (target >= functions_[next_function].start &&
                                            target < functions_[next_function].end));
    };
    switch (kind_of(instruction)) {
      case isa::Kind::kIllegal:
        instruction.flow = Flow::kStop;
        break;
      case isa::Kind::kBranch:
        instruction.flow = Flow::kBranch;
        break;
      case isa::Kind::kSystem:
        if (static_cast<isa::Op>(instruction.insn.op) == isa::Op::kEbreak) {
          instruction.flow = Flow::kStop;
        }
        break;
      case isa::Kind::kJump: {
        const bool links = isa::is_link_register(instruction.insn.rd);
        const bool of_call =
            instruction.glued && i > 0 && instructions_[i - 1].target_symbol != kNone;
        if (of_call) {
          instruction.target_symbol = instructions_[i - 1].target_symbol;
          instruction.target_addend = instructions_[i - 1].target_addend;
          instruction.target = instructions_[i - 1].target;
        }
        if (is_jal(instruction) || of_call) {
          const Symbol* const symbol = instruction.target_symbol == kNone
                                           ? nullptr
                                           : &file.symbols[instruction.target_symbol];
          const bool to_function = symbol != nullptr && instruction.target_addend == 0 &&
                                   (symbol->type == kFunctionType || symbol->section == kUndefined);
          instruction.flow = links                                               ? Flow::kCall
                             : to_function && known                              ? Flow::kTailCall
                             : is_jal(instruction) && inside(instruction.target) ? Flow::kJump
                                                                                 : Flow::kOtherPart;
        } else if (links) {
          instruction.flow = Flow::kIndirectCall;
        } else {
          instruction.flow =
              isa::is_link_register(instruction.insn.rs1) ? Flow::kReturn : Flow::kIndirectJump;
        }
        break;
      }
      default:
        break;
    }
  }
}

}  // namespace strobe::object
