#include "sc_models/port/clock.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

namespace strobe {

Clock::Clock(double frequency_ghz) {
  if (!(frequency_ghz > 0)) {
    throw std::invalid_argument("clock: frequency_ghz must be above 0, got " +
                                std::to_string(frequency_ghz));
  }
  if (sc_core::sc_get_time_resolution() != sc_core::sc_time(1, sc_core::SC_PS)) {
    throw std::invalid_argument("clock: the SystemC time resolution must be 1 ps, got " +
                                sc_core::sc_get_time_resolution().to_string() +
                                "; leave sc_set_time_resolution alone");
  }
  period_ = std::max<uint64_t>(1, static_cast<uint64_t>(std::llround(1000.0 / frequency_ghz)));
}

}  // namespace strobe
