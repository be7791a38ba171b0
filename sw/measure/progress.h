// How far a run is, on stderr: one line that is rewritten on a terminal, a plain line every 30
// seconds otherwise.
#pragma once

#include <chrono>
#include <cstdint>

namespace strobe {

class Progress {
 public:
  explicit Progress(bool quiet);

  /// May be called often; writes at most five times a second on a terminal, else every 30 seconds.
  void update(uint64_t instructions, uint64_t cycles);
  /// The run is over: leaves the terminal's line.
  void done();

 private:
  using Clock = std::chrono::steady_clock;

  bool quiet_;
  bool terminal_;
  bool line_open_ = false;
  Clock::time_point start_ = Clock::now();
  Clock::time_point last_ = start_;
};

}  // namespace strobe
