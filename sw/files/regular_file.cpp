#include "sw/files/regular_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace strobe::files {
namespace {

/// An open regular file, or why it is none.
class RegularFile {
 public:
  explicit RegularFile(const std::string& path)
      : descriptor_(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)) {
    const int error = errno;
    struct stat status {};
    // What cannot be opened, such as a socket, may still be named.
    const int found = descriptor_ >= 0 ? fstat(descriptor_, &status) : stat(path.c_str(), &status);
    if (found != 0) {
      why_ = std::strerror(descriptor_ >= 0 ? errno : error);
    } else if (!S_ISREG(status.st_mode)) {
      why_ = S_ISDIR(status.st_mode)    ? "it is a directory"
             : S_ISFIFO(status.st_mode) ? "it is a pipe"
             : S_ISSOCK(status.st_mode) ? "it is a socket"
                                        : "it is a device";
    } else if (descriptor_ < 0) {
      why_ = std::strerror(error);
    }
  }
  ~RegularFile() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  RegularFile(const RegularFile&) = delete;
  RegularFile& operator=(const RegularFile&) = delete;

  const std::string& why() const { return why_; }

  bool read_all(uint64_t most, std::string* text) {
    text->clear();
    char block[65536];
    for (;;) {
      const ssize_t got = read(descriptor_, block, sizeof block);
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) why_ = std::strerror(errno);
      if (got <= 0) return got == 0;
      if (static_cast<uint64_t>(got) > most - text->size()) {
        why_ = "it has more than " + std::to_string(most) + " bytes";
        return false;
      }
      text->append(block, static_cast<size_t>(got));
    }
  }

 private:
  int descriptor_;
  std::string why_;
};

}  // namespace

std::string why_unreadable(const std::string& path) { return RegularFile(path).why(); }

bool read_whole(const std::string& path, uint64_t most, std::string* text, std::string* why) {
  RegularFile file(path);
  const bool read = file.why().empty() && file.read_all(most, text);
  *why = file.why();
  return read;
}

bool read_whole(const std::string& path, const text::Limit& limit, std::string* text,
                std::string* why) {
  return read_whole(path, limit.most, text, why) && !text::exceeds(limit, text->size());
}

}  // namespace strobe::files
