// No path of the guest leads out of the configured directories.
#include <sys/stat.h>

#include "tests/unit/linux/call_fixture.h"

namespace strobe::isa {
namespace {

using testing::HasSubstr;

class SandboxTest : public CallTest {
 protected:
  void link(const std::string& target, const std::string& name) {
    std::filesystem::create_symlink(target, top_ / name);
  }
  /// Names in a directory, in its order.
  std::vector<std::string> listed(const std::string& path) {
    const int64_t fd = open(path);
    EXPECT_GE(fd, 0) << path;
    std::vector<std::string> names;
    for (int64_t got; (got = call("getdents64", {static_cast<uint64_t>(fd), kBuffer, 4096})) > 0;) {
      for (uint64_t at = kBuffer; at < kBuffer + static_cast<uint64_t>(got);
           at += value<uint16_t>(at + 16)) {
        names.emplace_back(guest(at + 19, 250).c_str());
      }
    }
    call("close", {static_cast<uint64_t>(fd)});
    return names;
  }
  std::string secret() const { return (top_ / "secret/key").string(); }
};

TEST_F(SandboxTest, AFileInsideOpens) {
  EXPECT_EQ(open(in("hello.txt")), 3);
  EXPECT_EQ(open("hello.txt"), 4) << "the program starts in the first directory";
  EXPECT_EQ(open("./x/../hello.txt"), 5) << ".. is taken lexically";
}

// Else a program could make each of its calls as long as it likes, by a directory far down.
TEST_F(SandboxTest, AWorkingDirectoryIsNoDeeperThanAPathIsLong) {
  const uint64_t name = text(std::string(200, 'd'), 1);
  EXPECT_EQ(call("chdir", {text(out("."))}), 0);
  int64_t error = 0;
  int depth = 0;
  while (error == 0 && ++depth < 100) {
    error = call("mkdirat", {kHere, name, 0755});
    if (error == 0) error = call("chdir", {name});
  }
  EXPECT_EQ(error, -ENAMETOOLONG);
  EXPECT_LT(depth, 22);
  EXPECT_EQ(call("newfstatat", {kHere, text("."), kBuffer, 0}), 0);
  EXPECT_EQ(call("chdir", {text("..")}), 0);
}

TEST_F(SandboxTest, OutsideNothingExists) {
  for (const std::string& path :
       {secret(), std::string("/etc/passwd"), std::string("/etc"), std::string("/dev/zero"),
        std::string("/proc/self/maps"), (top_ / "secret").string(), top_.string() + "/inner"}) {
    EXPECT_EQ(open(path), -ENOENT) << path;
    EXPECT_EQ(open(path, abi::kWriteOnly | abi::kCreate), -ENOENT) << path;
    EXPECT_EQ(call("newfstatat", {kHere, text(path), kBuffer, 0}), -ENOENT) << path;
    EXPECT_EQ(call("readlinkat", {kHere, text(path), kBuffer, 100}), -ENOENT) << path;
    EXPECT_EQ(call("mkdirat", {kHere, text(path), 0755}), -ENOENT) << path;
    EXPECT_EQ(call("unlinkat", {kHere, text(path), 0}), -ENOENT) << path;
    EXPECT_EQ(call("chdir", {text(path)}), -ENOENT) << path;
  }
}

TEST_F(SandboxTest, DotDotDoesNotClimbOut) {
  EXPECT_EQ(open("../secret/key"), -ENOENT);
  EXPECT_EQ(open(in("../secret/key")), -ENOENT);
  EXPECT_EQ(open("a/../../secret/key"), -ENOENT);
  EXPECT_EQ(open("../../../../../../../../etc/passwd"), -ENOENT);
  EXPECT_EQ(open("../in/hello.txt"), 3);
}

TEST_F(SandboxTest, ANeighbourWithTheSamePrefixIsOutside) {
  std::filesystem::create_directory(top_ / "in2");
  put_file("in2/f", "x");
  EXPECT_EQ(open(in("../in2/f")), -ENOENT);
  EXPECT_EQ(open(top_.string() + "/in2/f"), -ENOENT);
}

TEST_F(SandboxTest, SymbolicLinksInsideWorkRelativeAndAbsolute) {
  std::filesystem::create_directories(top_ / "in/a/b");
  link("../../hello.txt", "in/a/b/relative");
  link(in("hello.txt"), "in/a/b/absolute");
  link("a/b", "in/folder");
  EXPECT_EQ(open("a/b/relative"), 3);
  EXPECT_EQ(open("a/b/absolute"), 4);
  EXPECT_EQ(open("folder/relative"), 5);
  link(out(""), "in/over");
  put_file("out/there", "x");
  EXPECT_EQ(open("over/there"), 6) << "from one directory of the sandbox into another";
}

TEST_F(SandboxTest, SymbolicLinksThatLeadOutAreRefused) {
  link(secret(), "in/absolute");
  link("../secret/key", "in/relative");
  link("../secret", "in/folder");
  link("/", "in/root");
  link("absolute", "in/chain");
  for (const char* path : {"absolute", "relative", "folder/key", "root/etc/passwd", "chain"}) {
    EXPECT_EQ(open(path), -ENOENT) << path;
    EXPECT_EQ(call("newfstatat", {kHere, text(path), kBuffer, 0}), -ENOENT) << path;
    EXPECT_EQ(call("faccessat", {kHere, text(path), 0}), -ENOENT) << path;
  }
  EXPECT_EQ(call("chdir", {text("folder")}), -ENOENT);
}

TEST_F(SandboxTest, WritingThroughALinkThatLeadsOutChangesNothing) {
  link(secret(), "out/link");
  link("../secret/new", "out/fresh");
  EXPECT_EQ(open(out("link"), abi::kWriteOnly | abi::kTruncate), -ENOENT);
  EXPECT_EQ(open(out("fresh"), abi::kWriteOnly | abi::kCreate), -ENOENT);
  EXPECT_EQ(call("truncate", {text(out("link")), 0}), -ENOENT);
  EXPECT_EQ(host_file("secret/key"), "do not read");
  EXPECT_FALSE(std::filesystem::exists(top_ / "secret/new"));
  EXPECT_EQ(call("unlinkat", {kHere, text(out("link")), 0}), 0) << "the link itself may go";
  EXPECT_EQ(host_file("secret/key"), "do not read");
}

TEST_F(SandboxTest, LoopsOfLinksEnd) {
  link("b", "in/a");
  link("a", "in/b");
  link("self/x", "in/self");
  EXPECT_EQ(open("a"), -ELOOP);
  EXPECT_EQ(open("self"), -ELOOP);
  EXPECT_EQ(open("a", abi::kNofollow), -ELOOP);
}

TEST_F(SandboxTest, ReadOnlyDirectoriesRefuseEveryChange) {
  EXPECT_EQ(open("hello.txt", abi::kWriteOnly), -EROFS);
  EXPECT_EQ(open("hello.txt", abi::kReadOnly | abi::kTruncate), -EROFS);
  EXPECT_EQ(open("new", abi::kWriteOnly | abi::kCreate), -EROFS);
  EXPECT_EQ(call("unlinkat", {kHere, text("hello.txt"), 0}), -EROFS);
  EXPECT_EQ(call("mkdirat", {kHere, text("folder"), 0755}), -EROFS);
  EXPECT_EQ(call("truncate", {text("hello.txt"), 0}), -EROFS);
  EXPECT_EQ(call("fchmodat", {kHere, text("hello.txt"), 0}), -EROFS);
  EXPECT_EQ(call("renameat2", {kHere, text("hello.txt"), kHere, text(out("x"), 1), 0}), -EROFS);
  EXPECT_EQ(call("utimensat", {kHere, text("hello.txt"), 0, 0}), -EROFS);
  EXPECT_EQ(call("faccessat", {kHere, text("hello.txt"), 2}), -EROFS);
  EXPECT_EQ(host_file("in/hello.txt"), "hello, world");
  EXPECT_EQ(open("hello.txt", abi::kReadOnly | abi::kCreate), 3) << "it exists: nothing to create";
}

TEST_F(SandboxTest, ADirectoryInsideAWritableOneIsWritable) {
  std::filesystem::create_directory(top_ / "out/nested");
  options_.read = {out("nested")};
  restart();
  EXPECT_EQ(open(out("nested/f"), abi::kWriteOnly | abi::kCreate), 3);
}

TEST_F(SandboxTest, PipesAndDevicesInsideAreNotOpened) {
  ASSERT_EQ(mkfifo(in("fifo").c_str(), 0600), 0);
  ASSERT_EQ(mknod(in("socket").c_str(), S_IFSOCK | 0600, 0), 0);
  EXPECT_EQ(open("fifo"), -EACCES);
  EXPECT_EQ(open("socket"), -EACCES);
}

TEST_F(SandboxTest, WithoutDirectoriesNothingButTheNullDeviceOpens) {
  options_.read = options_.write = {};
  restart();
  EXPECT_EQ(open("/etc"), -ENOENT);
  EXPECT_EQ(open("x", abi::kWriteOnly | abi::kCreate), -ENOENT);
  EXPECT_EQ(open("/dev/null", abi::kReadWrite), 3);
  EXPECT_EQ(call("getcwd", {kBuffer, 10}), 2);
  EXPECT_EQ(guest(kBuffer, 2), std::string("/\0", 2));
}

TEST_F(SandboxTest, TheProgramItselfIsNamedAndNothingElseOfProc) {
  EXPECT_EQ(call("readlinkat", {kHere, text("/proc/self/exe"), kBuffer, 100}), 5);
  EXPECT_EQ(guest(kBuffer, 5), "/prog");
  EXPECT_EQ(call("readlinkat", {kHere, text("/proc/self/cwd"), kBuffer, 100}), -ENOENT);
}

TEST_F(SandboxTest, BadDirectoriesAreNamedBeforeTheProgramStarts) {
  options_.read = {"/no/such/folder"};
  try {
    restart();
    FAIL() << "accepted";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(),
                 "sandbox directory /no/such/folder: expected a directory, got: No such file or "
                 "directory; create it or correct the path");
  }
}

TEST_F(SandboxTest, TheWorkingDirectoryMustBeInTheSandbox) {
  options_.cwd = "/etc";
  try {
    restart();
    FAIL() << "accepted";
  } catch (const std::runtime_error& error) {
    EXPECT_THAT(error.what(), HasSubstr("working directory /etc: expected a directory of the "
                                        "sandbox"));
  }
}

TEST_F(SandboxTest, AWorkingDirectoryThatIsMissingOrAboveTheSandboxIsNamed) {
  for (const std::string& cwd : {in("none"), in("hello.txt"), top_.string(), std::string("/")}) {
    options_.cwd = cwd;
    try {
      restart();
      ADD_FAILURE() << "accepted " << cwd;
    } catch (const std::runtime_error& error) {
      EXPECT_THAT(error.what(), HasSubstr("working directory " + cwd + ": expected a directory"));
    }
  }
}

TEST_F(SandboxTest, DirectoriesOfTheKernelAreNoSandbox) {
  for (const char* directory : {"/proc", "/proc/self/fd", "/sys", "/dev"}) {
    for (const bool writable : {false, true}) {
      options_.read = options_.write = {};
      (writable ? options_.write : options_.read) = {directory};
      try {
        restart();
        ADD_FAILURE() << "accepted " << directory;
      } catch (const std::runtime_error& error) {
        EXPECT_THAT(error.what(),
                    HasSubstr(std::string("sandbox directory ") + directory +
                              ": expected a directory of stored files, got one in which the kernel "
                              "shows itself"));
      }
    }
  }
}

TEST_F(SandboxTest, StandardInputIsNoFileOfTheKernel) {
  options_.stdin_file = "/proc/self/environ";
  EXPECT_THROW(restart(), std::runtime_error);
}

TEST_F(SandboxTest, AReadableRootDoesNotShowTheKernel) {
  link("/proc/self/environ", "in/link");
  link("/proc", "in/folder");
  link("/proc/self/root/etc", "in/magic");
  options_.read = {"/"};
  options_.cwd = (top_ / "in").string();
  restart();
  EXPECT_EQ(open(secret()), 3) << "stored files are in the sandbox";
  for (const char* path : {"/proc",
                           "/proc/",
                           "/proc/self/environ",
                           "/proc/self/mem",
                           "/proc/self/root/etc/passwd",
                           "/proc/self/fd/0",
                           "/proc/self/cwd",
                           "/proc/../proc/self/maps",
                           "/sys",
                           "/sys/kernel",
                           "/dev",
                           "/dev/zero",
                           "/dev/mem",
                           "/dev/shm",
                           "/dev/pts",
                           "/dev/stdin",
                           "link",
                           "folder/self/environ",
                           "magic/passwd",
                           "../../../../../../proc/version"}) {
    EXPECT_EQ(open(path), -ENOENT) << path;
    EXPECT_EQ(open(path, abi::kPathOnly), -ENOENT) << path;
    EXPECT_EQ(call("newfstatat", {kHere, text(path), kBuffer, 0}), -ENOENT) << path;
    EXPECT_EQ(call("faccessat", {kHere, text(path), 0}), -ENOENT) << path;
    EXPECT_EQ(call("chdir", {text(path)}), -ENOENT) << path;
  }
  EXPECT_EQ(call("newfstatat", {kHere, text("/proc"), kBuffer, abi::kAtSymlinkNofollow}), -ENOENT);
  const std::vector<std::string> names = listed("/");
  EXPECT_THAT(names, testing::Contains("etc"));
  EXPECT_THAT(names,
              testing::Not(testing::AnyOf(testing::Contains("proc"), testing::Contains("sys"),
                                          testing::Contains("dev"))));
}

TEST_F(SandboxTest, TheDirectoriesAboveTheSandboxAreThereAndEmpty) {
  for (const std::string& path : {top_.string(), top_.string() + "/", top_.parent_path().string(),
                                  std::string("/"), std::string(".."), std::string("../.")}) {
    EXPECT_EQ(call("newfstatat", {kHere, text(path), kBuffer, 0}), 0) << path;
    const auto status = value<abi::Stat>(kBuffer);
    EXPECT_EQ(status.mode, S_IFDIR | 0555u) << path;
    EXPECT_EQ(status.size, 4096) << path;
    EXPECT_EQ(status.nlink, 1u) << path;
    EXPECT_EQ(call("faccessat", {kHere, text(path), 5}), 0) << path;
    EXPECT_EQ(call("faccessat", {kHere, text(path), 2}), -EACCES) << path;
    EXPECT_EQ(call("readlinkat", {kHere, text(path), kBuffer, 100}), -EINVAL) << path;
    EXPECT_THAT(listed(path), testing::ElementsAre(".", "..")) << path;
  }
  const int64_t fd = open(top_.string(), abi::kDirectory);
  ASSERT_GE(fd, 0);
  const auto above = static_cast<uint64_t>(fd);
  EXPECT_EQ(call("fstat", {above, kBuffer}), 0);
  EXPECT_EQ(value<abi::Stat>(kBuffer).mode, S_IFDIR | 0555u);
  EXPECT_GE(call("openat", {above, text("in/hello.txt"), 0}), 0);
  EXPECT_EQ(call("openat", {above, text("secret/key"), 0}), -ENOENT);
  EXPECT_EQ(call("read", {above, kBuffer, 1}), -EISDIR);
  EXPECT_EQ(call("fchdir", {above}), 0);
  EXPECT_GE(open("in/hello.txt"), 0);
  EXPECT_EQ(call("chdir", {text("/")}), 0);
}

TEST_F(SandboxTest, NothingIsMadeOrChangedAboveTheSandbox) {
  const std::string top = top_.string();
  EXPECT_EQ(open(top + "/new", abi::kWriteOnly | abi::kCreate), -ENOENT);
  EXPECT_EQ(open(top, abi::kWriteOnly), -EISDIR);
  EXPECT_EQ(call("mkdirat", {kHere, text(top + "/new"), 0755}), -ENOENT);
  EXPECT_EQ(call("mkdirat", {kHere, text(top), 0755}), -EEXIST) << "as mkdir -p expects";
  EXPECT_EQ(call("unlinkat", {kHere, text(top), abi::kAtRemoveDir}), -EROFS);
  EXPECT_EQ(call("fchmodat", {kHere, text(top), 0777}), -EROFS);
  EXPECT_EQ(call("utimensat", {kHere, text(top), 0, 0}), -EROFS);
  EXPECT_EQ(call("renameat2", {kHere, text(top), kHere, text(out("x"), 1), 0}), -EROFS);
  EXPECT_EQ(call("renameat2", {kHere, text(out("x")), kHere, text(top, 1), 0}), -EROFS);
  const int64_t fd = open(top);
  EXPECT_EQ(call("fchmod", {static_cast<uint64_t>(fd), 0777}), -EPERM);
  EXPECT_EQ(call("ftruncate", {static_cast<uint64_t>(fd), 0}), -EINVAL);
}

TEST_F(SandboxTest, TheSandboxDirectoriesThemselvesStayAsTheyAre) {
  std::filesystem::create_directories(top_ / "out/a/kept");
  std::filesystem::create_directories(top_ / "out/real");
  std::filesystem::create_directory_symlink(top_ / "out/real", top_ / "alias");
  options_.read = {(top_ / "in").string(), out("a/kept"), (top_ / "alias").string()};
  restart();
  // The last one is reached by another name than the run file gives.
  for (const std::string& root : {out("."), out("a"), out("a/kept"), out("real")}) {
    const int64_t fd = open(root);
    EXPECT_EQ(call("fchmod", {static_cast<uint64_t>(fd), 0}), -EPERM) << root;
    EXPECT_EQ(call("fchmodat", {kHere, text(root), 0}), -EPERM) << root;
    EXPECT_EQ(call("truncate", {text(root), 0}), -EISDIR) << root;
    EXPECT_EQ(call("unlinkat", {kHere, text(root), 0}), -EISDIR) << root;
    EXPECT_EQ(call("unlinkat", {kHere, text(root), abi::kAtRemoveDir}), -EBUSY) << root;
    EXPECT_EQ(call("renameat2", {kHere, text(root), kHere, text(out("x"), 1), 0}), -EBUSY) << root;
    std::filesystem::create_directory(top_ / "out/empty");
    EXPECT_EQ(call("renameat2", {kHere, text(out("empty")), kHere, text(root, 1), 0}), -EBUSY);
    EXPECT_EQ(call("renameat2", {kHere, text(out("empty")), kHere, text(root, 1), 2}), -EBUSY);
  }
  struct stat status {};
  ASSERT_EQ(stat(out("").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777u, 0755u);
  EXPECT_EQ(call("fchmodat", {kHere, text(out("empty")), 0700}), 0) << "what lies in it may change";
}

TEST_F(SandboxTest, PathsOfAbsurdLengthAreRefused) {
  EXPECT_EQ(open(std::string(5000, 'a')), -ENAMETOOLONG);
  EXPECT_EQ(open(std::string(300, 'a')), -ENAMETOOLONG);
  EXPECT_EQ(open(""), -ENOENT);
  EXPECT_EQ(call("openat", {kHere, kUnmapped, 0}), -EFAULT);
}

}  // namespace
}  // namespace strobe::isa
