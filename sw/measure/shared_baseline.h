// A baseline that equal runs share: the first makes it, the others wait for that one.
#pragma once

#include <string>

namespace strobe {

class SharedBaseline {
 public:
  /// Opens and locks the file, which is made where it is missing, after the process that has it. A
  /// process may confine itself afterwards. Throws std::runtime_error.
  explicit SharedBaseline(const std::string& file);
  ~SharedBaseline();
  SharedBaseline(const SharedBaseline&) = delete;
  SharedBaseline& operator=(const SharedBaseline&) = delete;

  /// What keep() stored; empty: nothing, or a part of it because its process was killed.
  std::string content() const;
  /// Stores what the others get. A failure costs them the time to make it again.
  void keep(const std::string& content) const;

 private:
  int descriptor_;
};

}  // namespace strobe
