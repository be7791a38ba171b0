// The memory words that software signals are: an object that defines them.
#pragma once

#include <cstdint>
#include <string>

#include "sw/object/file/object_file.h"

namespace strobe::instrument {

/// Symbols of the edited program, 32 bits each: the identifier of the function that runs, and of
/// the loop. Each begins a cache line that nothing else is in. Both are 0 before the first write.
inline constexpr const char* kMethodSignal = "strobe_signal_method";
inline constexpr const char* kLoopSignal = "strobe_signal_loop";
/// Bytes of the lines: no cache of the project has longer ones.
inline constexpr uint64_t kSignalLine = 64;

/// An object that defines the words, in reach of gp when it is linked first. @param elf_flags  of
/// the objects that it is linked with
object::ObjectFile make_signal_words(uint32_t elf_flags, bool methods, bool loops);

}  // namespace strobe::instrument
