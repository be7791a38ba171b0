// The time a simulated program sees. It is derived from the program's own retired instructions, at
// one a nanosecond: so nothing it computes depends on the timing model or on being profiled, and a
// run and its baseline execute the same instructions.
#pragma once

#include <cstdint>

namespace strobe::platform {

/// What clock_gettime and the like are told.
inline uint64_t program_nanoseconds(uint64_t user_instructions) { return user_instructions; }

/// The `time` CSR: a 10 MHz counter of the same time.
inline uint64_t program_ticks(uint64_t user_instructions) { return user_instructions / 100; }

}  // namespace strobe::platform
