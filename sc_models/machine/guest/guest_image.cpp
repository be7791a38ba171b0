#include "sc_models/machine/guest/guest_image.h"

#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "sc_models/isa/decode/extensions.h"
#include "sc_models/isa/linux/address_space.h"
#include "sc_models/machine/profiler/profiler_setup.h"
#include "sc_models/machine/profiler/selection.h"
#include "sc_models/port/address_map.h"
#include "sc_models/profiling/reference/dise/dise_map.h"
#include "sw/files/guest_files.h"
#include "sw/guest/include/strobe/handlers_abi.h"
#include "sw/guest/include/strobe/profile_reader.h"
#include "sw/guest/include/strobe/registers.h"
#include "sw/text/shown.h"

namespace strobe::platform {
namespace {

isa::ProcessOptions process_options(const config::RunConfig& configuration, const RunHooks& hooks) {
  const config::WorkloadConfig& workload = configuration.workload;
  isa::ProcessOptions options;
  options.elf = workload.elf;
  options.program = hooks.program;
  options.argv0 = workload.argv0;
  options.args = workload.args;
  options.env = workload.env;
  options.stdin_file = workload.stdin_file;
  options.read = workload.read;
  options.write = workload.write;
  options.cwd = workload.cwd;
  options.seed = workload.seed;
  options.memory_limit = workload.memory;
  options.scheduler = workload.scheduler;
  options.output_limit = configuration.limits.output;
  options.instruction_limit = configuration.max_instructions;
  return options;
}

constexpr uint64_t kStackEnd = STROBE_USER_TOP - isa::AddressSpace::kStackSize;

bool is_access(const strobe_boot_block_t& boot) {
  return boot.fatal_cause == static_cast<uint64_t>(isa::Cause::kLoadFault) ||
         boot.fatal_cause == static_cast<uint64_t>(isa::Cause::kStoreFault);
}

/// Whether the program touched the guard below its stack. Its stack pointer is then in mscratch,
/// where the trap entry of the firmware puts it (start.S).
bool is_stack_overflow(const strobe_boot_block_t& boot) {
  return is_access(boot) && boot.fatal_epc < STROBE_USER_TOP &&
         boot.fatal_tval >= isa::AddressSpace::kLowestStack && boot.fatal_tval < kStackEnd;
}

}  // namespace

GuestImage::GuestImage(isa::GuestMemory& memory, const config::RunConfig& configuration,
                       const config::ProfilerConfig* active, bool edits, const RunHooks& hooks)
    : memory_(memory),
      firmware_(isa::ElfFile::open(files::guest_file("firmware.elf"), STROBE_DEVICE_BASE)),
      process_(memory, process_options(configuration, hooks)) {
  firmware_.load(memory, /*firmware=*/true);
  boot_block_ = firmware_symbol(STROBE_BOOT_BLOCK_SYMBOL);
  ring_block_ = firmware_symbol(STROBE_RING_BLOCK_SYMBOL);
  epoch_block_ = firmware_symbol(STROBE_EPOCH_BLOCK_SYMBOL);
  service_pc_ = firmware_symbol(STROBE_SERVICE_SYMBOL);
  exit_pc_ = firmware_symbol("strobe_firmware_exit");

  strobe_boot_block_t boot = {};
  boot.magic = STROBE_ABI_MAGIC;
  boot.user_entry = process_.entry();
  boot.user_sp = process_.stack_pointer();
  if (active != nullptr) {
    boot.profiler_active = 1;
    const profiling::CompressorRates rates = compressor_rates(*active);
    boot.period = rates.sampling.period;
    boot.threshold = rates.sampling.threshold;
    boot.seed = compressor_seed(configuration, *active);
    for (size_t i = 0; i < STROBE_SETTINGS; ++i) {
      profiling::read_setting(profiling::kSettingRegisters[i], rates.settings, &boot.settings[i]);
    }
    boot.watermark = active->watermark;
    boot.selector_count = active->selectors.size();
    for (size_t i = 0; i < active->selectors.size(); ++i) {
      boot.selectors[i] = selector_registers(active->selectors[i]);
    }
  }
  memory_.write(boot_block_, &boot, sizeof boot);
  if (active != nullptr && active->communication.kind == config::Communication::kRing) {
    place_ring(active->communication);
  }
  if (edits && has_timer(configuration)) set_timer(configuration);
  if (configuration.decode.given()) load_productions(configuration, edits);
  if (hooks.loaded) {
    hooks.loaded({program(), firmware_, productions_.files, process_.standard_input()});
  }
}

void GuestImage::place_ring(const config::CommunicationConfig& communication) {
  strobe_ring_block_t ring = {};
  ring.entries = communication.entries;
  ring.base = communication.base;
  ring.overwrite = communication.full == config::RingFull::kOverwrite ? 1 : 0;
  memory_.write(ring_block_, &ring, sizeof ring);
  memory_.protect(ring.base, ring.entries * sizeof(strobe_record_t), 0,
                  isa::GuestMemory::kRead | isa::GuestMemory::kWrite);
}

void GuestImage::set_timer(const config::RunConfig& configuration) {
  strobe_epoch_block_t block = {};
  double jitter = configuration.timer.jitter;
  block.list = epoch_block_ + offsetof(strobe_epoch_block_t, stubs);  // an empty one
  block.cycles = configuration.timer.period;
  if (has_epochs(configuration)) {
    set_epochs(&block);
    block.cycles = configuration.instrument.epoch;
    jitter = configuration.instrument.epoch_jitter;
  }
  block.jitter = static_cast<uint64_t>(std::llround(static_cast<double>(block.cycles) * jitter));
  block.random = config::derived_seed(configuration.seed, "epochs");
  memory_.write(epoch_block_, &block, sizeof block);
}

/// The program is the edited one.
void GuestImage::set_epochs(strobe_epoch_block_t* block) const {
  const auto in_program = [this](const char* name) {
    const isa::ElfSymbol* const symbol = program().symbol(name);
    if (symbol != nullptr) return symbol->address;
    throw std::runtime_error(fmt::format(
        "the program has no symbol '{}': expected one with ephemeral instrumentation", name));
  };
  uint32_t stubs = 0;
  memory_.read(in_program(STROBE_STUBS_SYMBOL), &stubs, sizeof stubs);
  block->list = in_program(STROBE_UNHOOKED_SYMBOL);
  block->stubs = stubs;
}

void GuestImage::load_productions(const config::RunConfig& configuration, bool enable) {
  productions_ = production_set(configuration, firmware_);
  const std::vector<dise::RegisterWrite>& writes = productions_.writes;
  if (writes.size() > STROBE_DISE_WRITES) {
    throw std::runtime_error(
        fmt::format("the production set takes {} writes, the firmware has "
                    "room for {}",
                    writes.size(), STROBE_DISE_WRITES));
  }
  const auto program = std::make_unique<strobe_dise_program_t>();
  program->count = writes.size();
  program->control = enable ? profiling::kDiseCtrlEnable : 0;
  for (size_t i = 0; i < writes.size(); ++i) {
    program->writes[i] = {writes[i].first, writes[i].second};
  }
  memory_.write(firmware_symbol(STROBE_DISE_PROGRAM_SYMBOL), program.get(), sizeof *program);
}

uint64_t GuestImage::firmware_symbol(const char* name) const {
  const isa::ElfSymbol* symbol = firmware_.symbol(name);
  if (symbol == nullptr) {
    throw std::runtime_error(fmt::format(
        "firmware.elf: no symbol '{}'; the firmware is of another version: rebuild it", name));
  }
  return symbol->address;
}

strobe_boot_block_t GuestImage::boot_block(const Reader& read) const {
  strobe_boot_block_t boot = {};
  if (!read(boot_block_, &boot, sizeof boot) || boot.magic != STROBE_ABI_MAGIC) {
    throw std::runtime_error(fmt::format(
        "boot block at {:#x}: expected magic {:#x}, got {:#x}: guest memory was overwritten",
        boot_block_, static_cast<uint64_t>(STROBE_ABI_MAGIC), boot.magic));
  }
  return boot;
}

strobe_ring_block_t GuestImage::ring_block(const Reader& read) const {
  strobe_ring_block_t ring = {};
  if (!read(ring_block_, &ring, sizeof ring)) {
    throw std::runtime_error(fmt::format("ring block at {:#x}: not readable", ring_block_));
  }
  return ring;
}

strobe_epoch_block_t GuestImage::epoch_block(const Reader& read) const {
  strobe_epoch_block_t block = {};
  if (!read(epoch_block_, &block, sizeof block)) {
    throw std::runtime_error(fmt::format("epoch block at {:#x}: not readable", epoch_block_));
  }
  return block;
}

GuestImage::Table GuestImage::table(const Reader& read) const {
  const uint64_t address = firmware_symbol(STROBE_TABLE_SYMBOL);
  const guest::ProfileReader profile([&](uint64_t offset, void* to, uint64_t size) {
    if (read(address + offset, to, size)) return;
    throw std::runtime_error(
        fmt::format("{} at {:#x}: not readable", STROBE_TABLE_SYMBOL, address));
  });
  Table table;
  profile.for_each([&table](uint64_t pc, uint64_t value, unsigned tag, uint64_t count) {
    table.counts.emplace_back(Tuple{pc, value, static_cast<uint8_t>(tag)}, count);
  });
  table.lost = profile.lost_count();
  return table;
}

profile::Profile GuestImage::timer_samples(const Reader& read) const {
  const profile::Profile counts(table(read).counts);
  profile::Entries entries = counts.with_tag(STROBE_TAG_TIMER).entries();
  for (auto& [tuple, count] : entries) tuple.tag = 0;
  return profile::Profile(std::move(entries));
}

void GuestImage::references(const Reader& read,
                            const std::function<void(const guest::TraceReader&)>& visit) const {
  const std::vector<uint8_t> image =
      bytes_of(STROBE_TRACE_SYMBOL, sizeof(strobe_reference_trace_t), read);
  visit(guest::TraceReader(image.data(), image.size()));
}

std::vector<uint8_t> GuestImage::bytes_of(const char* symbol, uint64_t size,
                                          const Reader& read) const {
  std::vector<uint8_t> image(size);
  const uint64_t address = firmware_symbol(symbol);
  if (!read(address, image.data(), image.size())) {
    throw std::runtime_error(fmt::format("{} at {:#x}: not readable", symbol, address));
  }
  return image;
}

std::string GuestImage::describe(uint64_t pc) const {
  const isa::ElfFile& elf = pc >= STROBE_FIRMWARE_BASE ? firmware_ : program();
  std::string text = elf.describe(pc);
  const isa::SourceLine line = elf.line_at(pc);
  if (!line.file.empty()) text += fmt::format(" ({}:{})", line.file, line.line);
  return text::one_line(text);
}

std::string GuestImage::describe_exception(isa::Cause cause, uint64_t pc, uint64_t tval) const {
  const bool illegal = cause == isa::Cause::kIllegalInstruction;
  const std::string why =
      illegal ? isa::about_foreign_extension(static_cast<uint32_t>(tval)) : std::string();
  return fmt::format("{} at pc {:#x} ({}), {} {:#x}: the program stops here{}",
                     isa::cause_name(cause), pc, describe(pc), illegal ? "instruction" : "address",
                     tval, why);
}

std::string GuestImage::describe_fatal(const Reader& read, const isa::HartState& state) const {
  const strobe_boot_block_t boot = boot_block(read);
  switch (boot.status) {
    case STROBE_STATUS_NO_DEVICE:
      return "firmware: no profiling device answers at its address; the platform was wired without "
             "one";
    case STROBE_STATUS_NO_DECODE_ENGINE:
      return "firmware: no decode engine answers at its address; the platform was wired without "
             "one";
    case STROBE_STATUS_BAD_CAPABILITY:
      return "firmware: the configuration asks the profiling device for more than its CAP "
             "registers offer";
    case STROBE_STATUS_BAD_BOOT_BLOCK:
      return "firmware: the boot block has another version than the firmware; rebuild firmware and "
             "simulator together";
    case STROBE_STATUS_EPOCH_TOO_SHORT: {
      const strobe_epoch_block_t epochs = epoch_block(read);
      const bool samples = epochs.stubs == 0;
      return fmt::format(
          "{}: the handler at the end of {} took {} cycles, which is longer than the next one: "
          "expected more than that, got {} cycles; raise the key",
          samples ? "timer.period" : "instrument.epoch", samples ? "a period" : "an epoch",
          epochs.longest_handler, epochs.cycles);
    }
    case STROBE_STATUS_BAD_STUB_LIST:
      return fmt::format(
          "the list of unhooked branches has no end: expected at most {}, which is all: the "
          "program "
          "has written over the data of its instrumentation",
          epoch_block(read).stubs);
    default:
      break;
  }
  const std::string text = describe_exception(static_cast<isa::Cause>(boot.fatal_cause),
                                              boot.fatal_epc, boot.fatal_tval);
  const std::optional<unsigned> thread = process_.overflowed_thread(boot.fatal_tval);
  if (thread && is_access(boot)) {
    return fmt::format(
        "stack overflow of thread {}: {}; the stack pointer is {:#x}: give the thread a larger "
        "stack, or look for endless recursion and for large local variables",
        *thread, text, state.mscratch);
  }
  if (!is_stack_overflow(boot)) return text;
  return fmt::format(
      "stack overflow: {}; the stack pointer is {:#x}, the stack of {} MiB ends at {:#x}: look for "
      "endless recursion and for large local variables",
      text, state.mscratch, isa::AddressSpace::kStackSize >> 20, kStackEnd);
}

}  // namespace strobe::platform
