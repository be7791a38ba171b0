// Which files does a confined process still reach?
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>

#include "tests/security/confined_child.h"

namespace strobe::confine {
namespace {

namespace fs = std::filesystem;
using security::Ending;
using security::in_confined_child;

/// 0, or the error number of opening the file.
int open_error(const fs::path& path, int flags) {
  const int fd = open(path.c_str(), flags | O_CLOEXEC, 0600);
  if (fd < 0) return errno;
  close(fd);
  return 0;
}

int list_error(const fs::path& path) { return open_error(path, O_RDONLY | O_DIRECTORY); }

int rename_error(const fs::path& from, const fs::path& to) {
  return rename(from.c_str(), to.c_str()) == 0 ? 0 : errno;
}

/// A folder with in/file, other/file and secret/file.
class Files : public testing::Test {
 protected:
  Files() {
    std::string pattern = (fs::temp_directory_path() / "strobe-confine-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("mkdtemp failed");
    top_ = pattern;
    for (const char* folder : {"in", "other", "secret"}) {
      fs::create_directory(top_ / folder);
      std::ofstream(top_ / folder / "file") << "text\n";
    }
  }
  ~Files() override { fs::remove_all(top_); }

  /// `work` returns an error number or 0, which must be `expected`.
  void expect(int expected, const std::vector<PathGrant>& paths, const std::function<int()>& work) {
    Grants grants;
    grants.paths = paths;
    const Ending ending = in_confined_child(grants, work);
    EXPECT_EQ(ending.exit_code, expected) << "signal " << ending.signal << " " << ending.err;
  }
  PathGrant grant(const char* name, Access access) const {
    return {(top_ / name).string(), access};
  }

  fs::path top_;
};

TEST_F(Files, WhatWasGrantedForReadingIsReadAndNotWritten) {
  const std::vector<PathGrant> grants = {grant("in", Access::kRead)};
  expect(0, grants, [this] { return open_error(top_ / "in/file", O_RDONLY); });
  expect(0, grants, [this] { return list_error(top_ / "in"); });
  expect(EACCES, grants, [this] { return open_error(top_ / "in/file", O_WRONLY); });
  expect(EACCES, grants, [this] { return open_error(top_ / "in/new", O_WRONLY | O_CREAT); });
  expect(EACCES, grants, [this] { return unlink((top_ / "in/file").c_str()) == 0 ? 0 : errno; });
}

TEST_F(Files, WhatWasNotGrantedIsOutOfReach) {
  const std::vector<PathGrant> grants = {grant("in", Access::kWrite)};
  expect(EACCES, grants, [this] { return open_error(top_ / "secret/file", O_RDONLY); });
  expect(EACCES, grants, [this] { return open_error(top_ / "in/../secret/file", O_RDONLY); });
  expect(EACCES, grants, [this] { return list_error(top_); });
  expect(EACCES, grants, [this] { return open_error(top_ / "new", O_WRONLY | O_CREAT); });
}

TEST_F(Files, WhatWasGrantedForWritingIsMadeRenamedAndRemoved) {
  const std::vector<PathGrant> grants = {grant("in", Access::kWrite),
                                         grant("other", Access::kWrite)};
  expect(0, grants, [this] {
    const fs::path folder = top_ / "in/folder";
    if (mkdir(folder.c_str(), 0700) != 0) return errno;
    if (const int error = open_error(folder / "new", O_RDWR | O_CREAT | O_EXCL)) return error;
    if (const int error = rename_error(folder / "new", top_ / "other/new")) return error;
    if (unlink((top_ / "other/new").c_str()) != 0) return errno;
    return rmdir(folder.c_str()) == 0 ? 0 : errno;
  });
  expect(0, grants, [this] { return open_error(top_ / "in/file", O_WRONLY | O_TRUNC); });
}

TEST_F(Files, NothingIsMovedOutOfWhatWasGranted) {
  const std::vector<PathGrant> grants = {grant("in", Access::kWrite),
                                         grant("other", Access::kRead)};
  expect(EACCES, grants, [this] { return rename_error(top_ / "in/file", top_ / "other/moved"); });
  expect(EACCES, grants, [this] { return rename_error(top_ / "secret/file", top_ / "in/moved"); });
}

TEST_F(Files, AGrantOfAFileIsOfThatFileAlone) {
  const std::vector<PathGrant> grants = {grant("in/file", Access::kRead)};
  expect(0, grants, [this] { return open_error(top_ / "in/file", O_RDONLY); });
  expect(EACCES, grants, [this] { return open_error(top_ / "in/file", O_WRONLY); });
  expect(EACCES, grants, [this] { return list_error(top_ / "in"); });
}

TEST_F(Files, AFolderThatMayBePlacedHasNoFileInReach) {
  const std::vector<PathGrant> grants = {{top_.string(), Access::kPlaceDirectory}};
  expect(0, grants, [this] { return rename_error(top_ / "in", top_ / "placed"); });
  expect(EACCES, grants, [this] { return open_error(top_ / "secret/file", O_RDONLY); });
  expect(EACCES, grants, [this] { return open_error(top_ / "secret/file", O_WRONLY); });
  expect(EACCES, grants, [this] { return open_error(top_ / "secret/new", O_WRONLY | O_CREAT); });
  expect(EACCES, grants,
         [this] { return unlink((top_ / "secret/file").c_str()) == 0 ? 0 : errno; });
}

TEST_F(Files, AFolderWithWritableFilesInItCanBePlacedBesideOthers) {
  expect(0, {grant("in", Access::kWrite), {top_.string(), Access::kPlaceDirectory}}, [this] {
    if (const int error = open_error(top_ / "in/result", O_WRONLY | O_CREAT)) return error;
    if (const int error = rename_error(top_ / "in", top_ / "placed")) return error;
    return open_error(top_ / "placed/result", O_RDONLY);
  });
}

TEST_F(Files, WhatMayBeRemovedIsNotRead) {
  const std::vector<PathGrant> grants = {grant("in", Access::kRemove)};
  expect(0, grants, [this] { return list_error(top_ / "in"); });
  expect(EACCES, grants, [this] { return open_error(top_ / "in/file", O_RDONLY); });
  expect(0, grants, [this] { return unlink((top_ / "in/file").c_str()) == 0 ? 0 : errno; });
}

TEST_F(Files, AFileThatMayBePlacedIsRenamedAndNotOpened) {
  const std::vector<PathGrant> grants = {grant("in", Access::kPlaceFile)};
  expect(EACCES, grants, [this] { return open_error(top_ / "in/file", O_RDONLY); });
  expect(EACCES, grants, [this] { return open_error(top_ / "in/file", O_WRONLY); });
  expect(0, grants, [this] { return rename_error(top_ / "in/file", top_ / "in/placed"); });
}

TEST_F(Files, OpenFilesStayUsable) {
  const int fd = open((top_ / "secret/file").c_str(), O_RDWR | O_CLOEXEC);
  expect(0, {}, [fd] {
    char text[4] = {};
    if (read(fd, text, sizeof text) != sizeof text) return EIO;
    return write(fd, text, sizeof text) == sizeof text && ftruncate(fd, 2) == 0 ? 0 : EIO;
  });
  close(fd);
}

TEST_F(Files, AFolderThatDoesNotExistGrantsNothing) {
  expect(EACCES, {grant("absent", Access::kWrite)},
         [this] { return mkdir((top_ / "absent").c_str(), 0700) == 0 ? 0 : errno; });
}

}  // namespace
}  // namespace strobe::confine
