// A program whose symbols hold what formats, terminals and pages take for something else, through
// every command that prints a name.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "sw/files/run_tool.h"
#include "sw/text/shown.h"
#include "tests/e2e/process/strobe_process.h"

namespace strobe::e2e {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

const std::vector<std::string> kNames = {"sp ace",
                                         "(paren) name",
                                         "(1)",
                                         "(2) second",
                                         "a;b",
                                         "quo\"te<b>&",
                                         "ünïcode",
                                         "@plt-ish@@V1",
                                         "back\\slash",
                                         "$odd",
                                         "f.part.0",
                                         "name:12",
                                         "\ttab",
                                         "=cmd|' /C'!A0",
                                         "new\nline",
                                         "esc\x1b[31mred",
                                         "[machine mode]",
                                         "[main:3 @ f]",
                                         "0x1234",
                                         "_ZN3foo3barILi5EEEvv",
                                         "_ZBROKEN",
                                         "-dash",
                                         "#hash",
                                         "fn=evil",
                                         "100%",
                                         "'single'",
                                         "a,b",
                                         "caf\xc3\xa9\xff",
                                         "turn\xe2\x80\xae"
                                         "ed",
                                         "parts\xe2\x80\xa8of a name",
                                         "c1\xc2\x9b"
                                         "31m",
                                         std::string(150, 'x') + "end",
                                         "0\x01^A"};

/// The name that the assembler gives the function in place of kNames[i], long enough for each.
std::string placeholder(size_t i) {
  std::string name = "Q" + std::to_string(100 + i);
  return name.append(160 - name.size(), '_');
}

class OddNames : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    scratch_ = new ScratchDirectory;
    std::string text = ".text\n.globl _start\n.type _start,@function\n_start:\n li s0,500\n1:\n";
    for (size_t i = 0; i < kNames.size(); ++i) text += " call " + placeholder(i) + "\n";
    text += " addi s0,s0,-1\n bnez s0,1b\n li a0,0\n li a7,93\n ecall\n.size _start,.-_start\n";
    for (size_t i = 0; i < kNames.size(); ++i) {
      const std::string name = placeholder(i);
      text += ".type " + name + ",@function\n" + name +
              ":\n addi a0,a0,1\n ld a1,0(sp)\n ret\n.size " + name + ",.-" + name + "\n";
    }
    const std::string source = scratch_->write("odd.s", text).string(), elf = at("odd.elf");
    const files::ToolResult made =
        files::run_tool({"riscv64-linux-gnu-gcc", "-nostdlib", "-static", "-g", "-o", elf, source});
    ASSERT_EQ(made.exit_code, 0) << made.output;
    std::string bytes = read_file(elf);
    for (size_t i = 0; i < kNames.size(); ++i) {
      std::string name = kNames[i];
      name.resize(160);
      size_t found = bytes.find(placeholder(i) + '\0');
      ASSERT_NE(found, std::string::npos);
      for (; found != std::string::npos; found = bytes.find(placeholder(i) + '\0')) {
        bytes.replace(found, name.size(), name);  // in the debug information, too
      }
    }
    scratch_->write("odd.elf", bytes);
    for (const char* out : {"one", "two"}) {
      scratch_->write(
          "run.yaml",
          run_file(elf, "[]",
                   "[{ name: all, kind: periodic, rate: 1, selectors: [{ profile: edge, "
                   "tag: 0 }, { profile: value, tag: 1 }, { profile: call_target, tag: 2 "
                   "}] }]",
                   "truth: { cycles: true }\ninterval: 1000\n"));
      const ProcessResult run = strobe({"run", at("run.yaml"), "--out", at(out), "--quiet"});
      ASSERT_EQ(run.exit_code, 0) << run.err;
      expect_inert(run.out, "run");
    }
  }
  static void TearDownTestSuite() {
    delete scratch_;
    scratch_ = nullptr;
  }
  static std::string at(const std::string& name) { return (scratch_->path() / name).string(); }

  /// Nothing in the text controls a terminal, and all of it is UTF-8.
  static void expect_inert(const std::string& text, const std::string& what) {
    EXPECT_EQ(text, text::shown(text)) << what;
    EXPECT_THAT(text, Not(HasSubstr("\t"))) << what;
    EXPECT_THAT(text, Not(HasSubstr("\nline"))) << what << " has a line that a name began";
  }
  static std::string output_of(const std::vector<std::string>& args) {
    const ProcessResult process = strobe(args);
    EXPECT_EQ(process.exit_code, 0) << args[0] << " " << process.err;
    expect_inert(process.out + process.err, args[0]);
    return process.out;
  }
  static std::string exported(const std::string& format) {
    const std::string file = at("odd." + format);
    output_of({"export", at("one"), "--format", format, "--output", file, "--profiler",
               format == "perfetto" ? "" : "all"});
    return file;
  }
  static std::string read_by(const std::vector<std::string>& tool) {
    const files::ToolResult result = files::run_tool(tool);
    EXPECT_EQ(result.exit_code, 0) << tool[0] << "\n" << result.output;
    return result.output;
  }
  static size_t lines_of(const std::string& text) {
    return static_cast<size_t>(std::count(text.begin(), text.end(), '\n'));
  }

  static ScratchDirectory* scratch_;
};

ScratchDirectory* OddNames::scratch_ = nullptr;

TEST_F(OddNames, AreOneRowEachInTop) {
  const std::string top = output_of({"top", at("one"), "--profiler", "all", "--rows", "100"});
  EXPECT_EQ(lines_of(top), kNames.size() + 3);  // what it shows, its head and _start
  EXPECT_THAT(top, AllOf(HasSubstr("  new\\x0aline\n"), HasSubstr("  \\x09tab\n"),
                         HasSubstr("  esc\\x1b[31mred\n"), HasSubstr("caf\xc3\xa9\\xff\n"),
                         HasSubstr("  turn\\xe2\\x80\\xaeed\n"), HasSubstr("  ünïcode\n")));
  EXPECT_THAT(top, HasSubstr("  " + std::string(65, 'x') + "..." + std::string(29, 'x') + "end\n"));
  for (const char* by : {"line", "call", "load"}) {
    output_of({"top", at("one"), "--profiler", "all", "--by", by, "--rows", "100"});
  }
  output_of({"top", at("one"), "--against", "all"});
}

TEST_F(OddNames, AreOneRowEachInCompare) {
  EXPECT_THAT(output_of({"compare", at("one"), at("two"), "--rows", "100"}),
              HasSubstr("  new\\x0aline\n"));
}

TEST_F(OddNames, HeadWhatAnnotateShows) {
  for (const std::string& name : kNames) {
    if (name[0] == '-') continue;  // an option
    const std::string text = output_of({"annotate", at("one"), name, "--profiler", "all"});
    EXPECT_THAT(text, HasSubstr("ret")) << name;
  }
  EXPECT_THAT(output_of({"annotate", at("one"), "new\nline"}),
              HasSubstr("new\\x0aline of odd.elf"));
  const ProcessResult none = strobe({"annotate", at("one"), "no\nsuch\tname"});
  EXPECT_EQ(none.exit_code, 2);
  expect_inert(none.err, "annotate");
}

TEST_F(OddNames, AreInertInEveryReport) {
  output_of({"report", at("one"), "--format", "text"});
  const std::string csv = output_of({"report", at("one"), "--format", "csv"});
  EXPECT_EQ(lines_of(csv), 2u);
  EXPECT_NO_THROW(
      (void)nlohmann::json::parse(output_of({"report", at("one"), "--format", "json"})));
  output_of({"report", at("one"), "--output", at("page.html")});
  const std::string page = read_file(at("page.html"));
  EXPECT_THAT(page, AllOf(HasSubstr("turn\\\\xe2\\\\x80\\\\xaeed"), Not(HasSubstr("\xe2\x80\xae")),
                          Not(HasSubstr("\x1b")), Not(HasSubstr("quo\"te<b>"))));
}

TEST_F(OddNames, AreOneFieldOfACsvFile) {
  for (const char* file : {"profile.all.csv", "truth.csv"}) {
    const std::string text = read_file(fs::path(at("one")) / file);
    expect_inert(text, file);
    EXPECT_THAT(text, AllOf(HasSubstr("new\\x0aline"), HasSubstr("'=cmd|"), HasSubstr("\"a,b")));
  }
}

TEST_F(OddNames, AreReadBackFromFoldedStacks) {
  const std::string text = read_file(exported("folded"));
  expect_inert(text, "folded");
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    EXPECT_THAT(line, testing::MatchesRegex(".+ [0-9]+"));
    EXPECT_LE(std::count(line.begin(), line.end(), ';'), 1) << line;
  }
}

TEST_F(OddNames, AreReadByCallgrindAnnotate) {
  const std::string file = exported("callgrind");
  expect_inert(read_file(file), "callgrind");
  const std::string shown = read_by({"callgrind_annotate", "--auto=no", "--threshold=100", file});
  for (const char* name : {":(1)", ":(2) second", ":(paren) name", ":fn=evil", ":new\\x0aline"}) {
    EXPECT_THAT(shown, HasSubstr(name));
  }
}

TEST_F(OddNames, AreReadByLlvmAndComeBack) {
  const std::string file = exported("llvm");
  expect_inert(read_file(file), "llvm");
  EXPECT_THAT(read_by({"llvm-profdata-14", "show", "--sample", file}),
              HasSubstr("%5bmain%3a3%20@%20f]"));
  EXPECT_THAT(output_of({"import", at("one"), file, "--profiler", "all", "--rows", "100"}),
              HasSubstr("overlap by function  1.0000\n"));
}

TEST_F(OddNames, AreUtf8InPprofAndComeBack) {
  const std::string file = exported("pprof");
  EXPECT_THAT(read_by({"go", "tool", "pprof", "-top", "-nodecount=100", file}),
              AllOf(HasSubstr("new\\x0aline"), HasSubstr("caf\xc3\xa9\\xff")));
  EXPECT_THAT(output_of({"import", at("one"), file, "--profiler", "all", "--rows", "100"}),
              HasSubstr("overlap by function  1.0000\n"));
}

TEST_F(OddNames, LeaveBoltAndPerfettoWhole) {
  EXPECT_THAT(read_file(exported("bolt")), Not(HasSubstr("new")));
  EXPECT_NO_THROW((void)nlohmann::json::parse(read_file(exported("perfetto"))));
}

TEST_F(OddNames, AreEscapedInAMessageOfTheRun) {
  std::string bytes = read_file(at("odd.elf"));
  const ProcessResult run = strobe({"run", at("run.yaml"), "--out", at("three"), "--quiet", "--set",
                                    "workload.roi.begin.symbol=\"no\\nsuch\\tname\""});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_THAT(run.err, HasSubstr("no\\x0asuch\\x09name"));
}

}  // namespace
}  // namespace strobe::e2e
