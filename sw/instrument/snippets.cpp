#include "sw/instrument/snippets.h"

#include <elf.h>

#include "sc_models/isa/decode/op.h"
#include "sw/object/edit/encode.h"

namespace strobe::instrument {
namespace {

using object::ObjectFile;
using object::Snippet;
using object::Symbol;

/// Scratch registers, those that compressed instructions and arguments use least first.
constexpr unsigned kScratchOrder[] = {5,  6, 7, 28, 29, 30, 31, 17, 16, 15, 14, 13, 12, 11,
                                      10, 1, 8, 9,  18, 19, 20, 21, 22, 23, 24, 25, 26, 27};

}  // namespace

std::vector<unsigned> free_registers(object::Registers not_these, unsigned count) {
  std::vector<unsigned> found;
  for (const unsigned reg : kScratchOrder) {
    if (found.size() == count) break;
    if ((not_these & object::x(reg)) == 0) found.push_back(reg);
  }
  return found;
}

Globals::Globals(ObjectFile* file) : file_(file) {
  for (uint32_t i = 1; i < file->symbols.size(); ++i) {
    if (!file->symbols[i].local()) index_[file->symbols[i].name] = i;
  }
}

uint32_t Globals::operator[](const std::string& name) {
  const auto [found, is_new] = index_.try_emplace(name, 0);
  if (is_new) {
    Symbol symbol;
    symbol.name = name;
    symbol.binding = STB_GLOBAL;
    file_->symbols.push_back(symbol);
    found->second = static_cast<uint32_t>(file_->symbols.size() - 1);
  }
  return found->second;
}

int32_t frame_of(const std::vector<unsigned>& registers) {
  constexpr size_t kAlignment = 16;
  return static_cast<int32_t>((registers.size() * 8 + kAlignment - 1) / kAlignment * kAlignment);
}

void push(Snippet* code, const std::vector<unsigned>& registers) {
  if (registers.empty()) return;
  code->add(object::addi(object::kSp, object::kSp, -frame_of(registers)));
  int32_t at = 0;
  for (const unsigned reg : registers) {
    code->add(object::sd(reg, object::kSp, at));
    at += 8;
  }
}

void pop(Snippet* code, const std::vector<unsigned>& registers) {
  if (registers.empty()) return;
  int32_t at = 0;
  for (const unsigned reg : registers) {
    code->add(object::ld(reg, object::kSp, at));
    at += 8;
  }
  code->add(object::addi(object::kSp, object::kSp, frame_of(registers)));
}

void add_number(Snippet* code, unsigned reg, uint32_t number) {
  const uint32_t upper = (number + 0x800) >> 12;
  const auto lower = static_cast<int32_t>(number - (upper << 12));
  if (upper == 0) {
    code->add(object::addi(reg, object::kZero, lower));
    return;
  }
  code->add(object::lui(reg, upper));
  if (lower != 0) code->add(object::addiw(reg, reg, lower));
}

void add_load(Snippet* code, Globals* globals, bool word, unsigned reg, const char* symbol) {
  code->add(word ? object::lw(reg, object::kGp, 0) : object::ld(reg, object::kGp, 0),
            R_RISCV_GPREL_I, (*globals)[symbol]);
}

void add_store(Snippet* code, Globals* globals, bool word, unsigned reg, const char* symbol) {
  code->add(word ? object::sw(reg, object::kGp, 0) : object::sd(reg, object::kGp, 0),
            R_RISCV_GPREL_S, (*globals)[symbol]);
}

void add_call(Snippet* code, Globals* globals, unsigned reg, const std::string& routine) {
  const uint32_t at = code->size();
  code->add(object::auipc(reg), R_RISCV_CALL_PLT, (*globals)[routine]);
  code->relocations.push_back({at, R_RISCV_RELAX, 0, 0});
  code->add(object::jalr(reg, reg));
}

Snippet alignment(uint32_t to) {
  constexpr uint32_t kNop = 0x00000013, kBytes = 4;
  Snippet code;
  code.relocations.push_back({0, R_RISCV_ALIGN, 0, to - 2});
  for (uint32_t bytes = to - 2; bytes >= kBytes; bytes -= kBytes) code.add(kNop);
  code.starts.push_back(code.size());
  code.bytes.insert(code.bytes.end(), {0x01, 0x00});  // c.nop
  return code;
}

bool is_short_jump_away(const ObjectFile& file, const object::Instruction& instruction) {
  const isa::Kind kind = isa::info(static_cast<isa::Op>(instruction.insn.op)).kind;
  return kind == isa::Kind::kJump && !instruction.glued &&
         instruction.relocation != object::kNone && instruction.target_symbol != object::kNone &&
         file.symbols[instruction.target_symbol].section == object::kUndefined;
}

Snippet far_jump(const object::Instruction& jump, uint32_t target, int64_t addend) {
  const unsigned link = jump.insn.rd;
  const unsigned scratch = link == object::kZero ? object::kT1 : link;
  Snippet far;
  far.add(object::auipc(scratch), R_RISCV_CALL_PLT, target, addend);
  far.relocations.push_back({0, R_RISCV_RELAX, 0, 0});
  far.add(object::jalr(link, scratch));
  return far;
}

}  // namespace strobe::instrument
