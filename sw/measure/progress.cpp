#include "sw/measure/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace strobe {
namespace {

bool can_rewrite_lines() {
  const char* term = std::getenv("TERM");
  return isatty(STDERR_FILENO) == 1 && term != nullptr && std::string(term) != "dumb" &&
         std::getenv("CI") == nullptr;
}

/// Past `stderr`, which shows what steers a terminal. What cannot be printed is not missed.
void to_terminal(const std::string& text) {
  [[maybe_unused]] const ssize_t put = write(STDERR_FILENO, text.data(), text.size());
}

}  // namespace

Progress::Progress(bool quiet) : quiet_(quiet), terminal_(can_rewrite_lines()) {}

void Progress::begin(const std::string& phase, uint64_t instructions) {
  phase_ = phase;
  expected_ = instructions;
  start_ = Clock::now();
  if (terminal_ && !quiet_) show(phase);
}

void Progress::show(const std::string& text) {
  if (terminal_) {
    to_terminal("\r" + text + "\033[K");
    line_open_ = true;
  } else {
    std::fputs((text + "\n").c_str(), stderr);
  }
}

void Progress::update(uint64_t instructions, uint64_t cycles) {
  using std::chrono::milliseconds;
  using std::chrono::seconds;
  const Clock::time_point now = Clock::now();
  const auto interval = terminal_ ? milliseconds(200) : milliseconds(seconds(30));
  if (quiet_ || now - last_ < interval) return;
  last_ = now;
  const double elapsed = std::chrono::duration<double>(now - start_).count();
  const double million = static_cast<double>(instructions) / 1e6;
  std::string text = phase_;
  if (expected_ > 0 && instructions > 0) {
    const double share =
        std::min(1.0, static_cast<double>(instructions) / static_cast<double>(expected_));
    text += fmt::format(", {:.0f} %, {:.0f} s to go", 100 * share, elapsed * (1 - share) / share);
  }
  text += fmt::format(": {:.1f} M instructions", million);
  if (cycles > 0) text += fmt::format(", {:.1f} M cycles", static_cast<double>(cycles) / 1e6);
  text += fmt::format(", {:.0f} s, {:.2f} M instructions/s", elapsed, million / elapsed);
  show(text);
}

void Progress::done() {
  if (line_open_) to_terminal("\r\033[K");
  line_open_ = false;
}

}  // namespace strobe
