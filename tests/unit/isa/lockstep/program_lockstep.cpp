#include "tests/unit/isa/lockstep/program_lockstep.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <cstring>
#include <stdexcept>

#include "sc_models/isa/decode/op.h"
#include "sc_models/isa/hart/hart.h"
#include "sc_models/isa/linux/process_environment.h"
#include "tests/unit/isa/lockstep/golden.h"

namespace strobe::isa::lockstep {
namespace {

constexpr uint64_t kUserSpan = STROBE_USER_TOP;
constexpr uint64_t kWidest = 8;  // bytes of a store
constexpr uint64_t kBox = 0xffffffff00000000u;

// Unicorn executes; before each instruction a hook compares its registers with the hart's and then
// steps the hart. An ecall is executed by the hart and its proxy alone, and so are a switch of
// threads and the way into a signal's handler; then Unicorn is stopped and given the registers and
// the memory that they changed. So it executes every thread of the program.
class ProgramLockstep {
 public:
  ProgramLockstep(const std::string& elf, const std::vector<std::string>& args,
                  const std::vector<std::string>& readable, uint64_t limit, uint64_t quantum)
      : process_(memory_, options(elf, args, readable, quantum)),
        environment_(process_),
        hart_(memory_, environment_),
        limit_(limit == 0 ? ~uint64_t{0} : limit) {
    golden_memory_ =
        static_cast<uint8_t*>(mmap(nullptr, kUserSpan, PROT_READ | PROT_WRITE,
                                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
    if (golden_memory_ == MAP_FAILED) throw std::runtime_error("lockstep: cannot reserve 2 GiB");
    golden_.map(0, kUserSpan, golden_memory_);
    permissions_.assign(kUserSpan >> GuestMemory::kPageBits, 0);
    copy_new_pages();
    hart_.set_user_entry(process_.entry(), process_.stack_pointer());
    process_.set_clock([this] { return hart_.user_instructions(); });
    uc_hook hook = 0;
    uc_hook_add(golden_.engine(), &hook, UC_HOOK_CODE, reinterpret_cast<void*>(&on_instruction),
                this, uint64_t{1}, uint64_t{0});
    uc_hook_add(golden_.engine(), &hook, UC_HOOK_INTR, reinterpret_cast<void*>(&on_exception), this,
                uint64_t{1}, uint64_t{0});
  }
  ~ProgramLockstep() { munmap(golden_memory_, kUserSpan); }

  ProgramResult run() {
    try {
      while (!finished_) {
        if (repair_ < kUserSpan - kWidest) copy(repair_, kWidest);
        repair_ = kUserSpan;
        golden_.set(registers_of(hart_));
        golden_.run(hart_.state().pc, kUserSpan);
        if (!finished_ && !resume_) {
          fail(hart_.state().pc,
               fmt::format("  Unicorn stopped at {:#x} by itself\n", golden_.get().pc));
        }
        resume_ = false;
      }
    } catch (const std::runtime_error& error) {
      fail(hart_.state().pc, fmt::format("  {}\n", error.what()));
    }
    result_.instructions = hart_.instructions();
    result_.system_calls = process_.syscalls();
    result_.thread_switches = process_.thread_switches();
    result_.exit_code = process_.exit().code;
    result_.output = process_.captured_stdout();
    return result_;
  }

 private:
  static ProcessOptions options(const std::string& elf, const std::vector<std::string>& args,
                                const std::vector<std::string>& readable, uint64_t quantum) {
    ProcessOptions o;
    o.scheduler.quantum = quantum;
    o.elf = elf;
    o.args = args;
    o.read = readable;
    return o;
  }

  static void on_instruction(uc_engine*, uint64_t address, uint32_t, void* self) {
    static_cast<ProgramLockstep*>(self)->instruction(address);
  }
  static void on_exception(uc_engine*, uint32_t number, void* self) {
    static_cast<ProgramLockstep*>(self)->exception(number);
  }

  void instruction(uint64_t address) {
    if (finished_) return;
    compare(address);
    if (finished_) return;
    if (hart_.preemption_due()) return take_over_preemption();
    const uint64_t pc = hart_.state().pc;
    const StepStatus status = hart_.step(record_, true);
    if (status == StepStatus::kStopped && hart_.stop_reason() == StopReason::kEcallStop) {
      if (process_.exit().failed) fail(pc, "  the proxy stopped: " + process_.exit().error + "\n");
      finish();
    } else if (status == StepStatus::kTrapped && hart_.state().mode == PrivilegeMode::kUser) {
      take_over();  // a signal's handler is entered
    } else if (status != StepStatus::kRetired) {
      fail(pc, fmt::format("  the hart trapped: {}, tval {:#x}\n", cause_name(hart_.cause()),
                           hart_.tval()));
    } else if (hart_.instructions() >= limit_) {
      finish();
    } else if (record_.insn == info(Op::kEcall).match) {
      take_over();
      if (hart_.preemption_due()) take_over_preemption();
    } else if (store_conditional_failed()) {
      note_store(address);
      take_over();
    } else if (writes_other_than_golden()) {
      override_ = true;
    }
  }

  // Registers that only the hart's environment knows: the counters.
  bool writes_other_than_golden() const {
    return record_.opclass == OpClass::kSystem && (record_.insn >> 20) >= 0xc00;
  }

  // Unicorn keeps a reservation when the thread changes.
  bool store_conditional_failed() const {
    constexpr uint32_t kFunct5 = 0xf8000000, kStoreConditional = 0x18000000;
    return record_.opclass == OpClass::kAmo && (record_.insn & kFunct5) == kStoreConditional &&
           record_.rd_wdata != 0;
  }

  void compare(uint64_t address) {
    Registers golden = golden_.get();
    golden.pc = address;
    const Registers ours = registers_of(hart_);
    if (override_) {  // after rdcycle and the like
      golden.x[record_.rd_addr] = ours.x[record_.rd_addr];
      golden_.set(golden);
      override_ = false;
    }
    if (std::memcmp(&golden, &ours, sizeof golden) == 0) return;
    // QEMU 5.0 computes floats without their NaN box: supply it where nothing else differs.
    for (unsigned i = 0; i < 32; ++i) {
      if (golden.f[i] != ours.f[i] && (golden.f[i] | kBox) == ours.f[i]) {
        golden.f[i] = ours.f[i];
        uc_reg_write(golden_.engine(), UC_RISCV_REG_F0 + static_cast<int>(i), &golden.f[i]);
      }
    }
    const std::string text = differences(ours, golden);
    if (!text.empty()) fail(record_.pc_rdata, text);
  }

  void take_over_preemption() {
    note_store(hart_.state().pc);
    if (hart_.preempt()) return take_over();
    if (process_.exit().failed) {
      fail(hart_.state().pc, "  the proxy stopped: " + process_.exit().error + "\n");
    }
    finish();
  }

  // Unicorn still executes the instruction at which it is stopped: what that stores is not to stay.
  void note_store(uint64_t pc) {
    const DecodedInsn* const insn = hart_.peek(pc);
    if (insn == nullptr || (insn->flags & kWritesMemory) == 0) return;
    repair_ = hart_.state().x[insn->rs1] + static_cast<uint64_t>(static_cast<int64_t>(insn->imm));
  }

  void copy(uint64_t address, uint64_t size) {
    std::memcpy(golden_memory_ + address, memory_.data() + address, size);
  }

  void take_over() {
    copy_new_pages();
    for (const auto& [address, size] : process_.written_ranges()) {
      copy(address, size);
    }
    resume_ = true;
    uc_emu_stop(golden_.engine());
  }

  // Pages whose permissions changed (mapped, unmapped, protected) are copied whole.
  void copy_new_pages() {
    const uint8_t* now = memory_.permissions();
    if (std::memcmp(now, permissions_.data(), permissions_.size()) == 0) return;
    for (uint64_t page = 0; page < permissions_.size(); ++page) {
      if (permissions_[page] == now[page]) continue;
      permissions_[page] = now[page];
      copy(page << GuestMemory::kPageBits, GuestMemory::kPageSize);
    }
  }

  void exception(uint32_t number) {
    // The ecall that take_over() has already dealt with raises its exception all the
    // same; anything else is an instruction that Unicorn alone traps on.
    if (!resume_ && !finished_) {
      fail(hart_.state().pc, fmt::format("  Unicorn raised exception {}\n", number));
    }
    uc_emu_stop(golden_.engine());
  }

  void fail(uint64_t pc, const std::string& text) {
    if (result_.difference.empty()) {
      result_.difference = fmt::format("behind instruction {} at {:#x} ({:#010x}):\n{}",
                                       hart_.instructions(), pc, record_.insn, text);
    }
    finish();
  }

  void finish() {
    finished_ = true;
    uc_emu_stop(golden_.engine());
  }

  GuestMemory memory_;
  LinuxProcess process_;
  ProcessEnvironment environment_;
  Hart hart_;
  Golden golden_;
  uint64_t limit_;
  uint8_t* golden_memory_ = nullptr;
  std::vector<uint8_t> permissions_;
  RetireRecord record_;
  ProgramResult result_;
  uint64_t repair_ = kUserSpan;  // where Unicorn stored something; not in the program: nowhere
  bool finished_ = false, resume_ = false, override_ = false;
};

}  // namespace

ProgramResult run_program(const std::string& elf, const std::vector<std::string>& args,
                          const std::vector<std::string>& readable_directories, uint64_t limit,
                          uint64_t quantum) {
  return ProgramLockstep(elf, args, readable_directories, limit, quantum).run();
}

}  // namespace strobe::isa::lockstep
