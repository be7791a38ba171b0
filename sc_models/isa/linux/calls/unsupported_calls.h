// The system calls of a program that the proxy does not have, which answer ENOSYS: how many, and
// the first numbers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace strobe::isa {

struct UnsupportedCalls {
  static constexpr size_t kMost = 16;  // different numbers that are kept

  struct Call {
    uint64_t number = 0;
    std::string name;  // empty: Linux 6.1 does not have it either
    uint64_t count = 0;
  };

  uint64_t count = 0;
  std::vector<Call> first;  // in the order in which the program came to them

  void add(uint64_t number, const std::string& name) {
    ++count;
    const auto is_it = [number](const Call& one) { return one.number == number; };
    const auto found = std::find_if(first.begin(), first.end(), is_it);
    if (found != first.end()) {
      ++found->count;
    } else if (first.size() < kMost) {
      first.push_back({number, name, 1});
    }
  }
};

}  // namespace strobe::isa
