// What every check of keys that belong together needs: a fault at the place the user wrote, said
// once.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>

#include "sw/config/reader.h"

namespace strobe::config {

/// "functional", "timing" or "sampled".
const char* mode_name(Mode mode);

constexpr bool power_of_two(uint64_t value) { return value != 0 && (value & (value - 1)) == 0; }

class Checker {
 public:
  /// Keeps references to all three.
  Checker(const ReadResult& read, const yaml::Node& root, text::Diagnostics* diagnostics)
      : read_(read), root_(root), diagnostics_(diagnostics) {}

 protected:
  /// Reports at the first of `paths` unless one of them is faulty already.
  void expect(bool good, std::initializer_list<std::string> paths, const std::string& message);
  void expect_power_of_two(const std::string& path, uint64_t value);
  void expect_at_most(const std::string& path, uint64_t value, const std::string& other,
                      uint64_t limit);

  const ReadResult& read_;
  const yaml::Node& root_;
  text::Diagnostics* diagnostics_;

 private:
  /// The place of the key, or of the innermost map around it that the user wrote.
  yaml::Mark mark_of(std::string path) const;
};

}  // namespace strobe::config
