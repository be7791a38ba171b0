#include "sc_models/isa/linux/process.h"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "sc_models/isa/elf/elf_file.h"
#include "sc_models/isa/linux/address_space.h"
#include "sc_models/isa/linux/calls/system_calls.h"
#include "sc_models/isa/linux/printable.h"
#include "sc_models/isa/linux/start_stack.h"
#include "sc_models/isa/linux/user_memory.h"

namespace strobe::isa {
namespace {

constexpr size_t kLongestName = 200;  // characters of a symbol in a message

std::string file_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

}  // namespace

struct LinuxProcess::Impl {
  Impl(GuestMemory& guest, const ProcessOptions& options)
      : elf(options.program != nullptr ? options.program : open_program(options.elf)),
        memory(guest),
        program(options.argv0.empty() ? file_name(options.elf) : options.argv0),
        space((elf->load(guest, false), memory), elf->end(), options.memory_limit,
              elf->executable_stack()),
        calls(memory, space, options, program) {
    StartStack start;
    start.args = {program};
    start.args.insert(start.args.end(), options.args.begin(), options.args.end());
    start.env = options.env;
    calls.random().fill(start.random, sizeof start.random);
    stack_pointer = write_start_stack(memory, space.stack_top(), *elf, start);
    calls.set_callers([this](const uint64_t* x) { return callers(x); });
    calls.set_places([this](uint64_t pc) {
      char text[24];
      std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(pc));
      return std::string(text) + " (" + printable(elf->describe(pc), kLongestName) + ")";
    });
  }

  /// The functions that led to an ECALL, the innermost first: the return address, and what looks
  /// like one on the stack, because it follows a call.
  std::string callers(const uint64_t* x) const;
  bool follows_call(uint64_t address) const;

  std::shared_ptr<const ElfFile> elf;
  UserMemory memory;
  std::string program;
  AddressSpace space;
  SystemCalls calls;
  unsigned use(Hart& hart);
  void tell_others(const Hart& hart);

  uint64_t stack_pointer = 0;
  std::vector<Hart*> harts;            // that run its threads
  std::function<void()> start_second;  // empty: it has started
  bool after_call = false;             // the coming preemption is due to the last system call
  std::function<bool(uint64_t pc)> is_uninterruptible;
};

bool LinuxProcess::Impl::follows_call(uint64_t address) const {
  uint32_t before = 0;  // the four bytes before it
  if (address < 4 || address % 2 != 0) return false;
  if (memory.accessible(address - 4, 4, GuestMemory::kExecute) != 4) return false;
  memory.copy_in(&before, address - 4, 4);
  constexpr uint32_t kJalRa = 0x0ef, kJalrRa = 0x0e7, kRdMask = 0xfff;  // opcode and rd
  const uint32_t whole = before & kRdMask, half = before >> 16;
  const bool compressed = (half & 0xf07f) == 0x9002 && (half & 0xf80) != 0;  // c.jalr
  return whole == kJalRa || whole == kJalrRa || compressed;
}

std::string LinuxProcess::Impl::callers(const uint64_t* x) const {
  constexpr unsigned kWords = 2048, kMost = 8;
  std::vector<std::string> names;
  const auto add = [&](uint64_t address) {
    const std::string text = elf->describe(address);
    const std::string name = text.substr(0, text.rfind("+0x"));
    const std::string shown = printable(name, kLongestName);
    if (follows_call(address) && (names.empty() || names.back() != shown)) names.push_back(shown);
  };
  add(x[abi::kRa]);
  for (unsigned i = 0; i < kWords && names.size() < kMost; ++i) {
    uint64_t word = 0;
    if (!memory.get(word, x[abi::kSp] + 8 * i)) break;
    add(word);
    if (!names.empty() && names.back() == "main") break;
  }
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text.empty() ? "an unknown function" : text;
}

std::shared_ptr<const ElfFile> open_program(const std::string& elf) {
  return std::make_shared<const ElfFile>(ElfFile::open(elf, AddressSpace::kLowestStack));
}

LinuxProcess::LinuxProcess(GuestMemory& memory, ProcessOptions options)
    : impl_(std::make_unique<Impl>(memory, options)) {}

LinuxProcess::~LinuxProcess() = default;

const ElfFile& LinuxProcess::program() const { return *impl_->elf; }
int LinuxProcess::standard_input() const { return impl_->calls.standard_input(); }
uint64_t LinuxProcess::entry() const { return impl_->elf->entry(); }
uint64_t LinuxProcess::stack_pointer() const { return impl_->stack_pointer; }

void LinuxProcess::add_hart(Hart& hart, Hart& first, std::function<void()> start) {
  impl_->harts = {&first, &hart};
  impl_->start_second = std::move(start);
  impl_->calls.set_harts(static_cast<unsigned>(impl_->harts.size()));
  hart.set_user_entry(0, 0);
  impl_->calls.use_hart(1);
  impl_->calls.begin_idle(hart.state());
}

/// What is called next is about this hart. Returns its number.
unsigned LinuxProcess::Impl::use(Hart& hart) {
  if (harts.empty()) harts = {&hart};
  const auto found = std::find(harts.begin(), harts.end(), &hart);
  const auto number = static_cast<unsigned>(found - harts.begin());
  calls.use_hart(number);
  calls.set_caller(&hart.state(), hart.user_instructions());
  memory.forget_written();
  return number;
}

/// The other harts see that they have a thread now, that theirs has a signal, or that all is over.
void LinuxProcess::Impl::tell_others(const Hart& hart) {
  for (unsigned number = 0; harts.size() > 1 && number < harts.size(); ++number) {
    if (harts[number] == &hart) continue;
    calls.use_hart(number);
    if (!calls.stopped() && !calls.attends()) continue;
    harts[number]->preempt_at(0);
    if (start_second && !calls.stopped()) std::exchange(start_second, {})();
  }
}

EcallResult LinuxProcess::ecall(Hart& hart) {
  HartState& state = hart.state();
  SystemCalls& calls = impl_->calls;
  SystemCalls::Args args;
  for (unsigned i = 0; i < args.size(); ++i) args[i] = state.x[abi::kA0 + i];
  impl_->use(hart);
  const uint64_t result = calls.call(state.x[abi::kA7], args);
  if (!calls.stopped()) {
    calls.finish(state, result);
    impl_->after_call = calls.attends();
    if (impl_->after_call) {
      hart.preempt_now();
    } else {
      hart.preempt_at(calls.next_attention());
    }
  }
  impl_->tell_others(hart);
  return calls.stopped() ? EcallResult::kStop : EcallResult::kResume;
}

EcallResult LinuxProcess::preempt(Hart& hart) {
  const bool after_call = std::exchange(impl_->after_call, false);
  const auto& is_uninterruptible = impl_->is_uninterruptible;
  if (!after_call && is_uninterruptible && is_uninterruptible(hart.state().pc)) {
    hart.preempt_at(hart.user_instructions() + 1);
    return EcallResult::kResume;
  }
  SystemCalls& calls = impl_->calls;
  impl_->use(hart);
  if (!calls.stopped()) calls.attend(hart.state(), hart.user_instructions());
  if (!calls.stopped()) hart.preempt_at(calls.next_attention());
  impl_->tell_others(hart);
  return calls.stopped() ? EcallResult::kStop : EcallResult::kResume;
}

EcallResult LinuxProcess::exception(Hart& hart, Cause cause, uint64_t tval) {
  SystemCalls& calls = impl_->calls;
  const unsigned number = impl_->use(hart);
  if (!calls.enter_exception(hart.state(), cause, tval)) {
    if (number == 0) return EcallResult::kTrap;
    calls.fail_by_exception(cause, tval);  // the firmware is that of the first hart
  }
  impl_->tell_others(hart);
  return calls.stopped() ? EcallResult::kStop : EcallResult::kResume;
}

uint64_t LinuxProcess::nanoseconds() const { return impl_->calls.now(); }

std::vector<ThreadShare> LinuxProcess::threads() const {
  for (unsigned number = 0; number < impl_->harts.size(); ++number) {
    impl_->calls.use_hart(number);
    impl_->calls.note_instructions(impl_->harts[number]->user_instructions());
  }
  return impl_->calls.threads().shares();
}

uint64_t LinuxProcess::thread_switches() const { return impl_->calls.threads().switches(); }

std::optional<unsigned> LinuxProcess::overflowed_thread(uint64_t address) const {
  constexpr uint64_t kLargeFrame = 65536;  // it may step over the guard
  impl_->calls.use_hart(0);                // the one whose firmware tells of the access
  const Threads& threads = impl_->calls.threads();
  if (threads.idles() || threads.current().stack_size == 0) return std::nullopt;
  const Thread& one = threads.current();
  const bool near_stack = address - (one.stack - kLargeFrame) < one.stack_size + kLargeFrame;
  return near_stack ? std::make_optional(one.number) : std::nullopt;
}

void LinuxProcess::set_uninterruptible(std::function<bool(uint64_t pc)> is_inside) {
  impl_->is_uninterruptible = std::move(is_inside);
}

const ProcessExit& LinuxProcess::exit() const { return impl_->calls.exit(); }
uint64_t LinuxProcess::syscalls() const { return impl_->calls.count(); }
const Refusals& LinuxProcess::refusals() const { return impl_->calls.refusals(); }
const UnsupportedCalls& LinuxProcess::unsupported_calls() const {
  return impl_->calls.unsupported();
}
const std::vector<std::string>& LinuxProcess::suspect_calls() const {
  return impl_->calls.suspects();
}

void LinuxProcess::set_output(std::function<void(int fd, const char* data, size_t size)> sink) {
  impl_->calls.set_output(std::move(sink));
}
const std::string& LinuxProcess::captured_stdout() const { return impl_->calls.captured(1); }
const std::string& LinuxProcess::captured_stderr() const { return impl_->calls.captured(2); }

void LinuxProcess::set_clock(std::function<uint64_t()> nanoseconds) {
  impl_->calls.set_clock(std::move(nanoseconds));
}

const std::vector<std::pair<uint64_t, uint64_t>>& LinuxProcess::written_ranges() const {
  return impl_->memory.written();
}

}  // namespace strobe::isa
