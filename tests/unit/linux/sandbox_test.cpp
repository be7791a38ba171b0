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
  std::string secret() const { return (top_ / "secret/key").string(); }
};

TEST_F(SandboxTest, AFileInsideOpens) {
  EXPECT_EQ(open(in("hello.txt")), 3);
  EXPECT_EQ(open("hello.txt"), 4) << "the program starts in the first directory";
  EXPECT_EQ(open("./x/../hello.txt"), 5) << ".. is taken lexically";
}

TEST_F(SandboxTest, AbsolutePathsElsewhereAreRefused) {
  for (const std::string& path :
       {secret(), std::string("/etc/passwd"), std::string("/"), std::string("/dev/zero"),
        std::string("/proc/self/maps"), top_.string(), top_.string() + "/inner"}) {
    EXPECT_EQ(open(path), -EACCES) << path;
  }
}

TEST_F(SandboxTest, DotDotDoesNotClimbOut) {
  EXPECT_EQ(open("../secret/key"), -EACCES);
  EXPECT_EQ(open(in("../secret/key")), -EACCES);
  EXPECT_EQ(open("a/../../secret/key"), -EACCES);
  EXPECT_EQ(open("../../../../../../../../etc/passwd"), -EACCES);
  EXPECT_EQ(open("../in/hello.txt"), 3);
}

TEST_F(SandboxTest, ANeighbourWithTheSamePrefixIsOutside) {
  std::filesystem::create_directory(top_ / "in2");
  put_file("in2/f", "x");
  EXPECT_EQ(open(in("../in2/f")), -EACCES);
  EXPECT_EQ(open(top_.string() + "/in2/f"), -EACCES);
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
    EXPECT_EQ(open(path), -EACCES) << path;
    EXPECT_EQ(call("newfstatat", {kHere, text(path), kBuffer, 0}), -EACCES) << path;
    EXPECT_EQ(call("faccessat", {kHere, text(path), 0}), -EACCES) << path;
  }
  EXPECT_EQ(call("chdir", {text("folder")}), -EACCES);
}

TEST_F(SandboxTest, WritingThroughALinkThatLeadsOutChangesNothing) {
  link(secret(), "out/link");
  link("../secret/new", "out/fresh");
  EXPECT_EQ(open(out("link"), abi::kWriteOnly | abi::kTruncate), -EACCES);
  EXPECT_EQ(open(out("fresh"), abi::kWriteOnly | abi::kCreate), -EACCES);
  EXPECT_EQ(call("truncate", {text(out("link")), 0}), -EACCES);
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
  EXPECT_EQ(open("fifo"), -EACCES);
}

TEST_F(SandboxTest, WithoutDirectoriesNothingButTheNullDeviceOpens) {
  options_.read = options_.write = {};
  restart();
  EXPECT_EQ(open("/"), -EACCES);
  EXPECT_EQ(open("x", abi::kWriteOnly | abi::kCreate), -EACCES);
  EXPECT_EQ(open("/dev/null", abi::kReadWrite), 3);
  EXPECT_EQ(call("getcwd", {kBuffer, 10}), 2);
  EXPECT_EQ(guest(kBuffer, 2), std::string("/\0", 2));
}

TEST_F(SandboxTest, TheProgramItselfIsNamedAndNothingElseOfProc) {
  EXPECT_EQ(call("readlinkat", {kHere, text("/proc/self/exe"), kBuffer, 100}), 5);
  EXPECT_EQ(guest(kBuffer, 5), "/prog");
  EXPECT_EQ(call("readlinkat", {kHere, text("/proc/self/cwd"), kBuffer, 100}), -EACCES);
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

TEST_F(SandboxTest, PathsOfAbsurdLengthAreRefused) {
  EXPECT_EQ(open(std::string(5000, 'a')), -ENAMETOOLONG);
  EXPECT_EQ(open(std::string(300, 'a')), -ENAMETOOLONG);
  EXPECT_EQ(open(""), -ENOENT);
  EXPECT_EQ(call("openat", {kHere, kUnmapped, 0}), -EFAULT);
}

}  // namespace
}  // namespace strobe::isa
