// What the caller of a run hands to it beside the configuration: the program it has read, functions
// that are called on the way, and what watches.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sc_models/port/retire_listener.h"
#include "sc_models/port/tuple.h"

namespace strobe::isa {
class ElfFile;
}
namespace strobe::dise {
struct SourceFile;
}

namespace strobe::platform {

/// Takes the selected tuples of a run in stream order. A batch is kTupleBatch long but for the
/// last.
class TupleSink {
 public:
  static constexpr size_t kTupleBatch = 1024;

  virtual ~TupleSink() = default;
  /// @param cycles  core cycles of the region when the last of them retired; 0 in functional mode
  virtual void take(const Tuple* tuples, size_t count, uint64_t cycles) = 0;
};

/// Reads guest memory without side effects.
using MemoryReader = std::function<bool(uint64_t address, void* to, size_t size)>;

/// The files of a run as it read them.
struct RunInputs {
  const isa::ElfFile& program;
  const isa::ElfFile& firmware;
  const std::vector<dise::SourceFile>& productions;
  int standard_input = -1;  // host descriptor; -1: none
};

struct RunHooks {
  /// The workload's ELF as isa::open_program() read it before; null: the run reads it.
  std::shared_ptr<const isa::ElfFile> program;
  /// Once, when the guest's files are loaded and nothing has executed.
  std::function<void(const RunInputs&)> loaded;
  /// Whether an address of the program is in code that was put in, which threads and signals do not
  /// interrupt (LinuxProcess::set_uninterruptible); empty: nowhere.
  std::function<bool(uint64_t pc)> put_in;
  std::function<void()> elaborated;  // once: all is loaded and wired, no instruction has executed
  std::function<void(uint64_t instructions, uint64_t cycles)> progress;  // a few times a second
  /// What the program writes goes there, by default nowhere.
  std::function<void(int fd, const char* data, size_t size)> output = [](int, const char*, size_t) {
  };
  RetireListener* listener = nullptr;  // without productions
  /// When the region begins, if that is not with the program, and after the end of a run that came
  /// to one.
  std::function<void(const MemoryReader&)> region_begins, ended;
  TupleSink* recorder = nullptr;  // gets what the first profiler selects; then nothing else watches
  std::string trace_directory;    // the files of `trace` go here; the profiled run only
  /// False: there is only what handlers collected, without the exhaustive profiles: the caller has
  /// those of the same run already.
  bool exhaustive = true;
};

}  // namespace strobe::platform
