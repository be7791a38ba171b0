// The unit of the papers' and of the reproductions' counts.
#pragma once

#include <cstdint>

namespace strobe {

inline constexpr uint64_t kMillion = 1'000'000;

}  // namespace strobe
