// What the worst input up to a parser's limits costs it: memory and processor time, measured in a
// child process that parses nothing else.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace strobe::security {

/// The promise of docs/security.md for every input.
inline constexpr size_t kMostMemory = 200'000'000;  // bytes, above what the process has already
inline constexpr double kMostTime = 2;              // seconds of processor time
/// Processor time varies with what else the machine does; memory does not.
inline constexpr double kNoise = 3;

struct Cost {
  size_t memory = 0;  // bytes
  double time = 0;    // seconds of processor time
  std::string said;   // what the parser said
  std::string fault;  // why it did not return; empty: it did
};

/// Calls `parse`, which returns what the parser said about its input, in a child process.
Cost cost_of(const std::function<std::string()>& parse);

/// Expects that the input costs no more than is promised, and that the parser says `sentence` about
/// it; "" if it is to take the input.
void expect_cheap(const std::string& input, const std::function<std::string()>& parse,
                  const std::string& sentence);

/// `part`, `count` times.
std::string repeated(const std::string& part, size_t count);

}  // namespace strobe::security
