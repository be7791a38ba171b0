// `strobe doctor`: is everything here that a run needs?
#pragma once

namespace strobe {

/// Prints one line a check: ok or missing, and what to do. @return 0, or 1 when something is
/// missing
int doctor_command();

}  // namespace strobe
