// The sample profile for a compiler, and that LLVM's own tool reads it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <sstream>

#include "sw/profile/flow/llvm_samples.h"
#include "tests/unit/profile/flow_programs.h"

namespace strobe::profile {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string samples_of(const TestProgram& program, const LineOf& line_of = {}) {
  std::ostringstream out;
  write_llvm_samples(program.flow, program.solve(), /*hottest=*/1000, line_of, out);
  return out.str();
}

/// A program whose main calls a function with a hostile name ten times.
TestProgram calling(const std::string& name) {
  TestProgram program;
  const uint32_t main =
      program.add("main", 4, {{0, 1, 0}, {1, 2, 0}, {2, 1, 9}, {2, 3, 1}, {3, kOutside, 0}});
  const uint32_t callee = program.add(name, 3, {{0, 1, 1}, {0, 2, 3}, {1, 2, 0}, {2, kOutside, 0}});
  program.add("unused", 1, {{0, kOutside, 0}});
  program.call(main, 1, callee);
  return program;
}

/// What `llvm-profdata show --sample` prints of a text, or why it refuses; nothing without the
/// tool.
std::string shown_by_llvm(const std::string& text) {
  if (std::system("command -v llvm-profdata-14 > /dev/null 2>&1") != 0) return "";
  std::string name = testing::TempDir() + "strobe-samples-XXXXXX";
  const int file = mkstemp(name.data());
  if (file < 0) return "cannot make a file";
  close(file);
  std::ofstream(name) << text;
  FILE* const pipe = popen(("llvm-profdata-14 show --sample " + name + " 2>&1").c_str(), "r");
  std::string out;
  std::array<char, 4096> buffer{};
  while (const size_t n = fread(buffer.data(), 1, buffer.size(), pipe))
    out.append(buffer.data(), n);
  pclose(pipe);
  std::remove(name.c_str());
  return out;
}

TEST(FlowLlvm, WithoutLinesOffsetsAreNumbersOfBlocks) {
  EXPECT_EQ(samples_of(calling("g")),
            "main:2200:100\n"
            " 1: 100\n"
            " 2: 1000 g:1000\n"
            " 3: 1000\n"
            " 4: 100\n"
            "g:2250:1000\n"
            " 1: 1000\n"
            " 2: 250\n"
            " 3: 1000\n");
}

TEST(FlowLlvm, WithLinesTheyCountFromTheLineOfTheFunction) {
  // Blocks 1 and 2 of main are on one line; block 3 is in another file.
  const LineOf lines = [](uint64_t pc) -> std::string {
    if (pc == TestProgram::pc(0, 0)) return "a.c:10";
    if (pc == TestProgram::pc(0, 1) || pc == TestProgram::pc(0, 2)) return "a.c:12";
    if (pc == TestProgram::pc(0, 3)) return "b.h:11";
    if (pc == TestProgram::pc(1, 0)) return "a.c:70000";
    if (pc == TestProgram::pc(1, 1)) return "a.c:1";
    return "a.c:9999999999999999999999";
  };
  EXPECT_EQ(samples_of(calling("g"), lines),
            "main:2200:100\n"
            " 0: 100\n"
            " 2: 1000 g:1000\n"
            "g:2250:1000\n"
            " 0: 1000\n");
}

TEST(FlowLlvm, NamesAreEscaped) {
  EXPECT_EQ(llvm_name("_ZN1a1bEv.cold.1"), "_ZN1a1bEv.cold.1");
  EXPECT_EQ(llvm_name("#a b:c%\n\x7f\xc3"), "%23a%20b%3ac%25%0a%7f%c3");
  EXPECT_EQ(llvm_name("[main:3 @ f]"), "%5bmain%3a3%20@%20f]");
  EXPECT_EQ(llvm_name("0x12"), "%30x12");
}

TEST(FlowLlvm, LlvmReadsWhatIsWritten) {
  const std::string shown = shown_by_llvm(samples_of(calling("#\n x:7:9\n 1: 5 ")));
  EXPECT_THAT(shown, Not(HasSubstr("error")));
  EXPECT_THAT(shown, HasSubstr("Function: main: 2200, 100, 4 sampled lines"));
  EXPECT_THAT(shown, HasSubstr("2: 1000, calls: %23%0a%20x%3a7%3a9%0a%201%3a%205%20:1000"));
  EXPECT_THAT(
      shown,
      HasSubstr("Function: %23%0a%20x%3a7%3a9%0a%201%3a%205%20: 2250, 1000, 3 sampled lines"));
  // The tool does refuse what is wrong.
  EXPECT_THAT(shown_by_llvm("main:1:1\n 70000: 1\n"), HasSubstr("error"));
}

}  // namespace
}  // namespace strobe::profile
