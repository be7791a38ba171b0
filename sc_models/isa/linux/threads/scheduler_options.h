// How the threads of a program take turns.
#pragma once

#include <cstdint>

namespace strobe::isa {

struct SchedulerOptions {
  uint64_t quantum = 50'000;  // U-mode instructions
  uint64_t seed = 0;          // 0: every quantum has this length; else from half to one and a half
};

}  // namespace strobe::isa
