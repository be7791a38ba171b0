#include "sw/instrument/bursty/inserted_code.h"

#include <elf.h>

#include <algorithm>
#include <vector>

#include "sw/instrument/bursty/bursty_plan.h"

namespace strobe::instrument {
namespace {

using object::Registers;
using object::Snippet;

constexpr uint64_t kRecordBytes = 16;

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

InsertedCode::InsertedCode(object::ObjectFile* file, Globals* globals, uint32_t section,
                           unsigned buffer_records)
    : file_(file), globals_(globals), section_(section), shift_(64) {
  for (uint64_t size = buffer_records * kRecordBytes; size > 1; size /= 2) --shift_;
}

uint32_t InsertedCode::label(uint32_t offset) { return file_->add_label(section_, offset); }

Scratch InsertedCode::take(Registers live) {
  const std::vector<unsigned> free = free_registers(live, 1);
  if (!free.empty()) {
    used_.links |= object::x(free[0]);
    return {free[0], nullptr};
  }
  ++spills_;
  used_.links |= object::x(object::kT0);
  return {object::kT0, kSpilled[0]};
}

void InsertedCode::save(Snippet* code, const Scratch& scratch) {
  if (scratch.spilled == nullptr) return;
  add_store(code, globals_, false, scratch.reg, scratch.spilled);
}

void InsertedCode::restore(Snippet* code, const Scratch& scratch) {
  if (scratch.spilled == nullptr) return;
  add_load(code, globals_, false, scratch.reg, scratch.spilled);
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

void InsertedCode::put_value(Snippet* code, unsigned reg, const EventValue& value) const {
  if (!value.low) {
    code->add(object::addi(reg, value.base, value.offset));
    return;
  }
  // The linker may make the auipc gp-relative or drop it; the new addi goes with the old access.
  code->add(object::addi(reg, value.base, 0), value.low->type, value.low->symbol,
            value.low->addend);
  code->relocations.push_back({code->size() - 4, R_RISCV_RELAX, 0, 0});
}

Snippet InsertedCode::event(uint32_t site, Registers live, const EventValue& event_value,
                            Snippet* out_of_line, uint32_t* after_call) {
  const Registers taken = live | object::x(event_value.base) | object::kFixed;
  std::vector<unsigned> free = free_registers(taken | object::x(kRecordLink), 2);
  Snippet code;
  if (free.size() == 2 && (taken & object::x(kRecordLink)) == 0) {
    const Record record = {free[0], free[1]};
    used_.records.insert(record);
    used_.links |= object::x(record.next);
    put_value(&code, record.value, event_value);
    add_call(&code, globals_, kRecordLink, record_routine(record));
    *after_call = label();
    code.labels.emplace_back(*after_call, code.size());
    return code;
  }
  *after_call = object::kNone;
  std::vector<Scratch> regs;
  for (const unsigned reg : free_registers(taken, 2)) regs.push_back({reg, nullptr});
  for (unsigned slot = 0; regs.size() < 2; ++slot) {
    for (const unsigned reg : {5u, 6u, 7u}) {
      const bool chosen =
          std::any_of(regs.begin(), regs.end(), [&](const Scratch& s) { return s.reg == reg; });
      if (reg == event_value.base || chosen) continue;
      regs.push_back({reg, kSpilled[slot]});
      ++spills_;
      break;
    }
  }
  const Scratch &next = regs[0], &value = regs[1];
  used_.links |= object::x(next.reg);
  save(&code, next);
  save(&code, value);
  const uint32_t full = label(), back = label();
  put_value(&code, value.reg, event_value);
  add_load(&code, globals_, false, next.reg, kNextEvent);
  code.add(object::sd(value.reg, next.reg, 8));
  add_number(&code, value.reg, 2 * site + 1);
  code.add(object::sd(value.reg, next.reg, 0));
  code.add(object::addi(next.reg, next.reg, kRecordBytes));
  add_store(&code, globals_, false, next.reg, kNextEvent);
  code.add(object::slli(next.reg, next.reg, shift_));
  code.add(object::beqz(next.reg), R_RISCV_BRANCH, full);
  code.labels.emplace_back(back, code.size());
  restore(&code, value);
  restore(&code, next);
  out_of_line->labels.emplace_back(full, out_of_line->size());
  add_call(out_of_line, globals_, next.reg, full_routine(next.reg));
  out_of_line->add(object::jump(), R_RISCV_JAL, back);
  return code;
}

}  // namespace strobe::instrument
