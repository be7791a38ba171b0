#include "sc_models/isa/linux/files/refusals.h"

#include <algorithm>
#include <cstdio>

namespace strobe::isa {
namespace {

constexpr const char* kReadKey = "workload.sandbox.read";
constexpr const char* kWriteKey = "workload.sandbox.write";

/// The path with unprintable bytes escaped: a path may hold any byte, but a terminal and JSON may
/// not.
std::string printable(const std::string& path) {
  std::string text;
  for (const char c : path) {
    if (text.size() >= Refusals::kLongestPath) return text + "...";
    if (c >= ' ' && c <= '~' && c != '\\') {
      text += c;
    } else {
      char code[8];
      std::snprintf(code, sizeof code, "\\x%02x", static_cast<unsigned>(static_cast<uint8_t>(c)));
      text += code;
    }
  }
  return text;
}

std::string key_for(Refusal why, bool changes) {
  switch (why) {
    case Refusal::kOutside:
      return changes ? kWriteKey : kReadKey;
    case Refusal::kReadOnly:
      return kWriteKey;
    default:
      return "";
  }
}

}  // namespace

void Refusals::add(const std::string& call, const std::string& path, Refusal why, bool changes) {
  ++count;
  if (first.size() == kMost) return;
  RefusedPath refused{call, printable(path), key_for(why, changes)};
  if (std::find(first.begin(), first.end(), refused) != first.end()) return;
  first.push_back(std::move(refused));
}

}  // namespace strobe::isa
