// What the sandbox refused is counted and named.
#include "sc_models/isa/linux/files/refusals.h"

#include <sys/stat.h>

#include "tests/unit/linux/call_fixture.h"

namespace strobe::isa {
namespace {

constexpr uint64_t kCreate = abi::kWriteOnly | abi::kCreate;

class RefusalsTest : public CallTest {
 protected:
  const Refusals& refusals() const { return calls_->refusals(); }
  /// The one refusal of a fresh process in which `act` runs.
  template <class Act>
  RefusedPath only(Act act) {
    restart();
    act();
    EXPECT_EQ(refusals().count, 1u);
    EXPECT_EQ(refusals().first.size(), 1u);
    return refusals().first.empty() ? RefusedPath{} : refusals().first.front();
  }
};

TEST_F(RefusalsTest, ARunWithoutARefusalHasNone) {
  EXPECT_EQ(open("hello.txt"), 3);
  EXPECT_EQ(open("none"), -ENOENT) << "it could lie there, but does not";
  EXPECT_EQ(open(out("new"), kCreate), 4);
  EXPECT_EQ(open("/dev/null"), 5);
  EXPECT_EQ(call("newfstatat", {kHere, text("/"), kBuffer, 0}), 0);
  EXPECT_EQ(refusals().count, 0u);
  EXPECT_TRUE(refusals().first.empty());
}

TEST_F(RefusalsTest, EachNamesItsCallItsPathAndTheKeyThatWouldAllowIt) {
  const std::string read = "workload.sandbox.read", write = "workload.sandbox.write";
  EXPECT_EQ(only([&] { open("/etc/passwd"); }), (RefusedPath{"openat", "/etc/passwd", read}));
  EXPECT_EQ(only([&] { open("/etc/new", kCreate); }), (RefusedPath{"openat", "/etc/new", write}));
  EXPECT_EQ(only([&] { open("../secret/key"); }), (RefusedPath{"openat", "../secret/key", read}));
  EXPECT_EQ(only([&] { open("hello.txt", abi::kWriteOnly); }),
            (RefusedPath{"openat", "hello.txt", write}));
  EXPECT_EQ(only([&] {
              call("newfstatat", {kHere, text("/etc"), kBuffer, 0});
            }),
            (RefusedPath{"newfstatat", "/etc", read}));
  EXPECT_EQ(only([&] {
              call("mkdirat", {kHere, text("new"), 0755});
            }),
            (RefusedPath{"mkdirat", "new", write}));
  EXPECT_EQ(only([&] {
              call("unlinkat", {kHere, text("/etc/passwd"), 0});
            }),
            (RefusedPath{"unlinkat", "/etc/passwd", write}));
  EXPECT_EQ(only([&] { call("chdir", {text("/etc")}); }), (RefusedPath{"chdir", "/etc", read}));
  EXPECT_EQ(only([&] {
              call("faccessat", {kHere, text("hello.txt"), 2});
            }),
            (RefusedPath{"faccessat", "hello.txt", write}));
}

TEST_F(RefusalsTest, WhatNoKeyWouldAllowHasNone) {
  ASSERT_EQ(mkfifo(in("fifo").c_str(), 0600), 0);
  EXPECT_EQ(only([&] { open("fifo"); }), (RefusedPath{"openat", "fifo", ""}));
  EXPECT_EQ(only([&] {
              call("symlinkat", {text("x"), kHere, text(out("l"), 1)});
            }),
            (RefusedPath{"symlinkat", out("l"), ""}));
  EXPECT_EQ(only([&] {
              call("linkat", {kHere, text("x"), kHere, text("l", 1), 0});
            }),
            (RefusedPath{"linkat", "l", ""}));
  EXPECT_EQ(only([&] {
              call("fchmodat", {kHere, text(out(".")), 0});
            }),
            (RefusedPath{"fchmodat", out("."), ""}));
  for (const char* path : {"/proc/cpuinfo", "/sys/devices", "/dev/urandom"}) {
    EXPECT_EQ(only([&] { open(path); }), (RefusedPath{"openat", path, ""}));
  }
  options_.read = {"/"};
  EXPECT_EQ(only([&] { open("/proc/self/environ"); }),
            (RefusedPath{"openat", "/proc/self/environ", ""}));
}

TEST_F(RefusalsTest, AllAreCountedAndTheFirstDifferentOnesNamed) {
  for (int i = 0; i < 1000; ++i) open("/etc/passwd");
  EXPECT_EQ(refusals().count, 1000u);
  EXPECT_EQ(refusals().first.size(), 1u);
  for (int i = 0; i < 1000; ++i) open("/etc/" + std::to_string(i));
  EXPECT_EQ(refusals().count, 2000u);
  ASSERT_EQ(refusals().first.size(), Refusals::kMost);
  EXPECT_EQ(refusals().first.back().path, "/etc/6");
}

TEST_F(RefusalsTest, APathIsKeptPrintableAndShort) {
  open("/a\x1b[2J\n\xff\\" + std::string(1000, 'b'));
  const std::string& path = refusals().first.front().path;
  EXPECT_EQ(path.substr(0, 22), "/a\\x1b[2J\\x0a\\xff\\x5cb");
  EXPECT_LT(path.size(), 210u);
  EXPECT_EQ(path.substr(path.size() - 4), "b...");
}

}  // namespace
}  // namespace strobe::isa
