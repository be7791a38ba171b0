// A program cannot make the simulator take more of the host than it was allowed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "tests/e2e/process/strobe_process.h"
#include "tests/security/nightly.h"
#include "tests/tree.h"

namespace strobe::security {
namespace {

namespace fs = std::filesystem;
using e2e::ProcessResult;
using e2e::read_file;
using e2e::read_json;
using e2e::ScratchDirectory;
using testing::AllOf;
using testing::HasSubstr;

constexpr uint64_t kMegabyte = 1'000'000;
constexpr uint64_t kMebibyte = uint64_t{1} << 20;

std::string attack(const std::string& name) { return in_build("tests/security/") + name + ".elf"; }

/// One attack in a folder of its own.
struct Attempt {
  ProcessResult run(const std::string& program, const std::string& args, const std::string& mode,
                    const std::string& extra = "", const std::string& profilers = "[]") {
    const fs::path file = scratch.write("run.yaml", e2e::run_file(attack(program), args, profilers,
                                                                  "mode: " + mode + "\n" + extra));
    return e2e::strobe({"run", file.string(), "--out", out().string(), "--force", "--quiet"});
  }
  fs::path out() const { return scratch.path() / "out"; }
  uint64_t peak_bytes() const { return read_json(out() / "host.json").at("peak_rss_bytes"); }

  ScratchDirectory scratch;
};

#ifndef STROBE_SANITIZED  // it measures memory

// What the guest itself holds is its code and less than 2 MB beside it.
void expect_little_memory(const std::string& kind, uint64_t code, uint64_t rounds,
                          const std::string& mode) {
  Attempt attempt;
  const std::string args =
      "[" + kind + ", '" + std::to_string(code) + "', '" + std::to_string(rounds) + "']";
  const ProcessResult result = attempt.run("generated_code", args, mode);
  ASSERT_EQ(result.exit_code, 0) << result.err;
  uint64_t sum = 0;
  for (uint64_t round = 0; kind == "straight" && round < rounds; ++round) {
    sum += (1 + round % 31) * (code / 2 - 1);
  }
  EXPECT_EQ(read_file(attempt.out() / "stdout.txt"), std::to_string(sum) + "\n");
  const uint64_t guest = code + 2 * kMegabyte;
  EXPECT_LT(attempt.peak_bytes(), guest + 100 * kMegabyte) << kind << " in mode " << mode;
}

TEST(Exhaustion, GeneratedCodeTakesLittleMemoryInFunctionalMode) {
  expect_little_memory("straight", 64 * kMebibyte, 1, "functional");
  expect_little_memory("jumps", rounds(8, 64) * kMebibyte, 1, "functional");
}

TEST(Exhaustion, GeneratedCodeTakesLittleMemoryInTimingMode) {
  expect_little_memory("straight", rounds(8, 64) * kMebibyte, 1, "timing");
  expect_little_memory("jumps", rounds(2, 64) * kMebibyte, 1, "timing");
}

TEST(Exhaustion, CodeThatIsWrittenAgainAndAgainTakesLittleMemory) {
  expect_little_memory("straight", 4096, rounds(2000, 200'000), "functional");
  expect_little_memory("jumps", 4096, rounds(2000, 200'000), "functional");
}

TEST(Exhaustion, OutputIsNotKeptInMemory) {
  for (const char* mode : {"functional", "timing"}) {
    Attempt attempt;
    const uint64_t bytes = rounds(200, 1000) * kMebibyte;
    const ProcessResult result = attempt.run("endless_output", "['" + std::to_string(bytes) + "']",
                                             mode, "limits: { output: 0 }\n");
    ASSERT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(fs::file_size(attempt.out() / "stdout.txt"), bytes);
    EXPECT_LT(attempt.peak_bytes(), 102 * kMegabyte) << mode;
  }
}

#endif

TEST(Exhaustion, OutputEndsTheRunAtItsLimitAndIsKept) {
  for (const char* mode : {"functional", "timing"}) {
    Attempt attempt;
    const ProcessResult result =
        attempt.run("endless_output", "['0']", mode, "limits: { output: 3_000_000 }\n");
    EXPECT_EQ(result.exit_code, 3) << mode;
    EXPECT_THAT(result.err, AllOf(HasSubstr("strobe: error: write at pc 0x"), HasSubstr("write"),
                                  HasSubstr("limits.output, which is 3000000 bytes")))
        << mode;
    EXPECT_EQ(fs::file_size(attempt.out() / "stdout.txt"), 3'000'000u);
    EXPECT_EQ(read_json(attempt.out() / "result.json").at("end"), "failed");
  }
}

#ifndef STROBE_SANITIZED  // the sanitizer's allocator ends the process itself
TEST(Exhaustion, MemoryEndsTheRunAtItsLimitWithOneSentence) {
  for (const char* mode : {"functional", "timing"}) {
    Attempt attempt;
    // Each jump is an edge of its own in the exhaustive profile.
    const ProcessResult result =
        attempt.run("generated_code", "[jumps, '0x800000', '1']", mode,
                    "limits: { memory: 150_000_000 }\nbaseline: false\n",
                    "[{ name: p, selectors: [{ profile: edge, opclasses: [jump] }] }]");
    EXPECT_EQ(result.exit_code, 3) << mode << ": " << result.err;
    EXPECT_EQ(result.err,
              "strobe: error: out of memory: it held more than limits.memory, which is 150000000 "
              "bytes; raise it, or let the run hold less (exhaustive_bytes bounds the table of an "
              "exhaustive profile)\n");
    EXPECT_FALSE(fs::exists(attempt.out()));
  }
}
#endif

TEST(Exhaustion, WhatNeverEndsIsNotRead) {
  ScratchDirectory scratch;
  const std::string pipe = (scratch.path() / "pipe").string();
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const std::string out = (scratch.path() / "out").string();
  for (const std::string& file : {pipe, std::string("/dev/zero")}) {
    const std::string why = file == pipe ? "it is a pipe" : "it is a device";
    const auto refused = [&](const std::vector<std::string>& command) {
      const ProcessResult result = e2e::strobe(command);
      EXPECT_NE(result.exit_code, 0) << command[0];
      EXPECT_THAT(result.err, AllOf(HasSubstr(file), HasSubstr(why))) << command[0];
    };
    refused({"run", file, "--out", out});
    refused({"sweep", file, "--out", out});
    refused({"config", "check", file});
    refused({"replay", file, "--profilers", file, "--out", out});
    refused({"dise", "check", file});
    refused({"synth", "--block", "strobe_tuple_queue", "--macros", file});
  }
}

}  // namespace
}  // namespace strobe::security
