#include "sw/answer/readers/foreign_profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "sw/answer/answer_error.h"
#include "sw/files/regular_file.h"

namespace strobe::answer {

void ForeignProfile::add(Counts ForeignProfile::*counts, const std::string& name, uint64_t count) {
  const auto [entry, is_new] = (this->*counts).try_emplace(name, 0);
  if (is_new) bytes_of_names_ += name.size();
  if (bytes_of_names_ > size_t{1} << 28) {
    throw std::length_error("names of at most 256 MiB together");
  }
  entry->second += std::min(count, std::numeric_limits<uint64_t>::max() - entry->second);
}

ForeignProfile read_foreign(const std::string& path) {
  constexpr uint64_t kMost = uint64_t{1} << 28;
  std::string bytes, why;
  if (!files::read_whole(path, kMost, &bytes, &why)) {
    throw AnswerError(fmt::format(
        "{} cannot be read: expected a profile of LLVM or pprof of at most 256 MiB, got {}; give "
        "another file",
        path, why));
  }
  const bool packed = bytes.rfind("\x1f\x8b", 0) == 0;
  const bool binary = bytes.find('\0') != std::string::npos;
  return packed || binary ? read_pprof(bytes, path) : read_llvm(bytes, path);
}

}  // namespace strobe::answer
