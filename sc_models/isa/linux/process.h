// A statically linked Linux program in guest memory: loading, its start-up stack, system calls.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sc_models/isa/guest_memory.h"
#include "sc_models/isa/hart.h"
#include "sc_models/isa/linux/refusals.h"

namespace strobe::isa {

class ElfFile;

struct ProcessOptions {
  std::string elf;                                   // path on the host
  std::shared_ptr<const ElfFile> program = nullptr;  // that file as open_program() read it before
  std::vector<std::string> args;                     // argv[1..]
  std::vector<std::string> env;                      // KEY=VALUE
  std::string stdin_file;                            // empty: end of file at once
  std::vector<std::string> read;                     // host directories the program may read
  std::vector<std::string> write;                    // host directories it may read and write
  std::string cwd;    // guest working directory; empty: the first readable directory, or /
  uint64_t seed = 1;  // getrandom, AT_RANDOM
  uint64_t memory_limit = uint64_t{1} << 30;  // bytes of user memory: heap, mappings and stack
  uint64_t output_limit = 0;                  // bytes of stdout and stderr together; 0: any
};

/// Reads and checks a program for a process, once for all who ask what it is. Throws ElfError.
std::shared_ptr<const ElfFile> open_program(const std::string& elf);

/// What the simulated program did that the host must know.
struct ProcessExit {
  bool exited = false;
  int code = 0;         // exit status; 128 + signal when it killed itself
  bool failed = false;  // the proxy stopped the run: `error` says what, where, what to do
  std::string error;
};

/// The system-call proxy (a sandbox) and the address space it manages.
class LinuxProcess {
 public:
  /// Loads the program, which it reads unless it is given, builds the stack (argc, argv, envp,
  /// auxv). Throws ElfError (elf_file.h) with one clear sentence.
  LinuxProcess(GuestMemory& memory, ProcessOptions options);
  ~LinuxProcess();

  const ElfFile& program() const;
  /// Host descriptor of its standard input; -1 without one.
  int standard_input() const;

  uint64_t entry() const;
  uint64_t stack_pointer() const;

  /// Handles the ECALL the hart stands at (a7, a0-a5). Returns kResume or kStop.
  EcallResult ecall(Hart& hart);

  const ProcessExit& exit() const;
  uint64_t syscalls() const;  // handled so far
  const Refusals& refusals() const;

  /// Where the program's stdout and stderr go; default: collected in memory.
  void set_output(std::function<void(int fd, const char* data, size_t size)> sink);
  const std::string& captured_stdout() const;
  const std::string& captured_stderr() const;

  /// Nanoseconds of simulated time, asked by clock_gettime and the like. Must not depend on timing
  /// if a program's behaviour is not to; the platform derives it from U-mode instructions.
  void set_clock(std::function<uint64_t()> nanoseconds);

  /// Guest memory ranges the last ecall wrote (address, size): lockstep copies them.
  const std::vector<std::pair<uint64_t, uint64_t>>& written_ranges() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace strobe::isa
