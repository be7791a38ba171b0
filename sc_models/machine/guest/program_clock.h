// The time a simulated program sees. It is derived from the program's own retired instructions, at
// one a nanosecond: so nothing it computes depends on the timing model or on being profiled, and a
// run and its baseline execute the same instructions.
#pragma once

#include <cstdint>

namespace strobe::platform {

/// The time that the program has executed, on which its clocks rely; they also move on while all
/// its threads sleep (isa::LinuxProcess::nanoseconds).
inline uint64_t program_nanoseconds(uint64_t user_instructions) { return user_instructions; }

/// The `time` CSR, a 10 MHz counter, at a moment on the program's clock.
inline uint64_t ticks_of(uint64_t nanoseconds) { return nanoseconds / 100; }

}  // namespace strobe::platform
