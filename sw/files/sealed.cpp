#include "sw/files/sealed.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <string>

#include "sw/files/sha256.h"
#include "sw/files/temporary.h"

namespace strobe::files {
namespace {

namespace fs = std::filesystem;

fs::path seal_of(const fs::path& file) { return file.string() + ".sha256"; }

/// Requires that the path, if it exists, is this user's.
void require_own(const fs::path& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) return;
  const uid_t self = geteuid();
  if (status.st_uid != self && status.st_uid != 0) {
    throw ForeignFile(fmt::format(
        "the cache has {}, which belongs to user {}: expected user {} or root; remove it, or set "
        "STROBE_CACHE to a folder of your own",
        path.string(), status.st_uid, self));
  }
  if ((status.st_mode & (S_IWGRP | S_IWOTH)) != 0) {
    throw ForeignFile(
        fmt::format("the cache has {}, which other users may write (mode {:o}): expected that only "
                    "its owner may; "
                    "remove it, or set STROBE_CACHE to a folder of your own",
                    path.string(), status.st_mode & 07777));
  }
}

}  // namespace

void seal(const fs::path& file) { place_sealed(file, file); }

void place_sealed(const fs::path& made, const fs::path& target) {
  const fs::perms others = fs::perms::group_write | fs::perms::others_write;
  fs::permissions(made, others, fs::perm_options::remove);
  Temporary seal(seal_of(target));
  std::ofstream stream(seal.path(), std::ios::binary);
  stream << sha256_of_file(made.string()) << '\n';
  stream.close();
  if (!stream) throw std::runtime_error(fmt::format("cannot write {}", seal.path().string()));
  fs::permissions(seal.path(), others, fs::perm_options::remove);
  // The seal first: a file with a seal that is not its own is made again.
  seal.place();
  fs::rename(made, target);
}

std::string damage_of_sealed(const fs::path& file) {
  std::string recorded;
  std::ifstream(seal_of(file)) >> recorded;
  if (recorded.empty()) {
    return fmt::format("its SHA-256 is not known without {}", seal_of(file).string());
  }
  const std::string got = sha256_of_file(file.string());
  if (got == recorded) return "";
  return fmt::format("it is damaged: expected SHA-256 {}, got {}", recorded, got);
}

bool is_whole(const fs::path& file) {
  if (!fs::exists(file)) return false;
  for (const fs::path& path : {fs::absolute(file).parent_path(), file, seal_of(file)}) {
    require_own(path);
  }
  return damage_of_sealed(file).empty();
}

void make_own_folder(const fs::path& folder) {
  if (fs::create_directories(folder)) {
    fs::permissions(folder, fs::perms::group_write | fs::perms::others_write,
                    fs::perm_options::remove);
  }
  require_own(folder);
}

}  // namespace strobe::files
