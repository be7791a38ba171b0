#include "tests/unit/isa/lockstep/random_lockstep.h"

#include <fmt/format.h>

#include <cstring>
#include <memory>

#include "sc_models/isa/arithmetic/fp_exact.h"
#include "sc_models/isa/arithmetic/semantics_fp.h"
#include "sc_models/isa/hart/hart.h"
#include "tests/unit/isa/lockstep/golden.h"
#include "tests/unit/isa/lockstep/random_stream.h"

namespace strobe::isa::lockstep {
namespace {

constexpr uint64_t kCodeBase = 0x1000000, kCodeSize = 0x1000000, kSlot = 0x2000;
constexpr uint64_t kArena = 0x4000000, kArenaSize = 0x3000;
constexpr unsigned kUnits = 160, kRepetitions = 6;

class StopAtEcall : public Environment {
 public:
  EcallResult ecall(Hart&) override { return EcallResult::kStop; }
  bool mmio_read(uint64_t, unsigned, uint64_t&) override { return false; }
  bool mmio_write(uint64_t, unsigned, uint64_t) override { return false; }
  uint64_t cycle() override { return 0; }
  uint64_t time() override { return 0; }
};

template <unsigned kBytes>
bool unicorn_fp_is_wrong(const OpInfo& row, const DecodedInsn& d, const HartState& s) {
  constexpr FpFormat kFormat = FpType<kBytes>::kFormat;
  const uint64_t a = unbox<kBytes>(s.f[d.rs1]), b = unbox<kBytes>(s.f[d.rs2]);
  switch (row.operation) {
    case Operation::kFpMin:
    case Operation::kFpMax:
      // QEMU 5.0 has IEEE 754-2008 minNum, where a signaling NaN gives NaN; RISC-V F 2.2 has
      // minimumNumber of 754-2019, where the other operand wins.
      return kFormat.is_signaling(a) || kFormat.is_signaling(b);
    case Operation::kMultiplyAdd:
    case Operation::kMultiplySub:
    case Operation::kNegativeMultiplySub:
    case Operation::kNegativeMultiplyAdd: {
      // "must set the invalid operation exception flag when the multiplicands are infinity and
      // zero, even when the addend is a quiet NaN" (F extension); QEMU 5.0 does not.
      const uint64_t x = a & ~kFormat.sign_mask(), y = b & ~kFormat.sign_mask();
      return ((x == 0 && y == kFormat.infinity()) || (x == kFormat.infinity() && y == 0)) &&
             kFormat.is_nan(unbox<kBytes>(s.f[d.rs3]));
    }
    default:
      return false;
  }
}

// amomin.w and the other three: QEMU 5.0 compares the memory operand zero-extended with all 64 bits
// of the register operand (its do_nonatomic_op), right only when both are in [0, 2^31).
bool unicorn_minimum_is_wrong(const OpInfo& row, const DecodedInsn& d, const HartState& s,
                              const GuestMemory& memory) {
  if (row.bytes != 4 || row.operation < Operation::kMin ||
      row.operation > Operation::kMaxUnsigned) {
    return false;
  }
  int32_t old = 0;
  memory.read(s.x[d.rs1], &old, sizeof old);
  return old < 0 || (s.x[d.rs2] >> 31) != 0;
}

// Known errors of Unicorn 2.0.1 (QEMU 5.0), each decided by the RISC-V specification. Such an
// instruction is executed by the hart alone and its result copied.
bool unicorn_is_wrong(const DecodedInsn& d, const HartState& s, const GuestMemory& memory) {
  const OpInfo& row = kOps[d.op];
  if (row.kind == Kind::kAtomic) return unicorn_minimum_is_wrong(row, d, s, memory);
  if (row.kind != Kind::kFp) return false;
  return row.bytes == 4 ? unicorn_fp_is_wrong<4>(row, d, s) : unicorn_fp_is_wrong<8>(row, d, s);
}

class RandomLockstep {
 public:
  explicit RandomLockstep(uint64_t seed) : stream_(seed), hart_(memory_, environment_) {
    memory_.protect(kCodeBase, kCodeSize, 5, 5);
    memory_.protect(kArena, kArenaSize, 3, 3);
    golden_code_.resize(kCodeSize);
    golden_arena_.resize(kArenaSize);
    renew_golden();
    hart_.set_user_entry(kCodeBase, 0);
    result_.seen.resize(kOpCount);
  }

  RandomResult run(uint64_t count) {
    while (result_.instructions < count && result_.difference.empty()) {
      load_stream();
      for (unsigned r = 0; r < kRepetitions && result_.difference.empty(); ++r) repeat();
    }
    return result_;
  }

 private:
  // Unicorn 2.0.1 crashes some time after its buffer of translated code has been full once, so a
  // new one takes over before that.
  void renew_golden() {
    golden_ = std::make_unique<Golden>();
    golden_->map(kCodeBase, kCodeSize, golden_code_.data());
    golden_->map(kArena, kArenaSize, golden_arena_.data());
  }

  void load_stream() {
    code_ = stream_.code(kUnits);
    if (slot_ + kSlot > kCodeSize) {
      slot_ = 0;
      renew_golden();
    }
    begin_ = kCodeBase + slot_;
    // The code begins at any halfword of the slot, so that instructions cross the page boundary
    // after it.
    begin_ += 2 * stream_.below((kSlot - code_.size()) / 2);
    slot_ += kSlot;
    memory_.write(begin_, code_.data(), code_.size());
    std::memcpy(&golden_code_[begin_ - kCodeBase], code_.data(), code_.size());
    golden_->forget_code(begin_, begin_ + code_.size());
  }

  void fill_state() {
    HartState& s = hart_.state();
    for (unsigned i = 1; i < 32; ++i) s.x[i] = stream_.integer();
    for (unsigned base : kBaseRegisters) s.x[base] = kArena + 0x1000 + 8 * stream_.below(0x200);
    for (unsigned i = 0; i < 32; ++i) {
      s.f[i] = is_single_register(i) ? stream_.binary32() : stream_.binary64();
    }
    s.fcsr = static_cast<uint32_t>(stream_.below(5) << 5 | stream_.below(32));
    s.pc = begin_;
    s.reservation = ~uint64_t{0};
    for (uint64_t i = 0; i < kArenaSize; i += 8) {
      uint64_t value = 0;
      switch (stream_.below(3)) {
        case 0:
          value = stream_.integer();
          break;
        case 1:
          value = stream_.binary64();
          break;
        default:
          value = (stream_.binary32() & 0xffffffffu) | stream_.binary32() << 32;
          break;
      }
      std::memcpy(memory_.data() + kArena + i, &value, 8);
    }
    std::memcpy(golden_arena_.data(), memory_.data() + kArena, kArenaSize);
  }

  void repeat() {
    fill_state();
    const HartState initial = hart_.state();
    const std::vector<uint8_t> initial_arena = golden_arena_;
    golden_->set(registers_of(hart_));
    if (!step_against_golden()) return localize(initial, initial_arena);
    run_against_step(initial, initial_arena);
  }

  // QEMU 5.0 leaves the upper half of a computed float zero; RISC-V boxes it (F 11.2, "NaN Boxing
  // of Narrower Values"). Only floats live in these registers, so the box is supplied here, and the
  // hart's own is compared with it.
  Registers boxed_golden() {
    Registers r = golden_->get();
    for (unsigned i = 0; i < 32; ++i) {
      if (is_single_register(i)) r.f[i] |= 0xffffffff00000000u;
    }
    return r;
  }

  bool golden_agrees() {
    return differences(registers_of(hart_), boxed_golden()).empty() &&
           std::memcmp(golden_arena_.data(), memory_.data() + kArena, kArenaSize) == 0;
  }

  // Copies the hart's state where the hart alone has executed an instruction.
  void copy_to_golden() {
    golden_->set(registers_of(hart_));
    std::memcpy(golden_arena_.data(), memory_.data() + kArena, kArenaSize);
  }

  void step_once() {
    const DecodedInsn* d = hart_.peek(hart_.state().pc);
    if (d != nullptr) ++result_.seen[d->op];
    hart_.step(record_, true);
    ++result_.instructions;
  }

  // From one comparison to the next: up to an instruction Unicorn gets wrong, or to the end.
  bool step_against_golden() {
    const uint64_t end = begin_ + code_.size() - 4;
    while (hart_.state().pc != end) {
      const uint64_t from = hart_.state().pc;
      const DecodedInsn* d = nullptr;
      while (hart_.state().pc != end && (d = hart_.peek(hart_.state().pc)) != nullptr &&
             !unicorn_is_wrong(*d, hart_.state(), memory_)) {
        step_once();
        if (!hart_.record_valid() || record_.trap) return false;
      }
      const uint64_t to = hart_.state().pc;
      if (to != from) {
        // Unicorn's translated blocks end where a run ended before.
        if (to != end || partial_) golden_->forget_code(begin_, begin_ + code_.size());
        partial_ = to != end;
        golden_->run(from, to);
      }
      if (!golden_agrees()) return false;
      if (to == end) break;
      step_once();
      ++result_.excluded;
      copy_to_golden();
    }
    return true;
  }

  // Runs the same stream from the same state, and compares after each instruction.
  void localize(const HartState& initial, const std::vector<uint8_t>& arena) {
    restore(initial, arena);
    golden_arena_ = arena;
    golden_->set(registers_of(hart_));
    const uint64_t end = begin_ + code_.size() - 4;
    while (hart_.state().pc != end) {
      const uint64_t pc = hart_.state().pc;
      const HartState before = hart_.state();
      const DecodedInsn d = *hart_.peek(pc);
      const bool wrong = unicorn_is_wrong(d, hart_.state(), memory_);
      hart_.step(record_, true);
      std::string text;
      if (!hart_.record_valid() || record_.trap) {
        text = fmt::format("  the hart trapped: {}, tval {:#x}\n", cause_name(hart_.cause()),
                           hart_.tval());
      } else if (wrong) {
        copy_to_golden();
      } else {
        golden_->forget_code(begin_, begin_ + code_.size());
        golden_->run(pc, hart_.state().pc);
        text = differences(registers_of(hart_), boxed_golden());
      }
      if (text.empty() &&
          std::memcmp(golden_arena_.data(), memory_.data() + kArena, kArenaSize) != 0) {
        text = "  arena memory differs\n";
      }
      if (!text.empty()) return describe(pc, d, before, text);
    }
    result_.difference = "a stream differs as a whole but not instruction by instruction";
  }

  void describe(uint64_t pc, const DecodedInsn& d, const HartState& before,
                const std::string& text) {
    const OpInfo& row = kOps[d.op];
    std::string operands;
    const unsigned numbers[4] = {d.rd, d.rs1, d.rs2, d.rs3};
    for (unsigned p = 1; p < 4; ++p) {
      if (row.operands[p] == '-') continue;
      const uint64_t value = row.operands[p] == 'f' ? before.f[numbers[p]] : before.x[numbers[p]];
      operands += fmt::format(" {}{}={:#x}", row.operands[p], numbers[p], value);
    }
    result_.difference =
        fmt::format("{} ({:#010x}) at {:#x}, rm {}, fcsr {:#x}, operands{}:\n{}", row.mnemonic,
                    d.insn, pc, d.insn >> 12 & 7, before.fcsr, operands, text);
  }

  void restore(const HartState& initial, const std::vector<uint8_t>& arena) {
    hart_.state() = initial;
    std::memcpy(memory_.data() + kArena, arena.data(), kArenaSize);
  }

  // The block interpreter must end where the stepping one did.
  void run_against_step(const HartState& initial, const std::vector<uint8_t>& arena) {
    const Registers stepped = registers_of(hart_);
    const std::vector<uint8_t> stepped_arena(memory_.data() + kArena,
                                             memory_.data() + kArena + kArenaSize);
    restore(initial, arena);
    const StopReason reason = hart_.run(1u << 20);
    const std::string text = differences(registers_of(hart_), stepped);
    if (reason != StopReason::kEcallStop || !text.empty() ||
        std::memcmp(stepped_arena.data(), memory_.data() + kArena, kArenaSize) != 0) {
      result_.difference = "run() ends in another state than step() (here: golden)\n" + text;
    }
  }

  RandomStream stream_;
  GuestMemory memory_;
  StopAtEcall environment_;
  Hart hart_;
  std::unique_ptr<Golden> golden_;
  std::vector<uint8_t> golden_code_, golden_arena_, code_;
  RetireRecord record_;
  RandomResult result_;
  uint64_t slot_ = 0, begin_ = 0;
  bool partial_ = false;
};

}  // namespace

RandomResult run_random(uint64_t count, uint64_t seed) { return RandomLockstep(seed).run(count); }

}  // namespace strobe::isa::lockstep
