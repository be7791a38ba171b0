#include "sc_models/isa/linux/sandbox.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstring>
#include <deque>
#include <filesystem>
#include <stdexcept>

namespace strobe::isa {
namespace {

constexpr int kMostLinks = 40;  // as the kernel has it
constexpr size_t kLongestName = 255;

std::vector<std::string> components(const std::string& path) {
  std::vector<std::string> parts;
  for (size_t at = 0; at < path.size();) {
    const size_t slash = std::min(path.find('/', at), path.size());
    if (slash > at) parts.push_back(path.substr(at, slash - at));
    at = slash + 1;
  }
  return parts;
}

bool inside(const std::string& path, const std::string& directory) {
  if (directory == "/") return true;
  return path.compare(0, directory.size(), directory) == 0 &&
         (path.size() == directory.size() || path[directory.size()] == '/');
}

HostFd open_directory(const std::string& path) {
  return HostFd(::open(path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
}

/// The target of a symbolic link; empty when it cannot be read.
std::string link_target(int directory, const std::string& name) {
  char target[PATH_MAX];
  const ssize_t size = ::readlinkat(directory, name.c_str(), target, sizeof target);
  return size > 0 ? std::string(target, static_cast<size_t>(size)) : std::string();
}

}  // namespace

HostFd& HostFd::operator=(HostFd&& other) noexcept {
  std::swap(fd_, other.fd_);
  return *this;
}

HostFd::~HostFd() {
  if (fd_ >= 0) ::close(fd_);
}

Sandbox::Sandbox(const std::vector<std::string>& read, const std::vector<std::string>& write) {
  const auto add = [this](const std::string& directory, bool writable) {
    Root root{normalize("/", std::filesystem::absolute(directory).string()),
              open_directory(directory), writable};
    if (!root.fd) {
      throw std::runtime_error("sandbox directory " + directory + ": expected a directory, got: " +
                               std::strerror(errno) + "; create it or correct the path");
    }
    roots_.push_back(std::move(root));
  };
  for (const std::string& directory : read) add(directory, false);
  for (const std::string& directory : write) add(directory, true);
}

std::string Sandbox::first_directory() const { return roots_.empty() ? "/" : roots_.front().path; }

std::string Sandbox::normalize(const std::string& cwd, const std::string& path) {
  std::vector<std::string> parts;
  const bool absolute = !path.empty() && path[0] == '/';
  for (const std::string& part : components(absolute ? path : cwd + "/" + path)) {
    if (part == ".") continue;
    if (part != "..") {
      parts.push_back(part);
    } else if (!parts.empty()) {
      parts.pop_back();
    }
  }
  std::string result;
  for (const std::string& part : parts) result += "/" + part;
  return result.empty() ? "/" : result;
}

const Sandbox::Root* Sandbox::root_of(const std::string& path) const {
  const Root* best = nullptr;
  for (const Root& root : roots_) {
    if (!inside(path, root.path)) continue;
    if (best == nullptr || root.writable > best->writable ||
        (root.writable == best->writable && root.path.size() > best->path.size())) {
      best = &root;
    }
  }
  return best;
}

int Sandbox::resolve(const std::string& cwd, const std::string& path, bool follow_last,
                     ResolvedPath& result) const {
  if (path.empty()) return ENOENT;
  const std::string tail = path.size() >= 2 ? path.substr(path.size() - 2) : path;
  result.must_be_directory = tail.back() == '/' || tail == "/." || path == ".";
  std::string wanted = normalize(cwd, path);
  for (int links = 0; links <= kMostLinks; ++links) {
    const Root* root = root_of(wanted);
    if (root == nullptr) return EACCES;
    const std::vector<std::string> parts =
        components(root->path == "/" ? wanted : wanted.substr(root->path.size()));
    HostFd here(::fcntl(root->fd.get(), F_DUPFD_CLOEXEC, 0));
    if (!here) return errno;
    std::string reached = root->path == "/" ? "" : root->path;
    std::string next;  // where a link sends the walk
    for (size_t i = 0; i < parts.size(); ++i) {
      const bool last = i + 1 == parts.size();
      if (parts[i].size() > kLongestName) return ENAMETOOLONG;
      struct stat status {};
      const bool exists =
          ::fstatat(here.get(), parts[i].c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0;
      if (!exists && !(last && errno == ENOENT)) return errno;
      if (exists && S_ISLNK(status.st_mode) && (!last || follow_last || result.must_be_directory)) {
        const std::string target = link_target(here.get(), parts[i]);
        if (target.empty()) return ENOENT;
        next = normalize(reached, target);
        for (size_t rest = i + 1; rest < parts.size(); ++rest) next += "/" + parts[rest];
        break;
      }
      if (last) {
        result.name = parts[i];
      } else {
        if (!S_ISDIR(status.st_mode)) return ENOTDIR;
        HostFd below(
            ::openat(here.get(), parts[i].c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
        if (!below) return errno;
        here = std::move(below);
      }
      reached += "/" + parts[i];
    }
    if (next.empty()) {
      if (parts.empty()) result.name = ".";
      result.parent = std::move(here);
      result.guest_path = reached.empty() ? "/" : reached;
      result.writable = root->writable;
      return 0;
    }
    wanted = std::move(next);
  }
  return ELOOP;
}

}  // namespace strobe::isa
