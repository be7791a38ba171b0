// Files of memfd_create, and bytes that go from one descriptor to another.
#include "tests/unit/linux/call_fixture.h"

namespace strobe::isa {
namespace {

using testing::HasSubstr;

class MemoryFileTest : public CallTest {
 protected:
  static constexpr uint64_t kSeals = 1034, kAddSeals = 1033, kAllowSealing = 2, kNonblock = 04000;
  static constexpr uint64_t kReadWrite = 2, kCreate = 0100;

  uint64_t create(uint64_t flags = 0) {
    const int64_t fd = call("memfd_create", {text("name"), flags});
    EXPECT_GE(fd, 0);
    return static_cast<uint64_t>(fd);
  }
  uint64_t file(const std::string& name) {
    return static_cast<uint64_t>(open(out(name), kReadWrite | kCreate));
  }
  int64_t put(uint64_t fd, const std::string& data) {
    return call("write", {fd, text(data), data.size()});
  }
  std::string content(uint64_t fd, uint64_t size = 100, uint64_t from = 0) {
    const int64_t got = call("pread64", {fd, kBuffer, size, from});
    return got < 0 ? std::to_string(got) : guest(kBuffer, static_cast<uint64_t>(got));
  }
  int64_t size_of(uint64_t fd) {
    EXPECT_EQ(call("fstat", {fd, kBuffer}), 0);
    return value<abi::Stat>(kBuffer).size;
  }
  uint64_t offset(int64_t number, unsigned slot = 0) {
    EXPECT_TRUE(user_->put(kBuffer + 0x2000 + 8 * slot, number));
    return kBuffer + 0x2000 + 8 * slot;
  }
};

TEST_F(MemoryFileTest, IsReadWrittenSoughtAndCutLikeAFile) {
  const uint64_t fd = create();
  EXPECT_EQ(put(fd, "hello, world"), 12);
  EXPECT_EQ(call("lseek", {fd, static_cast<uint64_t>(-5), 2}), 7);
  EXPECT_EQ(call("read", {fd, kBuffer, 100}), 5);
  EXPECT_EQ(guest(kBuffer, 5), "world");
  EXPECT_EQ(call("read", {fd, kBuffer, 100}), 0);
  EXPECT_EQ(call("pwrite64", {fd, text("J"), 1, 0}), 1);
  EXPECT_EQ(content(fd), "Jello, world");
  EXPECT_EQ(call("ftruncate", {fd, 5}), 0);
  EXPECT_EQ(call("ftruncate", {fd, 8}), 0);
  EXPECT_EQ(content(fd), std::string("Jello\0\0\0", 8)) << "what was cut off reads as zero";
  EXPECT_EQ(call("lseek", {fd, 0, 1}), 12) << "the position stays";
  EXPECT_EQ(call("lseek", {fd, static_cast<uint64_t>(-1), 0}), -EINVAL);
  EXPECT_EQ(call("lseek", {fd, 0, 3}), -EINVAL);
  EXPECT_EQ(call("ftruncate", {fd, static_cast<uint64_t>(-1)}), -EINVAL);
  EXPECT_EQ(call("fstat", {fd, kBuffer}), 0);
  EXPECT_EQ(value<abi::Stat>(kBuffer).mode, 0100777u);
  EXPECT_EQ(value<abi::Stat>(kBuffer).size, 8);
  EXPECT_EQ(call("fcntl", {fd, 4, 02000}), 0) << "O_APPEND";
  EXPECT_EQ(call("lseek", {fd, 0, 0}), 0);
  EXPECT_EQ(put(fd, "end"), 3);
  EXPECT_EQ(size_of(fd), 11);
}

TEST_F(MemoryFileTest, AMappingIsACopy) {
  const uint64_t fd = create();
  EXPECT_EQ(put(fd, "mapped"), 6);
  const int64_t at = call("mmap", {0, 8192, 3, 2, fd, 0});
  ASSERT_GT(at, 0);
  EXPECT_EQ(guest(static_cast<uint64_t>(at), 8), std::string("mapped\0\0", 8));
  EXPECT_EQ(call("pwrite64", {fd, text("M"), 1, 0}), 1);
  EXPECT_EQ(guest(static_cast<uint64_t>(at), 1), "m");
  EXPECT_EQ(call("mmap", {0, 4096, 3, 1, fd, 0}), -ENODEV) << "shared and writable";
}

TEST_F(MemoryFileTest, ItsPagesCountAgainstTheLimitAndAreGivenBack) {
  const uint64_t before = space_->used();
  const uint64_t fd = create();
  EXPECT_EQ(call("ftruncate", {fd, uint64_t{1} << 60}), 0) << "holes take nothing";
  EXPECT_EQ(space_->used(), before);
  EXPECT_EQ(call("pwrite64", {fd, kBuffer, 2, 4095}), 2);
  EXPECT_EQ(space_->used(), before + 2 * 4096);
  EXPECT_EQ(call("fallocate", {fd, 0, 0, uint64_t{1} << 40}), -ENOSPC);
  EXPECT_EQ(space_->used(), before + 2 * 4096);
  const uint64_t most = kLimit - before;
  EXPECT_EQ(call("fallocate", {fd, 0, 0, most}), 0);
  EXPECT_EQ(space_->used(), kLimit);
  EXPECT_EQ(call("pwrite64", {fd, kBuffer, 10, most - 4}), 4) << "as far as there is room";
  EXPECT_EQ(call("pwrite64", {fd, kBuffer, 1, most}), -ENOSPC);
  EXPECT_EQ(call("mmap", {0, 4096, 3, 0x22, ~uint64_t{0}, 0}), -ENOMEM);
  EXPECT_EQ(call("ftruncate", {fd, 4096}), 0);
  EXPECT_EQ(space_->used(), before + 4096);
  const auto copy = static_cast<uint64_t>(call("dup", {fd}));
  EXPECT_EQ(call("close", {fd}), 0);
  EXPECT_EQ(space_->used(), before + 4096);
  EXPECT_EQ(call("close", {copy}), 0);
  EXPECT_EQ(space_->used(), before);
}

TEST_F(MemoryFileTest, OffsetsBeyondTheLargestFileAreRefused) {
  const uint64_t fd = create();
  EXPECT_EQ(call("pwrite64", {fd, kBuffer, 1, INT64_MAX - 1}), 1);
  EXPECT_EQ(call("pwrite64", {fd, kBuffer, 2, INT64_MAX - 1}), -EINVAL);
  EXPECT_EQ(call("fallocate", {fd, 0, INT64_MAX, 1}), -EFBIG);
  EXPECT_EQ(call("lseek", {fd, INT64_MAX, 1}), INT64_MAX);
  EXPECT_EQ(call("lseek", {fd, 1, 1}), -EOVERFLOW);
  EXPECT_EQ(call("read", {fd, kBuffer, 10}), 0);
}

TEST_F(MemoryFileTest, SealsForbidChanges) {
  const uint64_t fd = create(kAllowSealing);
  EXPECT_EQ(call("fcntl", {fd, kSeals}), 0);
  EXPECT_EQ(put(fd, "abcdef"), 6);
  EXPECT_EQ(call("fcntl", {fd, kAddSeals, 2 | 4}), 0) << "shrinking and growing";
  EXPECT_EQ(call("ftruncate", {fd, 5}), -EPERM);
  EXPECT_EQ(call("ftruncate", {fd, 7}), -EPERM);
  EXPECT_EQ(call("pwrite64", {fd, text("xyz"), 3, 3}), 3);
  EXPECT_EQ(call("pwrite64", {fd, text("xyz"), 3, 4}), -EPERM);
  EXPECT_EQ(call("fallocate", {fd, 0, 0, 7}), -EPERM);
  EXPECT_EQ(call("fcntl", {fd, kAddSeals, 8}), 0) << "writing";
  EXPECT_EQ(call("pwrite64", {fd, text("x"), 1, 0}), -EPERM);
  EXPECT_EQ(call("fcntl", {fd, kAddSeals, 1}), 0) << "sealing";
  EXPECT_EQ(call("fcntl", {fd, kAddSeals, 1}), -EPERM);
  EXPECT_EQ(call("fcntl", {fd, kAddSeals, 256}), -EINVAL);
  EXPECT_EQ(content(fd), "abcxyz");
  EXPECT_EQ(call("fcntl", {create(), kAddSeals, 8}), -EPERM) << "not allowed at the start";
  EXPECT_EQ(call("fcntl", {0, kSeals}), -EINVAL);
}

TEST_F(MemoryFileTest, BadArgumentsMakeNone) {
  EXPECT_EQ(call("memfd_create", {kUnmapped, 0}), -EFAULT);
  EXPECT_EQ(call("memfd_create", {text("x"), 4}), -EINVAL) << "huge pages";
  EXPECT_EQ(call("memfd_create", {text(std::string(250, 'x')), 0}), -EINVAL);
  EXPECT_EQ(call("memfd_create", {text(std::string(5000, 'x')), 0}), -EINVAL);
  EXPECT_EQ(call("memfd_create", {text(std::string(249, 'x')), 1}), 3);
  EXPECT_EQ(call("fcntl", {3, 1}), 1) << "close on exec";
}

TEST_F(MemoryFileTest, SendfileCopiesFromAPositionOrAnOffset) {
  const uint64_t from = file("from"), to = create();
  EXPECT_EQ(put(from, "0123456789"), 10);
  const uint64_t at = offset(2);
  EXPECT_EQ(call("sendfile", {to, from, at, 3}), 3);
  EXPECT_EQ(value<int64_t>(at), 5);
  EXPECT_EQ(call("lseek", {from, 0, 1}), 10) << "the position stays";
  EXPECT_EQ(call("lseek", {from, 7, 0}), 7);
  EXPECT_EQ(call("sendfile", {to, from, 0, 100}), 3);
  EXPECT_EQ(call("lseek", {from, 0, 1}), 10);
  EXPECT_EQ(content(to), "234789");
  EXPECT_EQ(call("sendfile", {1, to, offset(0), 100}), 6);
  EXPECT_EQ(calls_->captured(1), "234789");
}

TEST_F(MemoryFileTest, SendfileFillsAPipeAndAStream) {
  const uint64_t from = create();
  EXPECT_EQ(call("ftruncate", {from, 1'000'000}), 0);
  EXPECT_EQ(call("pipe2", {kBuffer, kNonblock}), 0);
  const auto out = value<uint32_t>(kBuffer), in = value<uint32_t>(kBuffer + 4);
  EXPECT_EQ(call("sendfile", {in, from, 0, 1'000'000}), 65536);
  EXPECT_EQ(call("sendfile", {in, from, 0, 1'000'000}), -EAGAIN);
  EXPECT_EQ(call("lseek", {from, 0, 1}), 65536);
  EXPECT_EQ(call("sendfile", {from, out, 0, 10}), -EINVAL) << "from a pipe";
  EXPECT_EQ(call("socketpair", {1, 1 | kNonblock, 0, kBuffer}), 0);
  EXPECT_EQ(call("sendfile", {value<uint32_t>(kBuffer), from, 0, 1'000'000}), 212'992);
  EXPECT_EQ(call("socketpair", {1, 2, 0, kBuffer}), 0);
  EXPECT_EQ(call("sendfile", {value<uint32_t>(kBuffer), from, 0, 1}), -EINVAL) << "messages";
  EXPECT_EQ(call("pipe2", {kBuffer, 0}), 0);
  const auto waits = value<uint32_t>(kBuffer + 4);
  EXPECT_EQ(call("sendfile", {waits, from, 0, 1'000'000}), 65536);
  call("sendfile", {waits, from, 0, 1});
  EXPECT_THAT(calls_->exit().error, HasSubstr("sends a file into a full pipe or socket"));
}

TEST_F(MemoryFileTest, CopyFileRangeGoesBetweenFilesOfBothKinds) {
  const uint64_t host = file("host"), memory = create();
  EXPECT_EQ(put(host, "0123456789"), 10);
  const uint64_t from = offset(2, 0), to = offset(1, 1);
  EXPECT_EQ(call("copy_file_range", {host, from, memory, to, 4, 0}), 4);
  EXPECT_EQ(value<int64_t>(from), 6);
  EXPECT_EQ(value<int64_t>(to), 5);
  EXPECT_EQ(content(memory), std::string("\0", 1) + "2345");
  EXPECT_EQ(call("lseek", {memory, 1, 0}), 1);
  EXPECT_EQ(call("copy_file_range", {memory, 0, host, 0, 100, 0}), 4) << "by the positions";
  EXPECT_EQ(content(host), "01234567892345");
  EXPECT_EQ(call("copy_file_range", {host, offset(0, 0), host, offset(20, 1), 14, 0}), 14);
  EXPECT_EQ(call("copy_file_range", {host, offset(0, 0), host, offset(3, 1), 4, 0}), -EINVAL)
      << "the ranges overlap";
  EXPECT_EQ(call("copy_file_range", {host, offset(0, 0), host, offset(4, 1), 4, 0}), 4);
}

TEST_F(MemoryFileTest, CopiesWithBadArgumentsAreRefused) {
  const uint64_t fd = create(), other = file("other");
  const auto read_only = static_cast<uint64_t>(open(in("hello.txt")));
  const auto directory = static_cast<uint64_t>(open(in("")));
  EXPECT_EQ(call("sendfile", {fd, 999, 0, 1}), -EBADF);
  EXPECT_EQ(call("sendfile", {read_only, fd, 0, 1}), -EBADF);
  EXPECT_EQ(call("sendfile", {fd, other, kUnmapped, 1}), -EFAULT);
  EXPECT_EQ(call("sendfile", {fd, other, offset(-1), 1}), -EINVAL);
  EXPECT_EQ(call("sendfile", {fd, other, 0, ~uint64_t{0}}), -EINVAL);
  EXPECT_EQ(call("copy_file_range", {fd, 0, other, 0, 1, 1}), -EINVAL);
  EXPECT_EQ(call("copy_file_range", {fd, 0, 999, 0, 1, 0}), -EBADF);
  EXPECT_EQ(call("copy_file_range", {fd, 0, read_only, 0, 1, 0}), -EBADF);
  EXPECT_EQ(call("copy_file_range", {directory, 0, fd, 0, 1, 0}), -EISDIR);
  EXPECT_EQ(call("copy_file_range", {fd, 0, 1, 0, 1, 0}), -EINVAL);
  EXPECT_EQ(call("fallocate", {read_only, 0, 0, 1}), -EBADF);
  EXPECT_EQ(call("fallocate", {other, 1, 0, 1}), -EOPNOTSUPP);
  EXPECT_EQ(call("fallocate", {other, 0, 0, 0}), -EINVAL);
  EXPECT_EQ(call("fallocate", {other, 0, 0, 5000}), 0);
  EXPECT_EQ(size_of(other), 5000);
  EXPECT_EQ(call("fallocate", {other, 0, 0, 10}), 0);
  EXPECT_EQ(size_of(other), 5000);
}

TEST_F(MemoryFileTest, VectorsWithFlagsReadAndWriteAtAPlace) {
  const uint64_t fd = create(), vector = kBuffer + 0x3000;
  const abi::IoVector parts[2] = {{kScratch, 2}, {kScratch + 64, 2}};
  EXPECT_TRUE(user_->copy_out(vector, parts, sizeof parts));
  EXPECT_EQ(put(fd, "012345"), 6);
  EXPECT_EQ(call("preadv2", {fd, vector, 2, 1, 0, 0}), 4);
  EXPECT_EQ(guest(kScratch, 2) + guest(kScratch + 64, 2), "1234");
  EXPECT_EQ(call("pwritev2", {fd, vector, 2, ~uint64_t{0}, 0, 4}), 4) << "at the position";
  EXPECT_EQ(content(fd), "0123451234");
  EXPECT_EQ(call("preadv2", {fd, vector, 2, 0, 0, 8}), -EOPNOTSUPP);
  EXPECT_EQ(call("preadv2", {fd, vector, 2, static_cast<uint64_t>(-2), 0, 0}), -EINVAL);
}

}  // namespace
}  // namespace strobe::isa
