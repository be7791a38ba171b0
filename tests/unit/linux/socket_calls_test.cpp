// Pairs of sockets: what one end sends, the other receives.
#include "tests/unit/linux/call_fixture.h"

namespace strobe::isa {
namespace {

using testing::HasSubstr;

class SocketCallTest : public CallTest {
 protected:
  static constexpr uint64_t kStream = 1, kDatagram = 2, kPackets = 5, kNonblock = 04000;
  static constexpr uint64_t kPeek = 2, kTruncate = 0x20, kDontWait = 0x40, kWaitAll = 0x100,
                            kNoSignal = 0x4000;
  static constexpr uint64_t kSocketLevel = 1, kErrorOption = 4, kSendBuffer = 7, kReceiveTime = 20;

  void pair(uint64_t type) {
    EXPECT_EQ(call("socketpair", {1, type, 0, kScratch}), 0);
    a_ = value<uint32_t>(kScratch);
    b_ = value<uint32_t>(kScratch + 4);
  }
  int64_t send(uint64_t fd, const std::string& data, uint64_t flags = kNoSignal) {
    return call("sendto", {fd, text(data), data.size(), flags, 0, 0});
  }
  /// What is received, or the error number as text.
  std::string receive(uint64_t fd, uint64_t size = 100, uint64_t flags = 0) {
    const int64_t got = call("recvfrom", {fd, kBuffer, size, flags, 0, 0});
    return got < 0 ? std::to_string(got) : guest(kBuffer, static_cast<uint64_t>(got));
  }
  int64_t option(uint64_t fd, uint64_t name) {
    EXPECT_TRUE(user_->put(kScratch, uint32_t{4}));
    const int64_t error = call("getsockopt", {fd, kSocketLevel, name, kBuffer, kScratch});
    return error < 0 ? error : value<int32_t>(kBuffer);
  }
  int64_t set_option(uint64_t fd, uint64_t name, int32_t number) {
    EXPECT_TRUE(user_->put(kScratch, number));
    return call("setsockopt", {fd, kSocketLevel, name, kScratch, 4});
  }
  uint16_t polled(uint64_t fd) {
    EXPECT_TRUE(user_->put(kScratch, abi::Poll{static_cast<int32_t>(fd), 0x2005, 0}));
    EXPECT_TRUE(user_->put(kScratch + 64, abi::Timespec{0, 0}));
    EXPECT_GE(call("ppoll", {kScratch, 1, kScratch + 64, 0}), 0);
    return static_cast<uint16_t>(value<abi::Poll>(kScratch).revents);
  }
  /// Handles SIGPIPE, so that it does not end the program, and tells whether it was sent.
  void ignore_broken_pipes() {
    EXPECT_TRUE(user_->put(kBuffer, abi::SignalAction{1, 0, 0}));
    EXPECT_EQ(call("rt_sigaction", {13, kBuffer, 0, 8}), 0);
  }
  const std::string again_ = std::to_string(-EAGAIN);
  uint64_t a_ = 0, b_ = 0;
};

TEST_F(SocketCallTest, AStreamHasNoBoundariesAndMessagesHave) {
  for (const uint64_t type : {kStream, kDatagram, kPackets}) {
    pair(type | kNonblock);
    EXPECT_EQ(send(a_, "one"), 3);
    EXPECT_EQ(call("write", {a_, text("two"), 3}), 3);
    EXPECT_EQ(receive(b_, 2, kPeek), "on");
    EXPECT_EQ(receive(b_), type == kStream ? "onetwo" : "one");
    EXPECT_EQ(receive(b_), type == kStream ? again_ : "two");
    EXPECT_EQ(send(b_, "back"), 4);
    EXPECT_EQ(receive(a_), "back") << "both ways";
  }
}

TEST_F(SocketCallTest, WhatDoesNotFitOfAMessageIsLost) {
  for (const uint64_t type : {kDatagram, kPackets}) {
    pair(type | kNonblock);
    EXPECT_EQ(send(a_, "long message"), 12);
    EXPECT_EQ(send(a_, "next"), 4);
    EXPECT_EQ(receive(b_, 4), "long");
    EXPECT_EQ(call("recvfrom", {b_, kBuffer, 1, kTruncate, 0, 0}), 4);
    EXPECT_EQ(receive(b_), again_);
    EXPECT_EQ(send(a_, ""), 0);
    EXPECT_EQ(receive(b_), "") << "an empty message";
    EXPECT_EQ(receive(b_), again_);
  }
}

TEST_F(SocketCallTest, MessagesHaveSeveralPartsAndTellThatTheyAreCut) {
  pair(kDatagram | kNonblock);
  const uint64_t header = kBuffer + 0x800, vector = kBuffer + 0x900;
  const abi::IoVector parts[2] = {{kBuffer, 2}, {kBuffer + 16, 2}};
  EXPECT_TRUE(user_->copy_out(vector, parts, sizeof parts));
  EXPECT_TRUE(user_->put(header, abi::MessageHeader{0, 0, 0, vector, 2, 0, 0, 7, 0}));
  EXPECT_EQ(send(a_, "hello"), 5);
  EXPECT_EQ(call("recvmsg", {b_, header, 0}), 4);
  EXPECT_EQ(guest(kBuffer, 2) + guest(kBuffer + 16, 2), "hell");
  EXPECT_EQ(value<abi::MessageHeader>(header).flags, 0x20u);
  EXPECT_EQ(call("sendmsg", {b_, header, 0}), 4);
  EXPECT_EQ(receive(a_), "hell");
  EXPECT_TRUE(user_->put(header, abi::MessageHeader{0, 0, 0, vector, 2, kBuffer, 16, 0, 0}));
  EXPECT_EQ(call("sendmsg", {b_, header, 0}), -EOPNOTSUPP) << "control data";
  EXPECT_TRUE(user_->put(header, abi::MessageHeader{0, 0, 0, vector, 1025, 0, 0, 0, 0}));
  EXPECT_EQ(call("recvmsg", {b_, header, 0}), -EMSGSIZE);
  EXPECT_EQ(call("recvmsg", {b_, kUnmapped, 0}), -EFAULT);
}

TEST_F(SocketCallTest, ShuttingOneWayLeavesTheOther) {
  for (const uint64_t type : {kStream, kPackets}) {
    pair(type | kNonblock);
    EXPECT_EQ(send(a_, "last"), 4);
    EXPECT_EQ(call("shutdown", {a_, 1}), 0);
    EXPECT_EQ(polled(b_), 0x2005) << "readable, writable, peer shut";
    EXPECT_EQ(receive(b_), "last");
    EXPECT_EQ(receive(b_), "") << "the end";
    EXPECT_EQ(send(a_, "x"), -EPIPE);
    EXPECT_EQ(send(b_, "y"), 1);
    EXPECT_EQ(receive(a_), "y");
    EXPECT_EQ(call("shutdown", {a_, 0}), 0);
    EXPECT_EQ(polled(a_), 0x2015) << "hung up";
    EXPECT_EQ(send(b_, "z"), -EPIPE);
  }
  EXPECT_EQ(call("shutdown", {a_, 3}), -EINVAL);
  EXPECT_EQ(call("shutdown", {1, 0}), -ENOTSOCK);
}

TEST_F(SocketCallTest, AClosedPeerIsToldByItsKind) {
  for (const uint64_t type : {kStream, kPackets}) {
    pair(type | kNonblock);
    EXPECT_EQ(send(b_, "for a"), 5);
    EXPECT_EQ(send(a_, "not read"), 8);
    EXPECT_EQ(call("close", {b_}), 0);
    EXPECT_EQ(polled(a_), 0x201d) << "with an error";
    EXPECT_EQ(option(a_, kErrorOption), ECONNRESET);
    EXPECT_EQ(option(a_, kErrorOption), 0) << "told once";
    EXPECT_EQ(receive(a_), "for a");
    EXPECT_EQ(receive(a_), "");
    EXPECT_EQ(send(a_, "x"), -EPIPE);
  }
  pair(kDatagram | kNonblock);
  EXPECT_EQ(call("close", {b_}), 0);
  EXPECT_EQ(receive(a_), again_);
  EXPECT_EQ(send(a_, "x"), -ECONNREFUSED);
  EXPECT_EQ(send(a_, "x"), -ENOTCONN);
}

TEST_F(SocketCallTest, ABrokenStreamSendsASignalUnlessAskedNotTo) {
  pair(kStream);
  EXPECT_EQ(call("close", {b_}), 0);
  EXPECT_EQ(send(a_, "x", kNoSignal), -EPIPE);
  EXPECT_FALSE(calls_->stopped());
  send(a_, "x", 0);
  EXPECT_EQ(calls_->exit().code, 128 + 13);
  restart();
  ignore_broken_pipes();
  pair(kStream);
  EXPECT_EQ(call("close", {b_}), 0);
  EXPECT_EQ(call("write", {a_, kScratch, 1}), -EPIPE);
  EXPECT_FALSE(calls_->stopped());
}

TEST_F(SocketCallTest, ABufferFillsAtTheSendersEnd) {
  for (const uint64_t type : {kStream, kDatagram, kPackets}) {
    pair(type | kNonblock);
    int64_t sent = 0, messages = 0;
    const uint64_t size = type == kStream ? 50'000 : 1;
    for (int64_t n = 0; (n = call("write", {a_, kBuffer, size})) > 0; ++messages) sent += n;
    EXPECT_EQ(sent, type == kStream ? 212'992 : 278);
    EXPECT_EQ(call("write", {a_, kBuffer, 1}), -EAGAIN);
    EXPECT_EQ(polled(a_), 0) << "not writable";
    EXPECT_EQ(polled(b_), 0x5) << "the other way is free";
    while (receive(b_, 60'000) != again_) continue;
    EXPECT_EQ(polled(a_), 0x4);
  }
  EXPECT_EQ(call("write", {a_, kBuffer, 212'992}), -EMSGSIZE);
  EXPECT_EQ(set_option(a_, kSendBuffer, 5000), 0);
  EXPECT_EQ(option(a_, kSendBuffer), 10'000) << "Linux takes twice as much";
  EXPECT_EQ(call("write", {a_, kBuffer, 9'969}), -EMSGSIZE);
  EXPECT_EQ(call("write", {a_, kBuffer, 9'968}), 9'968);
}

TEST_F(SocketCallTest, WhatWaitsToBeReadCountsAgainstTheLimitOfMemory) {
  options_.memory_limit = (uint64_t{8} << 20) + 65536;  // the stack and 64 KiB
  restart();
  for (const uint64_t type : {kStream, kDatagram}) {
    const uint64_t before = space_->used();
    pair(type | kNonblock);
    for (int i = 0; i < 6; ++i) EXPECT_EQ(call("write", {a_, kBuffer, 9'000}), 9'000);
    EXPECT_EQ(call("write", {a_, kBuffer, 20'000}), -ENOBUFS);
    EXPECT_GT(space_->used(), before + 50'000);
    EXPECT_EQ(call("read", {b_, kBuffer, 9'000}), 9'000);
    EXPECT_EQ(call("write", {a_, kBuffer, 9'000}), 9'000);
    EXPECT_EQ(call("close", {b_}), 0);
    EXPECT_EQ(space_->used(), before) << "what is not read is given back";
    EXPECT_EQ(call("close", {a_}), 0);
  }
}

TEST_F(SocketCallTest, AStreamWithoutRoomWaits) {
  pair(kStream);
  call("write", {a_, kBuffer, 300'000});
  EXPECT_THAT(calls_->exit().error,
              HasSubstr("writes 300000 bytes into a socket with room for 212992"));
}

TEST_F(SocketCallTest, WaitingForAllTakesWhatIsThereWhenItMayNotWait) {
  pair(kStream);
  EXPECT_EQ(send(a_, "abcdef"), 6);
  EXPECT_EQ(receive(b_, 4, kWaitAll), "abcd");
  EXPECT_EQ(receive(b_, 4, kWaitAll | kDontWait), "ef");
}

TEST_F(SocketCallTest, ATimeOutEndsAWait) {
  pair(kDatagram);
  EXPECT_TRUE(user_->put(kScratch, abi::Timeval{1, 250'000}));
  EXPECT_EQ(call("setsockopt", {a_, kSocketLevel, kReceiveTime, kScratch, 16}), 0);
  EXPECT_TRUE(user_->put(kScratch + 32, uint32_t{16}));
  EXPECT_EQ(call("getsockopt", {a_, kSocketLevel, kReceiveTime, kBuffer, kScratch + 32}), 0);
  EXPECT_EQ(value<abi::Timeval>(kBuffer).microseconds, 250'000);
  EXPECT_EQ(receive(a_), again_);
  EXPECT_TRUE(user_->put(kScratch, abi::Timeval{0, 1'000'000}));
  EXPECT_EQ(call("setsockopt", {a_, kSocketLevel, kReceiveTime, kScratch, 16}), -EDOM);
  EXPECT_FALSE(calls_->stopped());
  receive(b_);
  EXPECT_THAT(calls_->exit().error, HasSubstr("reads an empty socket"));
}

TEST_F(SocketCallTest, SocketsHaveNoNamesAndTellWhatTheyAre) {
  pair(kPackets);
  for (const char* name : {"getsockname", "getpeername"}) {
    EXPECT_TRUE(user_->put(kScratch, int32_t{100}));
    EXPECT_EQ(call(name, {a_, kBuffer, kScratch}), 0);
    EXPECT_EQ(value<uint16_t>(kBuffer), 1u);
    EXPECT_EQ(value<int32_t>(kScratch), 2);
    EXPECT_TRUE(user_->put(kScratch, int32_t{-1}));
    EXPECT_EQ(call(name, {a_, kBuffer, kScratch}), -EINVAL);
    EXPECT_EQ(call(name, {1, kBuffer, kScratch}), -ENOTSOCK);
    EXPECT_EQ(call(name, {999, kBuffer, kScratch}), -EBADF);
  }
  EXPECT_EQ(option(a_, 3), 5) << "SO_TYPE";
  EXPECT_EQ(option(a_, 39), 1) << "SO_DOMAIN";
  EXPECT_EQ(option(a_, 999), -ENOPROTOOPT);
  EXPECT_EQ(set_option(a_, 999, 1), -ENOPROTOOPT);
  EXPECT_EQ(call("getsockopt", {a_, 6, 1, kBuffer, kScratch}), -EOPNOTSUPP);
  EXPECT_EQ(call("fstat", {a_, kBuffer}), 0);
  EXPECT_EQ(value<abi::Stat>(kBuffer).mode, 0140777u);
  EXPECT_EQ(call("lseek", {a_, 0, 0}), -ESPIPE);
}

TEST_F(SocketCallTest, OtherPairsAndAddressesAreRefused) {
  EXPECT_EQ(call("socketpair", {2, kStream, 0, kScratch}), -EOPNOTSUPP);
  EXPECT_EQ(call("socketpair", {77, kStream, 0, kScratch}), -EAFNOSUPPORT);
  EXPECT_EQ(call("socketpair", {1, 4, 0, kScratch}), -ESOCKTNOSUPPORT);
  EXPECT_EQ(call("socketpair", {1, 44, 0, kScratch}), -EINVAL);
  EXPECT_EQ(call("socketpair", {1, kStream, 5, kScratch}), -EPROTONOSUPPORT);
  EXPECT_EQ(call("socketpair", {1, kStream, 0, kUnmapped}), -EFAULT);
  pair(kStream);
  EXPECT_EQ(a_, 3u) << "those before left no descriptor";
  EXPECT_EQ(call("sendto", {a_, kBuffer, 1, 0, kScratch, 2}), -EISCONN);
  EXPECT_EQ(call("sendto", {a_, kUnmapped, 1, 0, 0, 0}), -EFAULT);
  EXPECT_EQ(send(a_, "x", 1), -EOPNOTSUPP) << "out of band";
  pair(kDatagram);
  EXPECT_EQ(call("sendto", {a_, kBuffer, 1, 0, kScratch, 2}), -ECONNREFUSED);
}

}  // namespace
}  // namespace strobe::isa
