#include "sc_models/isa/hart/dise.h"

#include <algorithm>
#include <sstream>
#include <string>

#include "sc_models/isa/decode/op.h"

namespace strobe::isa {
namespace {

constexpr uint64_t kInSequence = uint64_t{1} << 63;
constexpr uint64_t kInBurst = uint64_t{1} << 62;  // the trigger is in a burst
constexpr uint64_t kEntry = 0x7ff;
constexpr uint32_t kBeqZeroZero = 0x00000063;  // a branch that reads no register

bool is_load_reserved(const DecodedInsn& insn) {
  return info(static_cast<Op>(insn.op)).operation == Operation::kLoadReserved;
}

// Makes a register field name a dise register. Returns false when the operand is no integer
// register.
bool name_dise(bool dise, char operand, uint8_t& field, uint8_t& timing) {
  if (!dise) return true;
  const uint8_t number = field & 7;
  field = static_cast<uint8_t>(32 + number);
  timing = static_cast<uint8_t>(64 + number);
  return operand == 'x';
}

DecodedInsn decode_instantiated(const InstantiatedInstruction& made, uint8_t length) {
  DecodedInsn d;
  if (made.kind == ReplacementKind::kValueLoad) {
    d.insn = made.insn;
    d.rd = static_cast<uint8_t>(made.insn >> 7 & 31);
    d.dst = d.rd == 0 ? kNoRegister : d.rd;
    name_dise(made.dise_rd, 'x', d.rd, d.dst);
  } else if (made.kind == ReplacementKind::kCall) {
    d.insn = made.insn;
  } else if (made.kind == ReplacementKind::kDiseBranch && is_branch_on_random(made.insn)) {
    d = decode(kBeqZeroZero);
    d.insn = made.insn;
  } else {
    d = decode(made.insn);
    const char* operands = info(static_cast<Op>(d.op)).operands;
    const bool names_are_good = name_dise(made.dise_rd, operands[0], d.rd, d.dst) &&
                                name_dise(made.dise_rs1, operands[1], d.rs1, d.src[0]) &&
                                name_dise(made.dise_rs2, operands[2], d.rs2, d.src[1]);
    const bool is_branch = info(static_cast<Op>(d.op)).kind == Kind::kBranch;
    const bool kind_is_good = made.kind != ReplacementKind::kDiseBranch || is_branch;
    if (!names_are_good || !kind_is_good) d.op = static_cast<uint8_t>(Op::kIllegal);
  }
  d.length = length;
  return d;
}

}  // namespace

DecodeLane lane_of(const DecodedInsn& insn, uint64_t pc) {
  DecodeLane lane;
  lane.pc = pc;
  lane.insn = insn.insn;
  lane.length = insn.length;
  const Kind kind = info(static_cast<Op>(insn.op)).kind;
  const bool direct = kind == Kind::kBranch || static_cast<Op>(insn.op) == Op::kJal;
  if (direct) lane.target = pc + static_cast<uint64_t>(static_cast<int64_t>(insn.imm));
  return lane;
}

bool Dise::must_see(const DecodedInsn& insn, uint64_t pc, const DecodeEngine& engine) {
  return is_load_reserved(insn) || engine.concerns(lane_of(insn, pc));
}

// Nothing is injected between an LR and its SC, because it could break the reservation.
bool Dise::may_expand(const DecodedInsn& insn, uint64_t instructions) {
  if (is_load_reserved(insn)) {
    reserved_at_ = instructions;
    return false;
  }
  return state_.reservation == ~uint64_t{0} || instructions - reserved_at_ > kReservedInstructions;
}

bool Dise::look_up(const DecodedInsn& insn, uint64_t instructions) {
  const bool looks_up = state_.mode == PrivilegeMode::kUser && state_.dise.position == 0;
  if (!looks_up || looked_up_ == state_.pc) return false;
  looked_up_ = state_.pc;
  DecodeLane lane = lane_of(insn, state_.pc);
  lane.expand = may_expand(insn, instructions);
  slot_ = static_cast<uint8_t>((slot_ + 1) % kDecodeSlots);
  const DecodeDecision decision = engine_.decode(&lane, 1, slot_);
  stale_ = false;
  looked_up_in_burst_ = decision.in_burst != 0;
  if (decision.replaced) {
    state_.dise.position = kInSequence | (looked_up_in_burst_ ? kInBurst : 0) | decision.entry;
  }
  return decision.replaced;
}

bool Dise::write(uint32_t offset, uint64_t value) {
  engine_.write(offset, value);
  const bool is_register = offset >= kDiseReg && offset < kDiseReg + 8 * kDiseRegisterCount;
  if (is_register) state_.x[32 + (offset - kDiseReg) / 8] = value;
  if (offset == kDiseRandom) state_.random.load(value);
  stale_ = true;
  const bool changed = generation_ != engine_.generation();
  generation_ = engine_.generation();
  return changed;
}

// An instruction that does not concern the engine can be presented again: this only saves the
// state.
bool Dise::save(const DecodedInsn& insn, uint64_t pc, DecodeCheckpoint& checkpoint) {
  if ((insn.flags & kEdited) == 0) {
    const DecodeLane lane = lane_of(insn, pc);
    slot_ = static_cast<uint8_t>((slot_ + 1) % kDecodeSlots);
    engine_.decode(&lane, 1, slot_);
    stale_ = false;
  }
  checkpoint = {slot_, 0};
  return !stale_;
}

bool Dise::next(const DecodedInsn*& insn, uint64_t instructions) {
  in_sequence_ = state_.dise.position != 0 || look_up(*insn, instructions);
  in_burst_ = in_sequence_ ? (state_.dise.position & kInBurst) != 0 : looked_up_in_burst_;
  if (!in_sequence_) return false;
  trigger_ = lane_of(*insn, state_.pc);
  made_ = engine_.instantiate(trigger_, static_cast<uint16_t>(state_.dise.position & kEntry));
  insn = &decoded();
  return made_.kind != ReplacementKind::kTrigger;
}

// Decoding is a search and sequences recur, so decoded instructions are cached.
const DecodedInsn& Dise::decoded() {
  const uint64_t key = made_.insn | uint64_t{made_.dise_rd} << 32 | uint64_t{made_.dise_rs1} << 33 |
                       uint64_t{made_.dise_rs2} << 34 | static_cast<uint64_t>(made_.kind) << 35 |
                       uint64_t{trigger_.length} << 38;
  Decoded& entry = decoded_[(key ^ key >> 7 ^ key >> 15 ^ key >> 32) % kDecoded];
  if (entry.key != key) entry = {key, decode_instantiated(made_, trigger_.length)};
  return entry.insn;
}

uint64_t Dise::advance(RetireRecord& record, uint64_t next_pc) {
  if (record.pc_rdata == looked_up_) looked_up_ = ~uint64_t{0};
  if (!in_sequence_) return next_pc;
  if (record.rd_addr >= 32) record.rd_addr = 0;  // not a register of the program
  const uint64_t at = state_.dise.position & ~kEntry;
  const uint64_t entry = state_.dise.position & kEntry;
  const uint64_t following = made_.last ? 0 : at | (entry + 1);
  const uint64_t behind_trigger = trigger_.pc + trigger_.length;
  if (made_.kind == ReplacementKind::kCall) {
    state_.dise.return_position = following;
    state_.dise.return_pc = made_.last ? behind_trigger : trigger_.pc;
    return enter_handler();
  }
  if (made_.kind == ReplacementKind::kDiseBranch && record.itype == IType::kBranchTaken) {
    state_.dise.position = at | made_.go_to;
    return trigger_.pc;
  }
  // A control instruction that is taken ends the sequence.
  const bool leaves = made_.kind != ReplacementKind::kDiseBranch && next_pc != behind_trigger;
  state_.dise.position = leaves ? 0 : following;
  return leaves ? next_pc : state_.dise.position == 0 ? behind_trigger : trigger_.pc;
}

uint64_t Dise::enter_handler() {
  state_.dise.position = 0;
  state_.dise.in_handler = true;
  state_.dise.return_mode = state_.mode;
  state_.mode = PrivilegeMode::kMachine;
  before_handler_ = registers();
  handler_ = made_.value;
  return handler_;
}

Dise::Registers Dise::registers() const {
  Registers all;
  std::copy_n(state_.x, all.x.size(), all.x.begin());
  std::copy_n(state_.f, all.f.size(), all.f.begin());
  all.fcsr = state_.fcsr;
  return all;
}

void Dise::check_registers() const {
  const Registers now = registers();
  const auto expect = [this](const std::string& name, uint64_t expected, uint64_t got) {
    if (got == expected) return;
    std::ostringstream text;
    text << std::hex << "the handler at 0x" << handler_ << ", called at pc 0x" << trigger_.pc
         << ", changed " << name << ": expected 0x" << expected << ", got 0x" << got
         << "; a handler must leave the program's registers as they were";
    throw HandlerError(text.str());
  };
  for (size_t r = 0; r < now.x.size(); ++r) {
    expect("x" + std::to_string(r), before_handler_.x[r], now.x[r]);
    expect("f" + std::to_string(r), before_handler_.f[r], now.f[r]);
  }
  expect("fcsr", before_handler_.fcsr, now.fcsr);
}

uint64_t Dise::leave_handler() {
  check_registers();
  state_.mode = state_.dise.return_mode;
  state_.dise.position = state_.dise.return_position;
  state_.dise.in_handler = false;
  return state_.dise.return_pc;
}

}  // namespace strobe::isa
