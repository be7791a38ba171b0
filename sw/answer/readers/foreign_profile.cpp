#include "sw/answer/readers/foreign_profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "sw/answer/answer_error.h"
#include "sw/files/regular_file.h"

namespace strobe::answer {

void ForeignProfile::add(Counts ForeignProfile::*counts, const std::string& name, uint64_t count) {
  if (!names_.take(name.size())) throw TooLarge(names_.excess());
  const auto [entry, is_new] = (this->*counts).try_emplace(name, 0);
  if (is_new && !entries_.take()) throw TooLarge(entries_.excess());
  entry->second += std::min(count, std::numeric_limits<uint64_t>::max() - entry->second);
}

ForeignProfile read_foreign(const std::string& path) {
  const text::Limit& most = text::limits::kProfileBytes;
  std::string bytes, why;
  if (!files::read_whole(path, most, &bytes, &why)) {
    throw AnswerError(fmt::format(
        "{} cannot be read: expected a profile of LLVM or pprof of at most {} bytes, got {}; give "
        "another file, or {}",
        path, most.most, why, most.advice));
  }
  const bool packed = bytes.rfind("\x1f\x8b", 0) == 0;
  const bool binary = bytes.find('\0') != std::string::npos;
  return packed || binary ? read_pprof(bytes, path) : read_llvm(bytes, path);
}

}  // namespace strobe::answer
