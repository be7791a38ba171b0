// What libraries do with absolute paths: they look at every directory on the way from "/".
#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace fs = std::filesystem;

static std::vector<std::string> found;

static void print_found(const char* title) {
  std::sort(found.begin(), found.end());
  printf("%s:\n", title);
  for (const std::string& line : found) printf("  %s\n", line.c_str());
  found.clear();
}

static int visit(const char* path, const struct stat* status, int type, struct FTW* where) {
  found.push_back(std::string(path) + " " + std::to_string(type) + " " +
                  std::to_string(where->level) +
                  (S_ISREG(status->st_mode) ? " " + std::to_string(status->st_size) : ""));
  return 0;
}

static void standard_library(const fs::path& here) {
  printf("created %d, again %d\n", fs::create_directories(here / "tree/a/b/c"),
         fs::create_directories(here / "tree/a/b/c"));
  std::ofstream(here / "tree/a/file") << "12345";
  printf("canonical %s\n", fs::canonical(here / "tree/a/../a/b/./c").c_str());
  printf("weakly %s\n", fs::weakly_canonical("tree/a/none/x").c_str());
  printf("relative %s\n", fs::relative(here / "tree/a/file", here).c_str());
  for (fs::path above = here; above != above.parent_path(); above = above.parent_path()) {
    printf("%s\n", fs::is_directory(above) ? "directory" : "NONE");
  }
  for (const auto& entry : fs::recursive_directory_iterator(here / "tree")) {
    found.push_back(entry.path().string() + (entry.is_directory() ? "/" : ""));
  }
  print_found("recursive");
}

// As find walks: into each directory, and back by its descriptor.
static void walk(const fs::path& here) {
  char resolved[PATH_MAX];
  printf("realpath %s\n", realpath((here / "tree/a//file").c_str(), resolved));
  printf("realpath of none: %s\n", realpath("tree/none/x", resolved) ? resolved : strerror(errno));
  printf("walked %d\n", nftw(".", visit, 4, FTW_PHYS | FTW_CHDIR | FTW_DEPTH));
  print_found("nftw .");
  printf("walked %d\n", nftw((here / "tree").c_str(), visit, 4, FTW_PHYS));
  print_found("nftw tree");
}

// As SQLite opens a database: the full path link by link, locks, a journal, a synced directory.
static void database(const fs::path& here) {
  fs::path full;
  for (const fs::path& part : here / "data.db") {
    full /= part;
    struct stat status;
    if (lstat(full.c_str(), &status) != 0 && errno != ENOENT)
      printf("lstat: %s\n", strerror(errno));
  }
  const int file = open(full.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0644);
  struct flock lock = {};
  lock.l_type = F_RDLCK;
  lock.l_start = 0x40000000;
  lock.l_len = 1;
  printf("lock %d\n", fcntl(file, F_SETLK, &lock));
  const std::string journal = full.string() + "-journal";
  printf("journal %d\n", access(journal.c_str(), F_OK));
  const int log = open(journal.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0644);
  printf("wrote %zd %zd\n", pwrite(log, "old", 3, 0), pwrite(file, "page", 4, 4096));
  const int folder = open(here.c_str(), O_RDONLY | O_CLOEXEC);
  printf("synced %d %d %d\n", fsync(log), fsync(file), fsync(folder));
  printf("removed %d\n", unlink(journal.c_str()));
  struct stat status;
  printf("size %d %lld\n", fstat(file, &status), static_cast<long long>(status.st_size));
  close(log), close(file), close(folder);
}

int main() {
  const fs::path here = fs::current_path();
  standard_library(here);
  walk(here);
  database(here);
  printf("outside: %s\n", fs::exists("/no-such-directory/file") ? "there" : "none");
  printf("removed %d\n", static_cast<int>(fs::remove_all(here / "tree")));
  fs::remove(here / "data.db");
  return 0;
}
