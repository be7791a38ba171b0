#include "sw/instrument/ephemeral/island.h"

#include <elf.h>

#include <cstddef>
#include <vector>

#include "sc_models/isa/decode/decoded.h"
#include "sw/guest/include/strobe/ephemeral_abi.h"
#include "sw/object/edit/encode.h"

namespace strobe::instrument {
namespace {

using object::Registers;
using object::Snippet;

/// A return predictor knows these two as links.
const char* unhook_routine(unsigned link) {
  return link == object::kT0 ? "__strobe_unhook_t0" : "__strobe_unhook_ra";
}

constexpr uint32_t kWord = 4, kDataAlignment = 8;
static_assert(sizeof(strobe_stub_t) % kDataAlignment == 0, "stubs follow one another");

/// The upper immediates of a routine's addend.
constexpr uint32_t kNotTaken = 1u << (STROBE_LEFT_SHIFT - 12);
constexpr uint32_t kTaken = kNotTaken + (1u << (STROBE_TAKEN_SHIFT - 12));

/// A conditional branch with a distance of its own, which no relocation changes.
uint32_t branch_over(uint32_t word, uint32_t distance) {
  constexpr uint32_t kImmediate = 0xfe000f80;
  return (word & ~kImmediate) | (distance >> 5 & 0x3f) << 25 | (distance >> 1 & 0xf) << 8;
}

constexpr uint32_t beq(unsigned rs1, unsigned rs2) {
  return object::encode_s(0x63, 0, rs1, rs2, 0);
}
constexpr uint32_t bltz(unsigned rs1) { return object::encode_s(0x63, 4, rs1, object::kZero, 0); }
constexpr uint32_t jal(unsigned rd) { return rd << 7 | 0x6f; }

uint32_t aligned(uint32_t bytes) {
  return (bytes + kDataAlignment - 1) / kDataAlignment * kDataAlignment;
}

void add_data(Snippet* code, uint32_t bytes) {
  for (uint32_t i = 0; i < bytes; i += kWord) code->add(0);
}

}  // namespace

Island::Island(object::ObjectFile* file, Globals* globals, uint32_t section)
    : file_(file), globals_(globals), section_(section) {}

Island::Scratch Island::take(Registers live, Registers used) {
  Scratch scratch;
  const bool t0_is_live = (live & object::x(object::kT0)) != 0;
  const bool ra_is_live = (live & object::x(object::kRa)) != 0;
  scratch.link = t0_is_live && !ra_is_live ? object::kRa : object::kT0;
  if (t0_is_live && ra_is_live) scratch.pushed.push_back(object::kT0);
  std::vector<unsigned> free = free_registers(live | used | object::x(scratch.link), 2);
  Registers taken = used | object::x(scratch.link);
  for (const unsigned reg : free) taken |= object::x(reg);
  for (const unsigned reg : free_registers(taken, 2 - static_cast<unsigned>(free.size()))) {
    free.push_back(reg);
    scratch.pushed.push_back(reg);
  }
  scratch.addend = free[0];
  scratch.word = free[1];
  return scratch;
}

bool Island::moves_compared_sp(uint32_t word, Registers live) {
  const isa::DecodedInsn branch = isa::decode(word);
  return (branch.rs1 == object::kSp || branch.rs2 == object::kSp) && !take(live, 0).pushed.empty();
}

void Island::add_call_of(const Routine& routine, const Scratch& scratch) {
  const auto [known, is_new] = routines_.try_emplace(routine, 0);
  if (is_new) known->second = label();
  stubs_.add(jal(routine.link), R_RISCV_JAL, known->second);
  pop(&stubs_, scratch.pushed);
}

unsigned Island::add_stub(uint32_t word, Registers live, const StubSymbols& symbols) {
  const Scratch scratch = take(live, 0);
  const uint32_t n = scratch.saving(), begin = stubs_.size();
  // Saves, branch; and twice: call, restores, jump.
  const uint32_t way = (2 + n) * kWord, branch_at = n * kWord;
  const uint32_t data = aligned(branch_at + kWord + 2 * way);
  const auto distance = [&](uint32_t link) { return static_cast<int32_t>(data - link); };
  stubs_.labels.emplace_back(symbols.code, begin);
  push(&stubs_, scratch.pushed);
  stubs_.add(branch_over(word, kWord + way));
  add_call_of({false, scratch.link, scratch.addend, scratch.word, distance(branch_at + 2 * kWord)},
              scratch);
  stubs_.add(object::jump(), R_RISCV_JAL, symbols.next);
  add_call_of(
      {true, scratch.link, scratch.addend, scratch.word, distance(branch_at + 2 * kWord + way)},
      scratch);
  stubs_.add(object::jump(), R_RISCV_JAL, symbols.target, symbols.target_addend);
  add_data(&stubs_, begin + data - stubs_.size());
  stubs_.labels.emplace_back(symbols.data, stubs_.size());
  add_data(&stubs_, sizeof(strobe_stub_t));
  return static_cast<unsigned>(scratch.pushed.size());
}

unsigned Island::add_jump_stub(unsigned target, Registers live, uint32_t targets, uint32_t code,
                               uint32_t data_label) {
  const Scratch scratch = take(live, object::x(target));
  const uint32_t n = scratch.saving(), begin = stubs_.size();
  const uint32_t link = (n + 1) * kWord, data = aligned((2 * n + 2) * kWord);
  stubs_.labels.emplace_back(code, begin);
  push(&stubs_, scratch.pushed);
  add_call_of({false, scratch.link, scratch.addend, scratch.word, static_cast<int32_t>(data - link),
               target},
              scratch);
  stubs_.add(object::jalr(object::kZero, target));
  add_data(&stubs_, begin + data - stubs_.size());
  stubs_.labels.emplace_back(data_label, stubs_.size());
  add_data(&stubs_, sizeof(strobe_stub_t));
  for (uint32_t i = 0; i < targets; ++i) add_data(&stubs_, sizeof(strobe_stub_target_t));
  for (uint32_t i = 0; i < 2; ++i) stubs_.add(~uint32_t{0});  // the last one's target
  add_data(&stubs_, sizeof(uint64_t));
  return static_cast<unsigned>(scratch.pushed.size());
}

/// Counts the target in the array: its own entry, the first free one, or the last one.
void Island::add_search(const Routine& routine, Snippet* code) {
  const uint32_t next = label(), free = label(), found = label();
  constexpr int32_t kCount = offsetof(strobe_stub_target_t, count);
  code->add(object::addi(routine.word, routine.link,
                         routine.distance + static_cast<int32_t>(sizeof(strobe_stub_t))));
  code->labels.emplace_back(next, code->size());
  code->add(object::ld(routine.addend, routine.word, 0));
  code->add(beq(routine.addend, routine.target), R_RISCV_BRANCH, found);
  code->add(object::beqz(routine.addend), R_RISCV_BRANCH, free);
  code->add(bltz(routine.addend), R_RISCV_BRANCH, found);
  code->add(object::addi(routine.word, routine.word, sizeof(strobe_stub_target_t)));
  code->add(object::jump(), R_RISCV_JAL, next);
  code->labels.emplace_back(free, code->size());
  code->add(object::sd(routine.target, routine.word, 0));
  code->labels.emplace_back(found, code->size());
  code->add(object::ld(routine.addend, routine.word, kCount));
  code->add(object::addi(routine.addend, routine.addend, 1));
  code->add(object::sd(routine.addend, routine.word, kCount));
}

void Island::add_routine(const Routine& routine, uint32_t at, Snippet* code) {
  const uint32_t unhook = label();
  code->labels.emplace_back(at, code->size());
  if (routine.target != 0) add_search(routine, code);
  code->add(object::lui(routine.addend, routine.taken ? kTaken : kNotTaken));
  code->add(object::ld(routine.word, routine.link, routine.distance));
  code->add(object::add(routine.word, routine.word, routine.addend));
  code->add(object::sd(routine.word, routine.link, routine.distance));
  code->add(bltz(routine.word), R_RISCV_BRANCH, unhook);
  code->add(object::jalr(object::kZero, routine.link));
  code->labels.emplace_back(unhook, code->size());
  // The frame of unhook.c: the link, and the stub's data.
  const std::vector<unsigned> frame = {routine.link};
  push(code, frame);
  code->add(object::addi(routine.link, routine.link, routine.distance));
  code->add(object::sd(routine.link, object::kSp, 8));
  add_call(code, globals_, routine.link, unhook_routine(routine.link));
  pop(code, frame);
  code->add(object::jalr(object::kZero, routine.link));
}

Snippet Island::finish(bool jumped_over) {
  Snippet code;
  const uint32_t end = label();
  if (jumped_over) code.add(object::jump(), R_RISCV_JAL, end);
  code.add(alignment(kDataAlignment));
  code.add(stubs_);
  for (const auto& [routine, at] : routines_) add_routine(routine, at, &code);
  code.labels.emplace_back(end, code.size());
  stubs_ = Snippet();
  routines_.clear();
  return code;
}

}  // namespace strobe::instrument
