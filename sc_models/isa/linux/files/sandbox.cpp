#include "sc_models/isa/linux/files/sandbox.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <stdexcept>

namespace strobe::isa {
namespace {

constexpr int kMostLinks = 40;  // as in the kernel
constexpr size_t kLongestName = 255;
// A path counts with the directory at which it begins: each of its components is looked up in turn.
constexpr size_t kLongestPath = 4096;

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

}  // namespace

Sandbox::Sandbox(const std::vector<std::string>& read, const std::vector<std::string>& write) {
  const auto add = [this](const std::string& directory, bool writable) {
    HostFd fd = open_directory(directory);
    struct stat status {};
    if (!fd || ::fstat(fd.get(), &status) != 0) {
      throw std::runtime_error("sandbox directory " + directory + ": expected a directory, got: " +
                               std::strerror(errno) + "; create it or correct the path");
    }
    if (is_kernel_file(fd.get())) {
      throw std::runtime_error(
          "sandbox directory " + directory +
          ": expected a directory of stored files, got one in which the kernel shows itself and "
          "its devices (as in /proc, /sys and /dev); no program may see it: leave it out");
    }
    roots_.push_back({normalize("/", std::filesystem::absolute(directory).string()), std::move(fd),
                      writable, status.st_dev, status.st_ino});
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
  result.asked = path;
  if (path.empty()) return ENOENT;
  const std::string tail = path.size() >= 2 ? path.substr(path.size() - 2) : path;
  result.must_be_directory = tail.back() == '/' || tail == "/." || path == ".";
  std::string wanted = normalize(cwd, path);
  for (int links = 0; links <= kMostLinks; ++links) {
    if (wanted.size() >= kLongestPath) return ENAMETOOLONG;
    const Root* root = root_of(wanted);
    if (root == nullptr) return resolve_above(wanted, result);
    std::string next;
    const bool follow = follow_last || result.must_be_directory;
    if (const int error = walk(*root, wanted, follow, result, next)) return error;
    if (next.empty()) {
      result.kept = is_kept(result);
      return 0;
    }
    wanted = std::move(next);
  }
  return ELOOP;
}

int Sandbox::walk(const Root& root, const std::string& wanted, bool follow_last,
                  ResolvedPath& result, std::string& next) {
  const std::string start = root.path == "/" ? "" : root.path;
  const std::vector<std::string> parts = components(wanted.substr(start.size()));
  const auto open_target = [&result] {
    result.target = open_component(result.parent.get(), result.name, O_PATH);
    result.status = {};
    return result.target && ::fstat(result.target.get(), &result.status) == 0;
  };
  result.writable = root.writable;
  result.parent = HostFd(::fcntl(root.fd.get(), F_DUPFD_CLOEXEC, 0));
  result.name = ".";
  if (!result.parent || !open_target()) return errno;
  std::string reached = start;
  for (size_t i = 0; i < parts.size(); ++i) {
    const bool last = i + 1 == parts.size();
    if (!S_ISDIR(result.status.st_mode)) return ENOTDIR;
    if (parts[i].size() > kLongestName) return ENAMETOOLONG;
    result.parent = std::move(result.target);
    result.name = parts[i];
    if (!open_target()) {
      if (errno == EXDEV) {
        result.refusal = Refusal::kKernel;
        return ENOENT;
      }
      if (errno != ENOENT || !last) return errno;
    }
    if (S_ISLNK(result.status.st_mode) && (!last || follow_last)) {
      const std::string target = link_target(result.target.get());
      if (target.empty()) return ENOENT;
      next = normalize(reached, target);
      for (size_t rest = i + 1; rest < parts.size(); ++rest) next += "/" + parts[rest];
      return 0;
    }
    reached += "/" + parts[i];
  }
  result.guest_path = reached.empty() ? "/" : reached;
  return 0;
}

int Sandbox::resolve_above(const std::string& wanted, ResolvedPath& result) const {
  result.above = wanted == "/" || std::any_of(roots_.begin(), roots_.end(), [&](const Root& root) {
                   return inside(root.path, wanted);
                 });
  if (!result.above) {
    const bool kernel = inside(wanted, "/proc") || inside(wanted, "/sys") || inside(wanted, "/dev");
    result.refusal = kernel ? Refusal::kKernel : Refusal::kOutside;
    return ENOENT;
  }
  result.parent = HostFd();
  result.target = HostFd();
  result.guest_path = wanted;
  result.status = {};
  result.status.st_mode = kModeAbove;
  result.writable = false;
  return 0;
}

bool Sandbox::is_kept(const ResolvedPath& place) const {
  return std::any_of(roots_.begin(), roots_.end(), [&](const Root& root) {
    return inside(root.path, place.guest_path) ||
           (place.target && root.device == place.status.st_dev &&
            root.inode == place.status.st_ino);
  });
}

}  // namespace strobe::isa
