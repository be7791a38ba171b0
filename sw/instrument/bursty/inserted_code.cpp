#include "sw/instrument/bursty/inserted_code.h"

#include <elf.h>

#include <algorithm>
#include <vector>

#include "sw/instrument/bursty/bursty_plan.h"

namespace strobe::instrument {
namespace {

using object::Registers;
using object::Snippet;

/// The relocation of the low half of an address as an addi carries it; nothing for another type.
std::optional<uint32_t> type_for_addi(uint32_t type) {
  switch (type) {
    case R_RISCV_PCREL_LO12_I:
    case R_RISCV_PCREL_LO12_S:
      return R_RISCV_PCREL_LO12_I;
    case R_RISCV_LO12_I:
    case R_RISCV_LO12_S:
      return R_RISCV_LO12_I;
    case R_RISCV_TPREL_LO12_I:
    case R_RISCV_TPREL_LO12_S:
      return R_RISCV_TPREL_LO12_I;
    default:
      return std::nullopt;
  }
}

}  // namespace

EventValue address_of(const object::Instruction& access, const object::Section& section,
                      uint32_t shift) {
  const bool atomic = info_of(access).kind == isa::Kind::kAtomic;  // without an immediate
  EventValue address{access.insn.rs1, atomic ? 0 : access.insn.imm};
  if (access.relocation == object::kNone) return address;
  const std::vector<object::Relocation>& all = section.relocations;
  const uint32_t offset = access.offset + shift;
  auto at = std::lower_bound(all.begin(), all.end(), offset,
                             [](const object::Relocation& r, uint32_t o) { return r.offset < o; });
  for (; at != all.end() && at->offset == offset; ++at) {
    const std::optional<uint32_t> type = type_for_addi(at->type);
    if (!type) continue;
    address.low = *at;
    address.low->type = *type;
    return address;
  }
  return address;
}

InsertedCode::InsertedCode(object::ObjectFile* file, Globals* globals, uint32_t section)
    : file_(file), globals_(globals), section_(section) {}

uint32_t InsertedCode::label(uint32_t offset) { return file_->add_label(section_, offset); }

Scratch InsertedCode::take(Registers live) {
  const std::vector<unsigned> free = free_registers(live, 1);
  if (free.empty()) ++spills_;
  const unsigned reg = free.empty() ? object::kT0 : free[0];
  used_.links |= object::x(reg);
  return {reg, free.empty()};
}

void InsertedCode::save(Snippet* code, const Scratch& scratch) {
  if (scratch.pushed) push(code, {scratch.reg});
}

void InsertedCode::restore(Snippet* code, const Scratch& scratch) {
  if (scratch.pushed) pop(code, {scratch.reg});
}

Snippet InsertedCode::count_down(const Scratch& scratch) {
  Snippet code;
  save(&code, scratch);
  add_load(&code, globals_, true, scratch.reg, kCheckCount);
  code.add(object::addiw(scratch.reg, scratch.reg, -1));
  add_store(&code, globals_, true, scratch.reg, kCheckCount);
  return code;
}

void InsertedCode::slow_check(Snippet* code, const Scratch& scratch, uint32_t checking) {
  add_call(code, globals_, scratch.reg, check_routine(scratch.reg));
  code->add(object::jump(), R_RISCV_JAL, checking);
}

void InsertedCode::put_value(Snippet* code, unsigned reg, const EventValue& value, int32_t pushed) {
  if (!value.low) {
    constexpr int32_t kMost = 2047;  // an immediate has twelve bits
    int32_t offset = value.offset;
    unsigned base = value.base;
    if (base == object::kSp && pushed != 0) {
      if (offset > kMost - pushed) {
        code->add(object::addi(reg, base, pushed));
        base = reg;
      } else {
        offset += pushed;
      }
    }
    code->add(object::addi(reg, base, offset));
    return;
  }
  // The linker may make the auipc gp-relative or drop it; the new addi goes with the old access.
  code->add(object::addi(reg, value.base, 0), value.low->type, value.low->symbol,
            value.low->addend);
  code->relocations.push_back({code->size() - 4, R_RISCV_RELAX, 0, 0});
}

Snippet InsertedCode::event(Registers live, const EventValue& event_value, uint32_t* after_call) {
  const Registers taken = live | object::x(event_value.base) | object::kFixed;
  std::vector<unsigned> pushed;
  if ((taken & object::x(kRecordLink)) != 0) pushed.push_back(kRecordLink);
  std::vector<unsigned> regs = free_registers(taken | object::x(kRecordLink), 2);
  Registers not_these = object::x(event_value.base) | object::x(kRecordLink);
  for (const unsigned reg : regs) not_these |= object::x(reg);
  for (const unsigned reg : free_registers(not_these, 2 - static_cast<unsigned>(regs.size()))) {
    regs.push_back(reg);
    pushed.push_back(reg);
  }
  spills_ += pushed.empty() ? 0 : 1;
  const Record record = {regs[0], regs[1]};
  used_.records.insert(record);
  used_.links |= object::x(record.next);
  Snippet code;
  push(&code, pushed);
  put_value(&code, record.value, event_value, frame_of(pushed));
  add_call(&code, globals_, kRecordLink, record_routine(record));
  *after_call = label();
  code.labels.emplace_back(*after_call, code.size());
  pop(&code, pushed);
  return code;
}

}  // namespace strobe::instrument
