#include "sw/measure/standard_input.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "sw/files/sha256.h"
#include "sw/result/out_of_reach.h"

namespace strobe {
namespace {

struct stat status_of(int descriptor, const std::string& name) {
  struct stat status {};
  if (fstat(descriptor, &status) == 0) return status;
  throw std::runtime_error(
      fmt::format("cannot look at the standard input {}: {}", name, std::strerror(errno)));
}

bool same(const timespec& a, const timespec& b) {
  return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

}  // namespace

StandardInput::~StandardInput() {
  if (descriptor_ >= 0) close(descriptor_);
}

void StandardInput::watch(const config::WorkloadConfig& workload, int descriptor,
                          std::string sha256) {
  if (descriptor < 0 || result::may_write(workload, workload.stdin_file)) return;
  name_ = workload.stdin_file;
  sha256_ = std::move(sha256);
  descriptor_ = fcntl(descriptor, F_DUPFD_CLOEXEC, 0);  // the program may close its own
  before_ = status_of(descriptor_, name_);
}

void StandardInput::expect_unchanged() const {
  if (descriptor_ < 0) return;
  const struct stat after = status_of(descriptor_, name_);
  if (same(after.st_mtim, before_.st_mtim) && after.st_size == before_.st_size &&
      files::sha256_of_descriptor(descriptor_, name_) == sha256_) {
    return;
  }
  throw std::runtime_error(
      fmt::format("the standard input {} was written to while the program ran: what the program "
                  "read is not what was there at the start; leave the file alone and run it again",
                  name_));
}

}  // namespace strobe
