// How host files are opened: one component, no links, nothing of the kernel; both ways the same.
#include "sc_models/isa/linux/files/host_files.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/utsname.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <fstream>

namespace strobe::isa {
namespace {

class HostFilesTest : public testing::Test {
 protected:
  HostFilesTest() {
    std::string pattern = (std::filesystem::temp_directory_path() / "strobe-XXXXXX").string();
    top_ = std::filesystem::canonical(mkdtemp(pattern.data()));
    std::filesystem::create_directory(top_ / "folder");
    std::ofstream(top_ / "file") << "text";
    std::filesystem::create_symlink("file", top_ / "link");
    std::filesystem::create_symlink("/etc", top_ / "out");
    std::filesystem::create_symlink("none", top_ / "dangling");
    EXPECT_EQ(mkfifo((top_ / "pipe").c_str(), 0600), 0);
    directory_ = HostFd(::open(top_.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  }
  ~HostFilesTest() override { std::filesystem::remove_all(top_); }

  std::filesystem::path top_;
  HostFd directory_;
};

/// The type of what was opened, or the negative error number.
int64_t opened(int fd) {
  if (fd < 0) return -errno;
  const HostFd file(fd);
  struct stat status {};
  EXPECT_EQ(::fstat(fd, &status), 0);
  return status.st_mode & S_IFMT;
}

TEST_F(HostFilesTest, TheKernelsWalkAndTheFallbackAnswerTheSame) {
  struct utsname kernel {};
  unsigned major = 0, minor = 0;
  ASSERT_EQ(uname(&kernel), 0);
  ASSERT_EQ(std::sscanf(kernel.release, "%u.%u", &major, &minor), 2);
  if (open_by_openat2(directory_.get(), ".", O_PATH | O_CLOEXEC, 0) < 0) {
    ASSERT_LT(major * 100 + minor, 506u) << "openat2 came with Linux 5.6";
    return;
  }
  for (const char* name : {"file", "folder", "link", "out", "dangling", "pipe", "none", "."}) {
    for (const int flags : {O_PATH, O_RDONLY | O_NONBLOCK, O_WRONLY | O_NONBLOCK,
                            O_RDONLY | O_DIRECTORY, O_WRONLY | O_CREAT | O_EXCL}) {
      const int all = flags | O_NOFOLLOW | O_CLOEXEC;
      const mode_t mode = (flags & O_CREAT) != 0 ? 0600 : 0;
      std::filesystem::remove(top_ / "none");
      const int64_t by_kernel = opened(open_by_openat2(directory_.get(), name, all, mode));
      std::filesystem::remove(top_ / "none");
      const int64_t by_component = opened(open_by_openat(directory_.get(), name, all, mode));
      EXPECT_EQ(by_kernel, by_component) << name << " " << flags;
    }
  }
}

TEST_F(HostFilesTest, TheKernelsWalkRefusesWhatIsNoSingleComponent) {
  if (open_by_openat2(directory_.get(), ".", O_PATH | O_CLOEXEC, 0) < 0) return;
  for (const char* name : {"..", "/etc", "out/passwd", "folder/../../secret"}) {
    EXPECT_LT(open_by_openat2(directory_.get(), name, O_PATH | O_CLOEXEC, 0), 0) << name;
  }
}

TEST_F(HostFilesTest, LinksAreOpenedAsLinksOnly) {
  EXPECT_EQ(link_target(open_component(directory_.get(), "link", O_PATH).get()), "file");
  EXPECT_FALSE(open_component(directory_.get(), "link", O_RDONLY));
  EXPECT_EQ(errno, ELOOP);
}

TEST_F(HostFilesTest, FilesOfTheKernelAreNotOpened) {
  const HostFd root(::open("/", O_PATH | O_DIRECTORY | O_CLOEXEC));
  for (const char* name : {"proc", "sys", "dev"}) {
    EXPECT_FALSE(open_component(root.get(), name, O_PATH)) << name;
    EXPECT_EQ(errno, EXDEV) << name;
  }
  EXPECT_FALSE(is_kernel_file(root.get()));
  EXPECT_FALSE(is_kernel_file(directory_.get()));
  for (const char* path :
       {"/proc/self/environ", "/sys/kernel", "/dev/null", "/dev/pts", "/proc/self/ns/mnt"}) {
    const HostFd file(::open(path, O_PATH | O_CLOEXEC));
    ASSERT_TRUE(file) << path;
    EXPECT_TRUE(is_kernel_file(file.get())) << path;
  }
}

}  // namespace
}  // namespace strobe::isa
