// A statically linked Linux program in guest memory: loading, its start-up stack, system calls.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sc_models/isa/hart/hart.h"
#include "sc_models/isa/linux/calls/unsupported_calls.h"
#include "sc_models/isa/linux/files/refusals.h"
#include "sc_models/isa/linux/threads/threads.h"
#include "sc_models/isa/memory/guest_memory.h"

namespace strobe::isa {

class ElfFile;

struct ProcessOptions {
  std::string elf;                                   // path on the host
  std::shared_ptr<const ElfFile> program = nullptr;  // `elf`, if open_program() has read it
  std::string argv0;                                 // empty: the name of the file `elf`
  std::vector<std::string> args;                     // argv[1..]
  std::vector<std::string> env;                      // KEY=VALUE
  std::string stdin_file;                            // path on the host; empty: end of file at once
  std::vector<std::string> read;                     // host directories the program may read
  std::vector<std::string> write;                    // host directories it may read and write
  std::string cwd;    // guest working directory; empty: the first readable directory, or /
  uint64_t seed = 1;  // for getrandom and AT_RANDOM
  uint64_t memory_limit = uint64_t{1} << 30;  // bytes of user memory: heap, mappings and stack
  uint64_t output_limit = 0;                  // bytes of stdout and stderr together; 0: no limit
  /// Instructions of the program, entries of its handlers, expirations of its timers and calls that
  /// are made again, together; 0: no limit. Plain instructions are limited by what runs the harts.
  uint64_t instruction_limit = 0;
  SchedulerOptions scheduler;  // how its threads take turns
};

/// Reads and checks a program for a process. The result can be shared by everything that needs the
/// file. Throws ElfError.
std::shared_ptr<const ElfFile> open_program(const std::string& elf);

/// How the simulated program ended.
struct ProcessExit {
  bool exited = false;
  int code = 0;         // exit status; 128 + signal number when it killed itself
  bool failed = false;  // the proxy stopped the run: `error` says what, where, what to do
  std::string error;
  bool reached_limit = false;  // ProcessOptions::instruction_limit
};

/// The system-call proxy (a sandbox) and the address space it manages.
class LinuxProcess {
 public:
  /// Loads the program and builds the stack (argc, argv, envp, auxv). Reads the program's file
  /// unless `options.program` has it. Throws ElfError (elf_file.h) with one clear sentence.
  LinuxProcess(GuestMemory& memory, ProcessOptions options);
  ~LinuxProcess();

  const ElfFile& program() const;
  /// The host descriptor of the program's standard input; -1 without one.
  int standard_input() const;

  uint64_t entry() const;
  uint64_t stack_pointer() const;

  /// Handles the ECALL at the hart's pc, with the arguments a7 and a0 to a5. Returns kResume or
  /// kStop.
  EcallResult ecall(Hart& hart);
  /// Lets the threads of odd numbers run on `hart` and the others on `first`. Before the program's
  /// first instruction. The harts share their memory.
  /// @param start  called when `hart` has its first thread; before that it need not run
  void add_hart(Hart& hart, Hart& first, std::function<void()> start);

  /// As those of Environment: the threads of the program take turns, and the handlers of its
  /// signals are entered.
  EcallResult preempt(Hart& hart);
  EcallResult exception(Hart& hart, Cause cause, uint64_t tval);

  /// Nanoseconds on the program's clock, which moves on while all its threads sleep.
  uint64_t nanoseconds() const;
  /// What its threads have executed so far.
  std::vector<ThreadShare> threads() const;
  uint64_t thread_switches() const;
  /// The number of the thread that runs on the first hart, if an access to `address` that was
  /// refused says that its stack has overflowed; nothing for the first thread, whose stack is not
  /// the program's.
  std::optional<unsigned> overflowed_thread(uint64_t address) const;

  const ProcessExit& exit() const;
  uint64_t syscalls() const;  // handled so far
  const Refusals& refusals() const;
  const UnsupportedCalls& unsupported_calls() const;
  /// A sentence for each of the first things that a program in order does not do.
  const std::vector<std::string>& suspect_calls() const;

  /// Sets where the program's stdout and stderr go. By default they are collected in memory.
  void set_output(std::function<void(int fd, const char* data, size_t size)> sink);
  const std::string& captured_stdout() const;
  const std::string& captured_stderr() const;

  /// Sets the source of simulated time, in nanoseconds, for clock_gettime and similar calls. It
  /// must not depend on the timing model if a program's behavior must not; the platform derives it
  /// from U-mode instructions.
  void set_clock(std::function<uint64_t()> nanoseconds);

  /// Code of the program that is executed as a whole: no other thread takes over and no handler of
  /// a signal is entered before an instruction for which `is_inside` is true, but after a system
  /// call. It is what instrumentation put in, whose data the threads share.
  void set_uninterruptible(std::function<bool(uint64_t pc)> is_inside);

  /// The ranges of guest memory (address, size in bytes) that the last ecall, preempt or exception
  /// wrote. Lockstep copies them.
  const std::vector<std::pair<uint64_t, uint64_t>>& written_ranges() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace strobe::isa
