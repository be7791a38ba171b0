#include "sw/config/check/checker.h"

#include <fmt/format.h>

namespace strobe::config {

const char* mode_name(Mode mode) {
  return mode == Mode::kFunctional ? "functional" : mode == Mode::kTiming ? "timing" : "sampled";
}

void Checker::expect(bool good, std::initializer_list<std::string> paths,
                     const std::string& message) {
  if (good) return;
  for (const std::string& path : paths) {
    if (read_.faulty.count(path) != 0) return;
  }
  diagnostics_->push_back(mark_of(*paths.begin()).error(*paths.begin(), message));
}

void Checker::expect_power_of_two(const std::string& path, uint64_t value) {
  expect(power_of_two(value), {path}, fmt::format("expected a power of two, got {}", value));
}

void Checker::expect_at_most(const std::string& path, uint64_t value, const std::string& other,
                             uint64_t limit) {
  expect(value <= limit, {path, other},
         fmt::format("expected at most {}, which is {}, got {}", other, limit, value));
}

yaml::Mark Checker::mark_of(std::string path) const {
  for (;;) {
    const auto found = read_.given.find(path);
    if (found != read_.given.end()) return found->second.mark;
    const size_t dot = path.rfind('.');
    if (dot == std::string::npos) return root_.mark;
    path.resize(dot);
  }
}

}  // namespace strobe::config
