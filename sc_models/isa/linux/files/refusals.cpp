#include "sc_models/isa/linux/files/refusals.h"

#include <algorithm>

#include "sc_models/isa/linux/printable.h"

namespace strobe::isa {
namespace {

constexpr const char* kReadKey = "workload.sandbox.read";
constexpr const char* kWriteKey = "workload.sandbox.write";

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
  RefusedPath refused{call, printable(path, kLongestPath), key_for(why, changes)};
  if (std::find(first.begin(), first.end(), refused) != first.end()) return;
  first.push_back(std::move(refused));
}

}  // namespace strobe::isa
