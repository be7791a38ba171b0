// What the proxy does for a system call, as a reader of the page wants to know it.
#pragma once

#include <cstdint>
#include <string>

namespace strobe::isa {

struct CallAnswer {
  /// What the call is about, in the order of the page.
  enum class Group : uint8_t {
    kMemory,
    kFiles,
    kPaths,
    kEvents,
    kTime,
    kProcess,
    kSignals,
    kThreads,
    kSystem,
  };
  /// How much of the call there is, in the order of the page.
  enum class Kind : uint8_t {
    kWhole,         // what Linux does, as far as the program can tell
    kPartial,       // `how` says what is done or left out
    kNoEffect,      // succeeds and changes nothing
    kNoSuchCall,    // ENOSYS
    kNotPermitted,  // EPERM
    kUnsupported,   // ENOSYS, and the result counts the call
    kStopsTheRun,
  };

  uint64_t number = 0;
  std::string name;
  Group group = Group::kSystem;
  Kind kind = Kind::kUnsupported;
  std::string how;  // Markdown; "" when the kind says everything
};

}  // namespace strobe::isa
