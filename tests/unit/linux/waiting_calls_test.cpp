// Two threads: one waits in a call for what the other does to a descriptor.
#include "tests/unit/linux/caller_fixture.h"

namespace strobe::isa {
namespace {

class WaitingCallTest : public CallerTest {
 protected:
  static constexpr uint64_t kStream = 1, kWaitAll = 0x100, kForever = ~uint64_t{0};

  WaitingCallTest() {
    constexpr uint64_t kSharesEverything = 0x10f00;
    make("clone", {kSharesEverything, kScratch});
    EXPECT_EQ(result(), 101);
  }

  /// The other thread goes on. Returns the result of the call in which it waited; when it has to
  /// wait again, this one goes on with 0.
  int64_t switch_thread() {
    make("sched_yield");
    return result();
  }
  /// Makes a call that must wait, so that the other thread goes on.
  void wait_in(const char* name, const std::vector<uint64_t>& args) {
    const unsigned before = state_.thread;
    make(name, args);
    ASSERT_FALSE(calls_->stopped()) << error();
    EXPECT_NE(state_.thread, before) << name << " does not wait";
  }
  std::pair<uint64_t, uint64_t> two(const char* name, const std::vector<uint64_t>& args) {
    EXPECT_EQ(call(name, args), 0);
    return {value<uint32_t>(kBuffer), value<uint32_t>(kBuffer + 4)};
  }
  /// Bytes in guest memory that follow no simple pattern.
  std::string put_bytes(uint64_t address, uint64_t size) {
    std::string data(size, '\0');
    for (size_t i = 0; i < size; ++i) data[i] = static_cast<char>(i * 31 + i / 251);
    EXPECT_TRUE(user_->copy_out(address, data.data(), size));
    return data;
  }
  std::string read(uint64_t fd, uint64_t size) {
    const int64_t got = call("read", {fd, kBuffer, size});
    return got < 0 ? std::to_string(got) : guest(kBuffer, static_cast<uint64_t>(got));
  }
};

TEST_F(WaitingCallTest, AWriteLargerThanThePipeIsWholeInTheEnd) {
  const uint64_t from = kScratch + 0x40000;
  const std::string data = put_bytes(from, 200'000);
  const auto [out, in] = two("pipe2", {kBuffer, 0});
  wait_in("write", {in, from, data.size()});
  std::string got;
  for (int i = 0; i < 2; ++i) {
    got += read(out, 60'000);
    EXPECT_EQ(switch_thread(), 0) << "the writer goes on where it was, and waits again";
    EXPECT_EQ(state_.thread, 1u);
  }
  got += read(out, 60'000);
  EXPECT_EQ(switch_thread(), 200'000);
  EXPECT_EQ(state_.thread, 0u);
  got += read(out, 65'536);
  EXPECT_TRUE(got == data);
}

TEST_F(WaitingCallTest, BothEndsOfAStreamTransferMoreThanItsBuffer) {
  const uint64_t from = kScratch + 0x40000, to = kScratch + 0x80000;
  const std::string data = put_bytes(from, 250'000);
  const auto [a, b] = two("socketpair", {1, kStream, 0, kBuffer});
  wait_in("recvfrom", {b, to, data.size(), kWaitAll, 0, 0});
  make("write", {a, from, data.size()});  // each thread goes on in a call of its own
  EXPECT_EQ(result(), 250'000);
  EXPECT_EQ(switch_thread(), 250'000);
  EXPECT_TRUE(guest(to, data.size()) == data);
}

TEST_F(WaitingCallTest, AReaderWaitsForDataOrTheEnd) {
  const auto [out, in] = two("pipe2", {kBuffer, 0});
  wait_in("read", {out, kScratch, 10});
  EXPECT_EQ(call("write", {in, text("abc", 1), 3}), 3);
  EXPECT_EQ(switch_thread(), 3);
  EXPECT_EQ(guest(kScratch, 3), "abc");
  wait_in("read", {out, kScratch, 10});
  EXPECT_EQ(call("close", {in}), 0);
  EXPECT_EQ(switch_thread(), 0);
}

TEST_F(WaitingCallTest, ACounterWaitsForItsValue) {
  const auto fd = static_cast<uint64_t>(call("eventfd2", {0, 0}));
  wait_in("read", {fd, kScratch, 8});
  EXPECT_TRUE(user_->put(kBuffer, uint64_t{7}));
  EXPECT_EQ(call("write", {fd, kBuffer, 8}), 8);
  EXPECT_EQ(switch_thread(), 8);
  EXPECT_EQ(value<uint64_t>(kScratch), 7u);
}

TEST_F(WaitingCallTest, EpollWaitsForAnyOfItsFiles) {
  const auto queue = static_cast<uint64_t>(call("epoll_create1", {0}));
  const auto [a, b] = two("socketpair", {1, kStream, 0, kBuffer});
  const auto [out, in] = two("pipe2", {kBuffer, 0});
  for (const uint64_t fd : {b, out}) {
    EXPECT_TRUE(user_->put(kScratch, abi::EpollEvent{1, 0, fd}));
    EXPECT_EQ(call("epoll_ctl", {queue, 1, fd, kScratch}), 0);
  }
  wait_in("epoll_pwait", {queue, kBuffer + 64, 4, kForever, 0});
  EXPECT_EQ(call("write", {in, kScratch, 1}), 1);
  EXPECT_EQ(switch_thread(), 1);
  EXPECT_EQ(value<abi::EpollEvent>(kBuffer + 64).data, out);
  EXPECT_EQ(call("read", {out, kScratch, 1}), 1);
  wait_in("epoll_pwait", {queue, kBuffer + 64, 4, kForever, 0});
  EXPECT_EQ(call("shutdown", {a, 1}), 0);
  EXPECT_EQ(switch_thread(), 1);
  EXPECT_EQ(value<abi::EpollEvent>(kBuffer + 64).data, b);
}

TEST_F(WaitingCallTest, SendfileWaitsForRoom) {
  const auto file = static_cast<uint64_t>(call("memfd_create", {text("m"), 0}));
  EXPECT_EQ(call("ftruncate", {file, 70'000}), 0);
  const auto [out, in] = two("pipe2", {kBuffer, 0});
  EXPECT_EQ(call("sendfile", {in, file, 0, 70'000}), 65'536);
  wait_in("sendfile", {in, file, 0, 70'000});
  EXPECT_EQ(read(out, 65'536).size(), 65'536u);
  EXPECT_EQ(switch_thread(), 70'000 - 65'536);
}

TEST_F(WaitingCallTest, AMessageWaitsForRoom) {
  const auto [a, b] = two("socketpair", {1, 2, 0, kBuffer});
  for (int i = 0; i < 278; ++i) EXPECT_EQ(call("write", {a, kScratch, 1}), 1);
  wait_in("write", {a, kScratch, 5});
  EXPECT_EQ(read(b, 10).size(), 1u);
  EXPECT_EQ(switch_thread(), 5);
}

}  // namespace
}  // namespace strobe::isa
