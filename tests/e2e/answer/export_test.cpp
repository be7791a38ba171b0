// Every exported format is read by a program that reads it for a living.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sw/files/run_tool.h"
#include "tests/e2e/answer/runs.h"
#include "tests/tree.h"

namespace strobe::e2e {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;

class Exports : public RunsTest {
 protected:
  std::string exported(const std::string& run, const std::string& format,
                       const std::vector<std::string>& more = {}) const {
    const std::string file = (scratch_.path() / format).string();
    std::vector<std::string> words = {"export", run, "--format", format, "--output", file};
    words.insert(words.end(), more.begin(), more.end());
    const ProcessResult first = strobe(words);
    EXPECT_EQ(first.exit_code, 0) << first.err;
    const std::string bytes = read_file(file);
    EXPECT_EQ(strobe(words).exit_code, 0);
    EXPECT_EQ(bytes, read_file(file)) << "not deterministic";
    return file;
  }
  static std::string output_of(const std::vector<std::string>& command) {
    const files::ToolResult tool = files::run_tool(command);
    EXPECT_EQ(tool.exit_code, 0) << tool.output;
    return tool.output;
  }
  /// The sum of the counts of a run's profile with a tag.
  static uint64_t events(const std::string& run, const std::string& tag) {
    return read_json(fs::path(run) / "result.json")["profilers"][0]["tags"][tag]["events"];
  }
};

TEST_F(Exports, CallgrindIsReadByCallgrindAnnotate) {
  const std::string file = exported(counted(), "callgrind", {"--profiler", "complete"});
  const std::string text = output_of({"callgrind_annotate", "--auto=no", "--threshold=100", file});
  EXPECT_THAT(text, AllOf(HasSubstr("complete_edge complete_value complete_call_target"),
                          HasSubstr(grouped(events(counted(), "0")) + " (100.0%) " +
                                    grouped(events(counted(), "1"))),
                          ContainsRegex("lz\\.c:longest_match")));
}

TEST_F(Exports, LlvmSaysHowMuchHasNoLineAndIsLeftOut) {
  const ProcessResult all = strobe({"export", timed(), "--format", "llvm"});
  EXPECT_EQ(all.exit_code, 0);
  EXPECT_THAT(all.err,
              testing::MatchesRegex("strobe: warning: [0-9.]+ % of the time by truth is not in the "
                                    "profile, because its instructions have no line; compile what "
                                    "they are of with -g1\n"));
}

TEST_F(Exports, PprofIsReadByGoToolPprof) {
  const std::string file = exported(counted(), "pprof", {"--profiler", "complete"});
  const std::string top = output_of({"go", "tool", "pprof", "-top", "-nodecount=5", "-unit=count",
                                     "-sample_index=complete_edge", file});
  EXPECT_THAT(top, AllOf(HasSubstr("File: lz.elf"), ContainsRegex("Build ID: [0-9a-f]{40}"),
                         HasSubstr("Type: complete_edge"),
                         HasSubstr(std::to_string(events(counted(), "0")) + " total"),
                         HasSubstr("longest_match")));
  const std::string raw = output_of({"go", "tool", "pprof", "-raw", file});
  EXPECT_THAT(raw, AllOf(HasSubstr("complete_edge/count[dflt] complete_value/count"),
                         ContainsRegex("lz\\.c:[0-9]+"), HasSubstr("Period: 1")));
  const std::string peek = output_of({"go", "tool", "pprof", "-peek", "^longest_match",
                                      "-sample_index=complete_call_target", file});
  EXPECT_THAT(peek, HasSubstr("longest_match"));
}

TEST_F(Exports, ThePeriodOfASampledProfileIsInPprof) {
  const std::string file = exported(timed(), "pprof", {"--profiler", "truth.timer"});
  EXPECT_THAT(output_of({"go", "tool", "pprof", "-raw", file}), HasSubstr("Period: 100"));
}

TEST_F(Exports, PprofWithoutAFileIsAnErrorBecauseItIsBinary) {
  const ProcessResult process = strobe({"export", counted(), "--format", "pprof"});
  EXPECT_EQ(process.exit_code, 2);
  EXPECT_THAT(process.err, HasSubstr("pprof is a binary format: give --output FILE"));
}

TEST_F(Exports, LlvmIsReadByLlvmProfdata) {
  const std::string file = exported(counted(), "llvm", {"--profiler", "complete"});
  const std::string text = output_of({"llvm-profdata-14", "show", "--sample", file});
  EXPECT_THAT(text, HasSubstr("Function: main"));
  const std::string overlap = output_of({"llvm-profdata-14", "overlap", "--sample", file, file});
  EXPECT_THAT(overlap, HasSubstr("100.000%"));
}

TEST_F(Exports, AnLlvmProfileIsUsedByClang) {
  const std::string file = exported(counted(), "llvm", {"--profiler", "complete"});
  const std::string ir =
      output_of({"clang-14", "--target=riscv64-linux-gnu", "-O2", "-g1", "-S", "-emit-llvm", "-o",
                 "-", "-fprofile-sample-use=" + file, "-isystem", "/usr/riscv64-linux-gnu/include",
                 "-I", in_source("."), in_source("sw/guest/workloads/lz.c")});
  EXPECT_THAT(ir, AllOf(HasSubstr("function_entry_count"), HasSubstr("branch_weights")));
}

TEST_F(Exports, AnLlvmProfileHasTheNamesOfTheLinker) {
  const std::string out =
      run_of(run_file(workload("json"), "[tiny]",
                      "[{ name: p, kind: periodic, rate: 1, selectors: [{ profile: edge }] }]",
                      "mode: functional\n"));
  EXPECT_THAT(read_file(exported(out, "llvm")), ContainsRegex("(^|\n)_Z[A-Za-z0-9_]+:[0-9]+:"));
}

// llvm-bolt needs the program's relocations, which -Wl,-q keeps; its code has the same addresses.
TEST_F(Exports, BoltRewritesAProgramByItsProfile) {
  const std::string elf = (scratch_.path() / "lz.elf").string(), faster = elf + ".bolt";
  output_of({"riscv64-linux-gnu-gcc", "-static", "-Wl,-q", "-o", elf,
             in_build("guest/objects/workloads/lz.o"), "-lm"});
  const std::string run = run_of(run_file(
      elf, "[tiny]",
      "[{ name: p, kind: periodic, rate: 1, selectors: [{ profile: edge, prediction: mispredicted, "
      "tag: 1 }, { profile: edge, tag: 0 }, { profile: call_target, tag: 2 }] }]",
      "mode: timing\n"));
  const std::string file = exported(run, "bolt");
  std::istringstream lines(read_file(file));
  const json tags = read_json(fs::path(run) / "result.json")["profilers"][0]["tags"];
  uint64_t missed = 0, all = 0;
  for (std::string from, to, line, skip; std::getline(lines, line);) {
    std::istringstream fields(line);
    uint64_t wrong = 0, count = 0;
    ASSERT_TRUE(fields >> skip >> from >> skip >> skip >> to >> skip >> wrong >> count) << line;
    ASSERT_LE(wrong, count) << line;
    missed += wrong;
    all += count;
  }
  EXPECT_GT(missed, 0u);
  EXPECT_LE(missed, tags["1"]["events"].get<uint64_t>());
  const uint64_t counted = tags["0"]["events"].get<uint64_t>() +
                           tags["1"]["events"].get<uint64_t>() +
                           tags["2"]["events"].get<uint64_t>();
  EXPECT_LE(all, counted);
  EXPECT_GT(all, counted * 99 / 100);  // the C library's assembly has functions without a size
  const std::string said =
      output_of({"llvm-bolt-19", elf, "-o", faster, "--data=" + file, "--reorder-blocks=ext-tsp",
                 "--reorder-functions=hfsort", "--split-functions"});
  EXPECT_THAT(said, AllOf(ContainsRegex("[1-9][0-9]+ out of [0-9]+ functions in the binary "
                                        ".* have non-empty execution profile"),
                          testing::Not(HasSubstr("stale"))));
  EXPECT_EQ(output_of({"qemu-riscv64", faster, "tiny"}), output_of({"qemu-riscv64", elf, "tiny"}));
}

TEST_F(Exports, BoltWithoutAProfileOfEdgesIsAnError) {
  const ProcessResult process = strobe({"export", timed(), "--format", "bolt"});
  EXPECT_EQ(process.exit_code, 2);
  EXPECT_THAT(process.err, HasSubstr("run it again with a selector { profile: edge }"));
}

// clang numbers blocks of a line by discriminators, and inlines functions; both are in the profile.
TEST_F(Exports, AnLlvmProfileHasInlinedFunctionsAndDiscriminators) {
  const std::string elf = (scratch_.path() / "lz.elf").string(), object = elf + ".o";
  const std::vector<std::string> compile = {"clang-14",
                                            "--target=riscv64-linux-gnu",
                                            "-march=rv64gc",
                                            "-mabi=lp64d",
                                            "-O2",
                                            "-gline-tables-only",
                                            "-fdebug-info-for-profiling",
                                            "-nostdlibinc",
                                            "-isystem",
                                            "/usr/riscv64-linux-gnu/include",
                                            "-I",
                                            in_source("."),
                                            in_source("sw/guest/workloads/lz.c")};
  std::vector<std::string> command = compile;
  command.insert(command.end(), {"-c", "-o", object});
  output_of(command);
  output_of({"riscv64-linux-gnu-gcc", "-static", "-o", elf, object, "-lm"});
  const std::string run = run_of(run_file(
      elf, "[tiny]",
      "[{ name: p, kind: periodic, rate: 1, selectors: [{ profile: edge, tag: 0 }, { profile: "
      "call_target, tag: 1 }] }]",
      "mode: functional\n"));
  const std::string file = exported(run, "llvm", {"--profiler", "p"});
  const std::string text = read_file(file);
  EXPECT_THAT(text, AllOf(ContainsRegex("\n [0-9]+: compress:[0-9]+\n"),
                          ContainsRegex("\n  [0-9]+: [a-z_]+:[0-9]+\n   [0-9]+"),  // two deep
                          ContainsRegex("\n +[0-9]+\\.[0-9]+: [0-9]+")));
  const std::string shown = output_of({"llvm-profdata-14", "show", "--sample", file});
  EXPECT_THAT(shown, AllOf(HasSubstr("inlined callee: compress"), HasSubstr("Function: main")));
  command = compile;
  command.insert(command.end(), {"-S", "-emit-llvm", "-o", "-", "-fprofile-sample-use=" + file});
  EXPECT_THAT(output_of(command), AllOf(HasSubstr("function_entry_count"),
                                        ContainsRegex("branch_weights\", i32 [0-9]{3,}")));
}

TEST_F(Exports, FoldedStacksAddUpToTheEvents) {
  const std::string file = exported(counted(), "folded", {"--profiler", "complete"});
  std::istringstream lines(read_file(file));
  uint64_t sum = 0;
  for (std::string line; std::getline(lines, line);) {
    sum += std::stoull(line.substr(line.rfind(' ') + 1));
  }
  EXPECT_EQ(sum, events(counted(), "0"));
}

// The fields that a trace viewer needs ("Trace Event Format", Google, 2016).
TEST_F(Exports, PerfettoFitsTheSchemaOfTraceEvents) {
  const std::string file = exported(timed(), "perfetto");
  output_of({"/usr/bin/python3", "-c",
             "import json, jsonschema, sys\n"
             "jsonschema.validate(*(json.load(open(name)) for name in sys.argv[1:]))",
             file, in_source("tests/e2e/answer/trace_events.schema.json")});
  const json trace = read_json(file);
  uint64_t cycles = 0;
  for (const json& event : trace.at("traceEvents")) {
    if (event.at("ph") == "X") cycles += event.at("args").at("cycles").get<uint64_t>();
  }
  EXPECT_EQ(cycles, read_json(fs::path(timed()) / "result.json").at("cycles"));
}

TEST_F(Exports, PerfettoTakesNoProfiler) {
  const ProcessResult process =
      strobe({"export", timed(), "--format", "perfetto", "--profiler", "truth"});
  EXPECT_EQ(process.exit_code, 2);
  EXPECT_THAT(process.err, HasSubstr("expected no --profiler, got truth; leave it out"));
}

TEST_F(Exports, PerfettoOfARunWithoutIntervalsSaysHowToGetThem) {
  const ProcessResult process = strobe({"export", counted(), "--format", "perfetto"});
  EXPECT_EQ(process.exit_code, 2);
  EXPECT_THAT(process.err, HasSubstr("run it again with --set interval=10000"));
}

}  // namespace
}  // namespace strobe::e2e
