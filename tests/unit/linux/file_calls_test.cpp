// Open files, directories and what the guest is told about them.
#include <fcntl.h>
#include <sys/stat.h>

#include <limits>

#include "tests/unit/linux/call_fixture.h"

namespace strobe::isa {
namespace {

constexpr uint64_t kHuge = std::numeric_limits<uint64_t>::max();
constexpr uint64_t kNew = abi::kReadWrite | abi::kCreate;

class FileCallTest : public CallTest {
 protected:
  uint64_t must_open(const std::string& path, uint64_t flags = 0, uint64_t mode = 0644) {
    const int64_t fd = open(path, flags, mode);
    EXPECT_GE(fd, 0) << path;
    return static_cast<uint64_t>(fd);
  }
  uint64_t vector(const std::vector<abi::IoVector>& parts) {
    const uint64_t at = kScratch + 0x8000;
    EXPECT_TRUE(user_->copy_out(at, parts.data(), parts.size() * sizeof(abi::IoVector)));
    return at;
  }
  abi::Stat status(const std::string& path) {
    EXPECT_EQ(call("newfstatat", {kHere, text(path), kBuffer, 0}), 0) << path;
    return value<abi::Stat>(kBuffer);
  }
};

TEST_F(FileCallTest, OutputEndsTheRunAtItsLimitAndWhatIsBelowIsWritten) {
  options_.output_limit = 8;
  restart();
  EXPECT_EQ(call("write", {1, text("stdout"), 5}), 5);
  EXPECT_EQ(call("write", {2, text("err"), 3}), 3);
  EXPECT_FALSE(calls_->stopped()) << "the limit itself is allowed";
  call("write", {1, text("more"), 4});
  EXPECT_TRUE(calls_->exit().failed);
  EXPECT_EQ(calls_->exit().error,
            "write at pc 0x10478: the program wrote more than limits.output, which is 8 bytes, to "
            "its standard output and error; what it wrote before is kept; raise the limit if it "
            "needs more, or look there for an endless loop");
  restart();
  call("write", {1, text("stdout and more"), 15});
  EXPECT_TRUE(calls_->exit().failed);
  EXPECT_EQ(calls_->captured(1), "stdout a");
}

TEST_F(FileCallTest, StandardOutputAndErrorAreCollected) {
  EXPECT_EQ(call("write", {1, text("out"), 3}), 3);
  EXPECT_EQ(call("write", {2, text("error"), 5}), 5);
  EXPECT_EQ(call("writev", {1, vector({{text("a", 1), 1}, {0, 0}, {text("bc", 2), 2}}), 3}), 3);
  EXPECT_EQ(calls_->captured(1), "outabc");
  EXPECT_EQ(calls_->captured(2), "error");
}

TEST_F(FileCallTest, ASinkGetsTheOutputInsteadOfTheCollection) {
  std::string seen;
  calls_->set_output([&](int fd, const char* data, size_t size) {
    seen += std::to_string(fd) + ":" + std::string(data, size);
  });
  call("write", {2, text("x"), 1});
  EXPECT_EQ(seen, "2:x");
  EXPECT_EQ(calls_->captured(2), "");
}

TEST_F(FileCallTest, StandardInputIsTheFileOrItsEnd) {
  EXPECT_EQ(call("read", {0, kBuffer, 10}), 0);
  options_.stdin_file = (top_ / "secret/key").string();
  restart();
  EXPECT_EQ(call("read", {0, kBuffer, 6}), 6);
  EXPECT_EQ(guest(kBuffer, 6), "do not");
  EXPECT_EQ(call("write", {0, kBuffer, 1}), -EBADF);
}

TEST_F(FileCallTest, AMissingStandardInputIsNamedBeforeTheProgramStarts) {
  options_.stdin_file = "/no/such/input";
  try {
    restart();
    FAIL() << "accepted";
  } catch (const std::runtime_error& error) {
    EXPECT_THAT(error.what(),
                testing::HasSubstr("standard input /no/such/input: expected a readable file, got: "
                                   "No such file or directory"));
  }
}

TEST_F(FileCallTest, AFileIsWrittenReadAndSought) {
  const uint64_t fd = must_open(out("f"), kNew);
  EXPECT_EQ(call("write", {fd, text("0123456789"), 10}), 10);
  EXPECT_EQ(call("lseek", {fd, static_cast<uint64_t>(-4), 2}), 6);
  EXPECT_EQ(call("read", {fd, kBuffer, 100}), 4);
  EXPECT_EQ(guest(kBuffer, 4), "6789");
  EXPECT_EQ(call("pwrite64", {fd, text("ab"), 2, 1}), 2);
  EXPECT_EQ(call("pread64", {fd, kBuffer, 4, 0}), 4);
  EXPECT_EQ(guest(kBuffer, 4), "0ab3");
  EXPECT_EQ(call("ftruncate", {fd, 3}), 0);
  EXPECT_EQ(call("ioctl", {fd, 0x541b, kBuffer}), 0);
  EXPECT_EQ(value<int32_t>(kBuffer), 0) << "the position is behind the end";
  EXPECT_EQ(call("fsync", {fd}), 0);
  EXPECT_EQ(call("close", {fd}), 0);
  EXPECT_EQ(call("close", {fd}), -EBADF);
  EXPECT_EQ(host_file("out/f"), "0ab");
}

TEST_F(FileCallTest, NoDescriptorIsASocket) {
  for (const char* name : {"getsockname", "getpeername", "getsockopt", "setsockopt"}) {
    EXPECT_EQ(call(name, {0, kBuffer, kBuffer}), -ENOTSOCK) << name;
    EXPECT_EQ(call(name, {99, kBuffer, kBuffer}), -EBADF) << name;
  }
}

TEST_F(FileCallTest, AppendingWritesGoToTheEnd) {
  put_file("out/log", "one ");
  const uint64_t fd = must_open(out("log"), abi::kWriteOnly | abi::kAppend);
  call("write", {fd, text("two"), 3});
  EXPECT_EQ(host_file("out/log"), "one two");
  EXPECT_EQ(call("fcntl", {fd, 3}), static_cast<int64_t>(abi::kWriteOnly | abi::kAppend));
}

TEST_F(FileCallTest, VectorsScatterAndGather) {
  const uint64_t fd = must_open("hello.txt");
  EXPECT_EQ(call("readv", {fd, vector({{kBuffer, 5}, {kBuffer + 100, 2}, {kBuffer + 200, 50}}), 3}),
            12);
  EXPECT_EQ(guest(kBuffer, 5) + guest(kBuffer + 100, 2) + guest(kBuffer + 200, 5), "hello, world");
  EXPECT_EQ(call("preadv", {fd, vector({{kBuffer, 2}, {kBuffer + 2, 2}}), 2, 7}), 4);
  EXPECT_EQ(guest(kBuffer, 4), "worl");
  const uint64_t file = must_open(out("v"), kNew);
  EXPECT_EQ(call("pwritev", {file, vector({{text("ab"), 2}, {text("c", 1), 1}}), 2, 0}), 3);
  EXPECT_EQ(host_file("out/v"), "abc");
}

TEST_F(FileCallTest, BadVectorsAreRefused) {
  EXPECT_EQ(call("writev", {1, kBuffer, 1025}), -EINVAL);
  EXPECT_EQ(call("writev", {1, kBuffer, kHuge}), -EINVAL);
  EXPECT_EQ(call("writev", {1, kUnmapped, 1}), -EFAULT);
  EXPECT_EQ(call("writev", {1, vector({{kBuffer, kHuge}}), 1}), -EINVAL);
  EXPECT_EQ(call("writev", {1, vector({{kBuffer, kHuge / 2}, {kBuffer, 1}}), 2}), -EFAULT)
      << "beyond every address";
  EXPECT_EQ(call("writev", {1, vector({{kUnmapped, 1}}), 1}), -EFAULT);
  EXPECT_EQ(call("writev", {77, vector({{kBuffer, 1}}), 1}), -EBADF);
  EXPECT_EQ(calls_->captured(1), "");
}

TEST_F(FileCallTest, BadPointersAndHugeSizesNeverHurt) {
  const uint64_t fd = must_open("hello.txt");
  for (const uint64_t address :
       {uint64_t{0}, kUnmapped, uint64_t{STROBE_USER_TOP}, uint64_t{STROBE_FIRMWARE_BASE},
        uint64_t{STROBE_MEMORY_SPAN}, kHuge, kHuge - 4095, uint64_t{1} << 63}) {
    for (const uint64_t size : {uint64_t{1}, uint64_t{4096}, uint64_t{1} << 40, kHuge}) {
      EXPECT_EQ(call("read", {fd, address, size}), -EFAULT) << address << " " << size;
      EXPECT_EQ(call("write", {1, address, size}), -EFAULT) << address << " " << size;
      EXPECT_EQ(call("getrandom", {address, size, 0}), -EFAULT) << address << " " << size;
    }
    EXPECT_EQ(call("newfstatat", {kHere, text("hello.txt"), address, 0}), -EFAULT);
    EXPECT_EQ(call("newfstatat", {kHere, address, kBuffer, 0}), -EFAULT);
    EXPECT_EQ(call("uname", {address}), -EFAULT);
    EXPECT_EQ(call("clock_gettime", {0, address}), -EFAULT);
    EXPECT_EQ(call("getcwd", {address, 4096}), -EFAULT);
  }
  EXPECT_EQ(call("read", {fd, kBuffer, kHuge}), -EFAULT) << "beyond every address";
  EXPECT_EQ(call("read", {fd, kBuffer, uint64_t{1} << 32}), 12) << "only what the file has";
  EXPECT_EQ(call("write", {1, STROBE_USER_TOP - 4, 100}), 4) << "only what is readable";
  EXPECT_EQ(call("read", {kHuge, kBuffer, 1}), -EBADF);
  EXPECT_EQ(call("read", {uint64_t{1} << 31, kBuffer, 1}), -EBADF);
}

TEST_F(FileCallTest, BadOffsetsAreRefused) {
  const uint64_t fd = must_open(out("f"), kNew);
  EXPECT_EQ(call("pread64", {fd, kBuffer, 1, kHuge}), -EINVAL);
  EXPECT_EQ(call("pwritev", {fd, vector({{kBuffer, 1}}), 1, kHuge}), -EINVAL);
  EXPECT_EQ(call("lseek", {fd, kHuge, 0}), -EINVAL);
  EXPECT_EQ(call("lseek", {fd, 0, 9}), -EINVAL);
  EXPECT_EQ(call("ftruncate", {fd, kHuge}), -EINVAL);
  EXPECT_EQ(call("truncate", {text(out("f")), kHuge}), -EINVAL);
  EXPECT_EQ(call("lseek", {1, 0, 1}), -ESPIPE);
  EXPECT_EQ(call("pread64", {0, kBuffer, 1, 0}), -ESPIPE);
}

TEST_F(FileCallTest, OpeningFollowsTheKernelsRules) {
  EXPECT_EQ(open("none"), -ENOENT);
  EXPECT_EQ(open("hello.txt/x"), -ENOTDIR);
  EXPECT_EQ(open("hello.txt/"), -ENOTDIR);
  EXPECT_EQ(open("hello.txt", abi::kDirectory), -ENOTDIR);
  EXPECT_EQ(open("hello.txt", 3), -EINVAL);
  EXPECT_EQ(open(out("."), abi::kWriteOnly), -EISDIR);
  EXPECT_EQ(open(out("new/"), kNew), -EISDIR);
  EXPECT_EQ(open(out("a/b"), kNew), -ENOENT);
  put_file("out/f", "x");
  EXPECT_EQ(open(out("f"), kNew | abi::kExclusive), -EEXIST);
  EXPECT_EQ(open(out("."), abi::kTemporary | abi::kDirectory | abi::kReadWrite), -EOPNOTSUPP);
  const uint64_t fd = must_open("hello.txt");
  EXPECT_EQ(call("write", {fd, kBuffer, 1}), -EBADF) << "opened for reading";
  EXPECT_EQ(call("read", {must_open(out("f"), abi::kWriteOnly), kBuffer, 1}), -EBADF);
  EXPECT_EQ(call("read", {must_open("."), kBuffer, 1}), -EISDIR);
}

TEST_F(FileCallTest, TheGuestsUmaskCountsAndTheHostsDoesNot) {
  const mode_t old = ::umask(0077);
  must_open(out("f"), kNew, 0666);
  EXPECT_EQ(status(out("f")).mode, S_IFREG | 0644u);
  EXPECT_EQ(call("umask", {0}), 022);
  must_open(out("g"), kNew, 0666);
  EXPECT_EQ(status(out("g")).mode, S_IFREG | 0666u);
  EXPECT_EQ(call("mkdirat", {kHere, text(out("d")), 0777}), 0);
  EXPECT_EQ(status(out("d")).mode, S_IFDIR | 0777u);
  EXPECT_EQ(call("fchmodat", {kHere, text(out("f")), 0600}), 0);
  EXPECT_EQ(status(out("f")).mode, S_IFREG | 0600u);
  ::umask(old);
}

TEST_F(FileCallTest, DescriptorsRunOut) {
  int64_t fd = 0;
  while (fd >= 0) fd = call("dup", {1});
  EXPECT_EQ(fd, -EMFILE);
  EXPECT_EQ(open("/dev/null"), -EMFILE);
  call("close", {700});
  EXPECT_EQ(open("/dev/null"), 700) << "the lowest free one";
}

TEST_F(FileCallTest, DuplicatesShareTheirPosition) {
  const uint64_t fd = must_open("hello.txt");
  const auto copy = static_cast<uint64_t>(call("fcntl", {fd, 0, 50}));
  EXPECT_EQ(copy, 50u);
  call("lseek", {fd, 7, 0});
  EXPECT_EQ(call("read", {copy, kBuffer, 5}), 5);
  EXPECT_EQ(guest(kBuffer, 5), "world");
  EXPECT_EQ(call("dup3", {fd, 1, 0}), 1) << "standard output becomes the file";
  EXPECT_EQ(call("write", {1, kBuffer, 1}), -EBADF);
  EXPECT_EQ(call("dup3", {fd, fd, 0}), -EINVAL);
  EXPECT_EQ(call("dup3", {fd, 100000, 0}), -EBADF);
  EXPECT_EQ(call("fcntl", {fd, 0, kHuge}), -EINVAL);
  EXPECT_EQ(call("fcntl", {fd, 2, 1}), 0);
  EXPECT_EQ(call("fcntl", {fd, 1}), 1);
  EXPECT_EQ(call("fcntl", {copy, 1}), 0) << "close-on-exec belongs to the descriptor";
}

TEST_F(FileCallTest, NoFileIsATerminal) {
  for (const uint64_t fd : {0, 1, 2}) {
    EXPECT_EQ(call("ioctl", {fd, 0x5401, kBuffer}), -ENOTTY);
    EXPECT_EQ(call("ioctl", {fd, 0x5413, kBuffer}), -ENOTTY);
  }
  EXPECT_EQ(call("ioctl", {9, 0x5401, kBuffer}), -EBADF);
}

TEST_F(FileCallTest, WhatStatTellsDoesNotDependOnTheHost) {
  const abi::Stat first = status("hello.txt");
  EXPECT_EQ(first.size, 12);
  EXPECT_EQ(first.nlink, 1u);
  EXPECT_EQ(first.uid, abi::kUserId);
  EXPECT_EQ(first.dev, 1u);
  for (const int64_t time : first.times) EXPECT_EQ(time, 0);
  const uint64_t fd = must_open("hello.txt");
  EXPECT_EQ(call("newfstatat", {fd, text(""), kBuffer, abi::kAtEmptyPath}), 0);
  EXPECT_EQ(value<abi::Stat>(kBuffer).ino, first.ino);
  EXPECT_EQ(call("fstat", {fd, kBuffer}), 0);
  EXPECT_EQ(value<abi::Stat>(kBuffer).ino, first.ino);
  std::filesystem::remove(top_ / "in/hello.txt");
  put_file("in/hello.txt", "hello, world");
  EXPECT_EQ(status("hello.txt").ino, first.ino) << "a hash of the path, not the host's number";
  EXPECT_EQ(status(".").size, 4096);
  EXPECT_EQ(call("statx", {kHere, text("hello.txt"), 0, 0x7ff, kBuffer}), 0);
  EXPECT_EQ(value<abi::Statx>(kBuffer).ino, first.ino);
  EXPECT_EQ(value<abi::Statx>(kBuffer).size, 12u);
}

TEST_F(FileCallTest, StatOfSpecialFilesAndBadOnes) {
  EXPECT_EQ(call("fstat", {1, kBuffer}), 0);
  EXPECT_TRUE(S_ISFIFO(value<abi::Stat>(kBuffer).mode));
  EXPECT_TRUE(S_ISCHR(status("/dev/null").mode));
  EXPECT_EQ(status("/dev/null").rdev, 0x103u);
  EXPECT_EQ(call("newfstatat", {kHere, text("none"), kBuffer, 0}), -ENOENT);
  EXPECT_EQ(call("newfstatat", {kHere, text(""), kBuffer, 0}), -ENOENT);
  EXPECT_EQ(call("newfstatat", {kHere, text("x"), kBuffer, 0x8000}), -EINVAL);
  EXPECT_EQ(call("newfstatat", {1, text("x"), kBuffer, 0}), -ENOTDIR);
  EXPECT_EQ(call("newfstatat", {99, text("x"), kBuffer, 0}), -EBADF);
  EXPECT_EQ(call("newfstatat", {99, text(""), kBuffer, abi::kAtEmptyPath}), -EBADF);
}

TEST_F(FileCallTest, PathsCountFromDirectoryDescriptors) {
  const uint64_t directory = must_open(".");
  EXPECT_GE(call("openat", {directory, text("hello.txt"), 0}), 0);
  EXPECT_EQ(call("openat", {directory, text("../secret/key"), 0}), -ENOENT);
}

TEST_F(FileCallTest, DirectoriesAreListedInOrder) {
  for (const char* name : {"in/zebra", "in/ant", "in/mouse"}) put_file(name, "");
  std::filesystem::create_directory(top_ / "in/bee");
  const uint64_t fd = must_open(".");
  const std::vector<std::string> expected{".", "..", "ant", "bee", "hello.txt", "mouse", "zebra"};
  for (const uint64_t size : {uint64_t{32}, uint64_t{4096}}) {
    EXPECT_EQ(call("lseek", {fd, 0, 0}), 0);
    std::vector<std::string> names;
    for (int64_t got; (got = call("getdents64", {fd, kBuffer, size})) > 0;) {
      for (uint64_t at = kBuffer; at < kBuffer + static_cast<uint64_t>(got);
           at += value<uint16_t>(at + 16)) {
        names.push_back(guest(at + 19, 250).c_str());
        const bool directory = value<uint8_t>(at + 18) == 4;
        EXPECT_EQ(directory, names.back() == "bee" || names.back()[0] == '.');
      }
    }
    EXPECT_EQ(names, expected) << "with a buffer of " << size;
  }
  EXPECT_EQ(call("getdents64", {fd, kBuffer, 1000}), 0) << "the end";
  EXPECT_EQ(call("lseek", {fd, 0, 0}), 0);
  EXPECT_EQ(call("getdents64", {fd, kBuffer, 8}), -EINVAL) << "no entry fits";
  EXPECT_EQ(call("getdents64", {fd, kUnmapped, 1000}), -EFAULT);
  EXPECT_EQ(call("getdents64", {1, kBuffer, 1000}), -ENOTDIR);
}

TEST_F(FileCallTest, WhatOpenDirectoriesListIsBoundedTogether) {
  std::filesystem::create_directory(top_ / "in/large");
  for (int i = 1000; i < 3000; ++i)
    put_file("in/large/" + std::string(200, 'x') + std::to_string(i), "");
  const auto list = [this](uint64_t fd) { return call("getdents64", {fd, kBuffer, 4096}); };
  size_t listed = 0;  // of half a megabyte each
  int64_t got = 0;
  while (listed < 1000 && (got = list(must_open("large"))) > 0) ++listed;
  EXPECT_EQ(got, -ENOMEM);
  EXPECT_GT(listed, 32u);
  EXPECT_EQ(call("close", {10}), 0);
  EXPECT_GT(list(must_open("large")), 0) << "there is room again";
}

TEST_F(FileCallTest, FilesAndDirectoriesAreMadeMovedAndRemoved) {
  EXPECT_EQ(call("chdir", {text(out("."))}), 0);
  EXPECT_EQ(call("mkdirat", {kHere, text("d"), 0755}), 0);
  EXPECT_EQ(call("mkdirat", {kHere, text("d"), 0755}), -EEXIST);
  must_open("d/f", kNew);
  EXPECT_EQ(call("unlinkat", {kHere, text("d"), 0x200}), -ENOTEMPTY);
  EXPECT_EQ(call("unlinkat", {kHere, text("d/f"), 0x200}), -ENOTDIR);
  EXPECT_EQ(call("unlinkat", {kHere, text("d/f"), 7}), -EINVAL);
  put_file("out/g", "g");
  EXPECT_EQ(call("renameat2", {kHere, text("d/f"), kHere, text("g", 1), 1}), -EEXIST);
  EXPECT_EQ(call("renameat2", {kHere, text("d/f"), kHere, text("g", 1), 0}), 0);
  EXPECT_EQ(host_file("out/g"), "");
  EXPECT_EQ(call("unlinkat", {kHere, text("d"), 0x200}), 0);
  EXPECT_EQ(call("unlinkat", {kHere, text("g"), 0}), 0);
  EXPECT_EQ(call("unlinkat", {kHere, text("."), 0x200}), -EBUSY);
  EXPECT_EQ(call("symlinkat", {text("/etc"), kHere, text("l", 1)}), -EPERM);
  EXPECT_TRUE(std::filesystem::is_empty(top_ / "out"));
}

TEST_F(FileCallTest, TheWorkingDirectoryIsReportedAndChanges) {
  const std::string start = (top_ / "in").string();
  EXPECT_EQ(call("getcwd", {kBuffer, 4096}), static_cast<int64_t>(start.size()) + 1);
  EXPECT_STREQ(guest(kBuffer, 4096).c_str(), start.c_str());
  EXPECT_EQ(call("getcwd", {kBuffer, start.size()}), -ERANGE);
  EXPECT_EQ(call("chdir", {text("hello.txt")}), -ENOTDIR);
  EXPECT_EQ(call("chdir", {text("none")}), -ENOENT);
  const uint64_t fd = must_open(out("."));
  EXPECT_EQ(call("fchdir", {fd}), 0);
  EXPECT_EQ(call("newfstatat", {kHere, text("hello.txt"), kBuffer, 0}), -ENOENT);
  EXPECT_EQ(call("fchdir", {1}), -ENOTDIR);
}

TEST_F(FileCallTest, LinksAreRead) {
  std::filesystem::create_symlink("target", top_ / "in/link");
  EXPECT_EQ(call("readlinkat", {kHere, text("link"), kBuffer, 100}), 6);
  EXPECT_EQ(guest(kBuffer, 6), "target");
  EXPECT_EQ(call("readlinkat", {kHere, text("link"), kBuffer, 3}), 3);
  EXPECT_EQ(call("readlinkat", {kHere, text("link"), kBuffer, 0}), -EINVAL);
  EXPECT_EQ(call("readlinkat", {kHere, text("hello.txt"), kBuffer, 9}), -EINVAL);
}

TEST_F(FileCallTest, FilesAreAlwaysReadyForPoll) {
  struct {
    int32_t fd;
    int16_t events, revents;
  } polls[2] = {{1, 4, 0}, {55, 1, 0}};
  EXPECT_TRUE(user_->put(kBuffer, polls));
  EXPECT_EQ(call("ppoll", {kBuffer, 2, 0, 0}), 2);
  EXPECT_EQ(value<int16_t>(kBuffer + 6), 4);
  EXPECT_EQ(value<int16_t>(kBuffer + 14), 0x20);
  EXPECT_EQ(call("ppoll", {kBuffer, kHuge, 0, 0}), -EINVAL);
  EXPECT_EQ(call("pselect6", {kHuge, 0, 0, 0, 0}), -EINVAL);
}

}  // namespace
}  // namespace strobe::isa
