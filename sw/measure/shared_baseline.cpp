#include "sw/measure/shared_baseline.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <stdexcept>

#include "sw/files/sha256.h"

namespace strobe {
namespace {

constexpr size_t kHashSize = 64;  // hexadecimal digits before the content

}  // namespace

SharedBaseline::SharedBaseline(const std::string& file)
    : descriptor_(open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)) {
  int failed = descriptor_ < 0 ? -1 : 0;
  while (failed == 0 && (failed = flock(descriptor_, LOCK_EX)) != 0 && errno == EINTR) failed = 0;
  if (failed == 0) return;
  const int reason = errno;
  if (descriptor_ >= 0) close(descriptor_);
  throw std::runtime_error(
      fmt::format("cannot open and lock the shared baseline {}: {}", file, std::strerror(reason)));
}

SharedBaseline::~SharedBaseline() { close(descriptor_); }

std::string SharedBaseline::content() const {
  std::string text;
  std::array<char, 4096> block{};
  for (ssize_t got; (got = pread(descriptor_, block.data(), block.size(),
                                 static_cast<off_t>(text.size()))) > 0;) {
    text.append(block.data(), static_cast<size_t>(got));
  }
  if (text.size() <= kHashSize) return "";
  const std::string content = text.substr(kHashSize);
  return text.compare(0, kHashSize, files::sha256_of_text(content)) == 0 ? content : "";
}

void SharedBaseline::keep(const std::string& content) const {
  const std::string text = files::sha256_of_text(content) + content;
  if (ftruncate(descriptor_, 0) != 0) return;
  for (size_t done = 0; done < text.size();) {
    const ssize_t put =
        pwrite(descriptor_, text.data() + done, text.size() - done, static_cast<off_t>(done));
    if (put < 0 && errno != EINTR) return;
    if (put > 0) done += static_cast<size_t>(put);
  }
}

}  // namespace strobe
