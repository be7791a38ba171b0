// How far a run is, on stderr: one line that is rewritten on a terminal, a plain line every 30
// seconds otherwise: "profiled run, 64 %, 12 s to go: 17.7 M instructions, ...".
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace strobe {

class Progress {
 public:
  explicit Progress(bool quiet);

  /// What is done from here on. @param instructions  how many it has; 0: that is not known
  void begin(const std::string& phase, uint64_t instructions = 0);
  /// May be called often; writes at most five times a second on a terminal, else every 30 seconds.
  void update(uint64_t instructions, uint64_t cycles);
  /// The run is over: leaves the terminal's line.
  void done();

 private:
  using Clock = std::chrono::steady_clock;

  void show(const std::string& text);

  bool quiet_;
  bool terminal_;
  bool line_open_ = false;
  std::string phase_ = "run";
  uint64_t expected_ = 0;
  Clock::time_point start_ = Clock::now();
  Clock::time_point last_ = start_;
};

}  // namespace strobe
