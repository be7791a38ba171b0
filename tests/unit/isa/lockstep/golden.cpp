#include "tests/unit/isa/lockstep/golden.h"

#include <fmt/format.h>

#include <array>
#include <stdexcept>

namespace strobe::isa::lockstep {
namespace {

constexpr unsigned kRegisterTotal = 66;  // x, f, pc, fcsr

std::array<int, kRegisterTotal> register_ids() {
  std::array<int, kRegisterTotal> ids{};
  for (int i = 0; i < 32; ++i) {
    ids[static_cast<size_t>(i)] = UC_RISCV_REG_X0 + i;
    ids[static_cast<size_t>(32 + i)] = UC_RISCV_REG_F0 + i;
  }
  ids[64] = UC_RISCV_REG_PC;
  ids[65] = UC_RISCV_REG_FCSR;
  return ids;
}

std::array<void*, kRegisterTotal> register_slots(Registers& r) {
  std::array<void*, kRegisterTotal> slots{};
  for (size_t i = 0; i < 32; ++i) {
    slots[i] = &r.x[i];
    slots[32 + i] = &r.f[i];
  }
  slots[64] = &r.pc;
  slots[65] = &r.fcsr;
  return slots;
}

}  // namespace

Registers registers_of(const Hart& hart) {
  const HartState& s = hart.state();
  Registers r;
  for (unsigned i = 0; i < 32; ++i) {
    r.x[i] = s.x[i];
    r.f[i] = s.f[i];
  }
  r.pc = s.pc;
  r.fcsr = s.fcsr;
  return r;
}

std::string differences(const Registers& ours, const Registers& golden) {
  std::string text;
  const auto compare = [&](const std::string& name, uint64_t a, uint64_t b) {
    if (a != b) text += fmt::format("  {}: ours {:#018x}, golden {:#018x}\n", name, a, b);
  };
  for (unsigned i = 0; i < 32; ++i) compare(fmt::format("x{}", i), ours.x[i], golden.x[i]);
  for (unsigned i = 0; i < 32; ++i) compare(fmt::format("f{}", i), ours.f[i], golden.f[i]);
  compare("pc", ours.pc, golden.pc);
  compare("fcsr", ours.fcsr, golden.fcsr);
  return text;
}

void Golden::check(uc_err error, const char* what) const {
  if (error == UC_ERR_OK) return;
  uint64_t pc = 0;
  if (engine_ != nullptr) uc_reg_read(engine_, UC_RISCV_REG_PC, &pc);
  throw std::runtime_error(
      fmt::format("unicorn: {}: {} at pc {:#x}", what, uc_strerror(error), pc));
}

Golden::Golden() {
  check(uc_open(UC_ARCH_RISCV, UC_MODE_RISCV64, &engine_), "open");
  uint64_t mstatus = 3u << 13;  // FS dirty: without it every FP instruction is illegal
  check(uc_reg_write(engine_, UC_RISCV_REG_MSTATUS, &mstatus), "write mstatus");
}

Golden::~Golden() {
  if (engine_ != nullptr) uc_close(engine_);
}

void Golden::map(uint64_t address, uint64_t size, void* host) {
  check(uc_mem_map_ptr(engine_, address, size, UC_PROT_ALL, host), "map");
}

void Golden::set(const Registers& registers) {
  static std::array<int, kRegisterTotal> ids = register_ids();
  Registers copy = registers;
  auto slots = register_slots(copy);
  check(uc_reg_write_batch(engine_, ids.data(), slots.data(), kRegisterTotal), "write registers");
}

Registers Golden::get() {
  static std::array<int, kRegisterTotal> ids = register_ids();
  Registers r;
  auto slots = register_slots(r);
  check(uc_reg_read_batch(engine_, ids.data(), slots.data(), kRegisterTotal), "read registers");
  return r;
}

void Golden::run(uint64_t pc, uint64_t until) {
  check(uc_emu_start(engine_, pc, until, 0, 0), "run");
}

void Golden::forget_code(uint64_t begin, uint64_t end) {
  check(uc_ctl_remove_cache(engine_, begin, end), "remove cache");
}

}  // namespace strobe::isa::lockstep
