#include "sw/files/whole_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <deque>
#include <system_error>
#include <utility>

#include "sw/files/advice.h"

namespace strobe::files {
namespace {

namespace fs = std::filesystem;

/// @return 0 or the errno
int write_all(int descriptor, const char* data, size_t size) {
  for (size_t done = 0; done < size;) {
    const ssize_t put = write(descriptor, data + done, size - done);
    if (put < 0 && errno != EINTR) return errno;
    if (put > 0) done += static_cast<size_t>(put);
  }
  return 0;
}

bool is_special(const fs::path& file) {
  struct stat status {};
  return stat(file.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

void write_into(const fs::path& special, std::string_view content) {
  const int descriptor = open(special.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor < 0) throw WriteError(special, errno);
  int reason = write_all(descriptor, content.data(), content.size());
  if (close(descriptor) != 0 && reason == 0) reason = errno;
  if (reason != 0) throw WriteError(special, reason);
}

}  // namespace

WriteError::WriteError(const fs::path& file, int reason)
    : std::runtime_error(fmt::format("cannot write {}: {}; {}", file.string(),
                                     std::strerror(reason), advice_for(reason))),
      reason_(reason) {}

int sync_open(int descriptor) {
  return fsync(descriptor) == 0 || errno == EINVAL || errno == EROFS ? 0 : errno;
}

WholeFile::WholeFile(const fs::path& target) : target_(target), temporary_(target) {
  const fs::path parent = fs::absolute(target).parent_path();
  folder_ = open(parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  file_ = open(temporary_.path().c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file_ >= 0) return;
  const int reason = errno;
  if (folder_ >= 0) close(folder_);
  fail(reason);
}

WholeFile::~WholeFile() {
  for (const int descriptor : {file_, folder_}) {
    if (descriptor >= 0) close(descriptor);
  }
}

void WholeFile::fail(int reason) const { throw WriteError(target_, reason); }

void WholeFile::write(const void* data, size_t size) {
  if (const int reason = write_all(file_, static_cast<const char*>(data), size)) fail(reason);
}

void WholeFile::allow_execution() {
  struct stat status {};
  if (fstat(file_, &status) != 0 || fchmod(file_, status.st_mode | 0111) != 0) fail(errno);
}

void WholeFile::flush() {
  const int file = std::exchange(file_, -1);
  if (file < 0) return;
  int reason = sync_open(file);
  if (close(file) != 0 && reason == 0) reason = errno;
  if (reason != 0) fail(reason);
}

void WholeFile::finish() {
  flush();
  try {
    temporary_.place();
  } catch (const fs::filesystem_error& error) {
    fail(error.code().value());
  }
  // The file is there and whole; a name that a power failure takes back is no error of this
  // command. A folder that may be written but not read cannot be opened, and is not synced.
  if (folder_ >= 0) sync_open(folder_);
}

void write_whole(const std::vector<Content>& contents) {
  std::deque<WholeFile> files;
  for (const Content& content : contents) {
    const fs::path folder = fs::absolute(content.file).parent_path();
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) throw WriteError(content.file, error.value());
    sweep_leftovers(folder);
    WholeFile& file = files.emplace_back(content.file);
    file.write(content.bytes.data(), content.bytes.size());
    if (content.executable) file.allow_execution();
    file.flush();
  }
  for (WholeFile& file : files) file.finish();
}

void write_whole(const fs::path& file, std::string_view content) {
  if (is_special(file)) return write_into(file, content);
  write_whole({{file, content}});
}

}  // namespace strobe::files
