// The decode engine in whole runs: the cost of a production set, and that it does not change the
// program's results.
#include <gtest/gtest.h>

#include "tests/e2e/process/strobe_process.h"
#include "tests/tree.h"

namespace strobe::e2e {
namespace {

using nlohmann::json;

std::string shipped(const std::string& name) {
  return in_source("configs/profilers/hps/") + name + ".dise";
}

std::string productions(const std::vector<std::string>& names, const std::string& more = "") {
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + shipped(name);
  return "decode: { productions: [" + list + "], sparsity: 99, burst: 1" + more + " }\n";
}

class Edited : public testing::TestWithParam<const char*> {
 protected:
  struct Run {
    json result;
    std::string out;
  };
  Run run(const std::string& extra) {
    const ScratchDirectory scratch;
    const auto file =
        scratch.write("run.yaml", run_file(workload(GetParam()), "[tiny]", "[]", extra));
    const auto out = scratch.path() / "out";
    const ProcessResult process = strobe({"run", file.string(), "--out", out.string()});
    EXPECT_EQ(process.exit_code, 0) << process.err;
    return {read_json(out / "result.json"), read_file(out / "stdout.txt")};
  }
};

// HPS, section 4.2: basic overhead is completely eliminated.
TEST_P(Edited, TheSamplingFrameworkCostsNoCycle) {
  const json result = run(productions({"sampling"})).result;
  EXPECT_GT(result.at("cycles"), 0);
  EXPECT_EQ(result.at("cycles"), result.at("baseline_cycles"));
  EXPECT_EQ(result.at("overhead_measured"), 0.0);
  EXPECT_EQ(result.at("counters").at("core.expansions"), 0);
}

TEST_P(Edited, TheProgramDoesNotNoticeItsProfiles) {
  const Run bare = run("");
  for (const std::vector<std::string>& set :
       {std::vector<std::string>{"sampling", "hot-call-pairs"},
        {"sampling", "hot-methods"},
        {"sampling", "hot-data-streams"},
        {"sampling", "hot-call-pairs", "hot-methods", "hot-data-streams"}}) {
    const Run edited = run(productions(set));
    EXPECT_EQ(edited.out, bare.out) << set.back();
    EXPECT_EQ(edited.result.at("exit_code"), bare.result.at("exit_code")) << set.back();
    EXPECT_EQ(edited.result.at("instructions"), bare.result.at("instructions")) << set.back();
    EXPECT_GT(edited.result.at("counters").at("core.expansions"), 0) << set.back();
    EXPECT_GT(edited.result.at("overhead_measured"), 0.0) << set.back();
  }
}

INSTANTIATE_TEST_SUITE_P(Programs, Edited,
                         testing::Values("btree", "desim", "hashjoin", "json", "lisp", "lz",
                                         "othello", "paths", "raytrace", "regex"),
                         [](const auto& program) { return std::string(program.param); });

// HPS, section 4.1: the same in replacement sequences, counted and checked for every event.
TEST_P(Edited, PlainDiseCollectsTheSameEventsForMore) {
  for (const auto& [profile, key] :
       {std::pair("hot-call-pairs", "call_pairs"), std::pair("hot-methods", "methods")}) {
    const json conditional = run(productions({"sampling", profile})).result;
    const json plain = run(productions({std::string("plain-") + profile})).result;
    EXPECT_EQ(plain.at("profile").at(key), conditional.at("profile").at(key)) << profile;
    EXPECT_GT(plain.at("overhead_measured"), conditional.at("overhead_measured")) << profile;
  }
}

TEST_P(Edited, ARandomPhaseIsThatOfTheSeedWithAndWithoutConditionalControl) {
  const auto methods = [&](const std::vector<std::string>& set, int seed) {
    return run("mode: functional\nbaseline: false\nseed: " + std::to_string(seed) + "\n" +
               productions(set, ", phase: random"))
        .result.at("profile")
        .at("methods");
  };
  const json conditional = methods({"sampling", "hot-methods"}, 1);
  EXPECT_EQ(methods({"sampling", "hot-methods"}, 1), conditional);
  EXPECT_EQ(methods({"plain-hot-methods"}, 1), conditional);
  EXPECT_NE(methods({"sampling", "hot-methods"}, 2), conditional);
}

class Fidelity : public testing::TestWithParam<const char*> {};

TEST_P(Fidelity, OfTheEngineChangesNothing) {
  const ScratchDirectory scratch;
  const auto file = scratch.write(
      "run.yaml",
      run_file(workload(GetParam()), "[tiny]", "[]",
               productions({"sampling", "hot-call-pairs", "hot-methods"}, ", phase: random")));
  std::string model;
  for (const char* fidelity : {"model", "rtl", "lockstep"}) {
    const auto out = scratch.path() / fidelity;
    const ProcessResult process =
        strobe({"run", file.string(), "--out", out.string(), "--set", "workload.roi.run=200000",
                "--set", std::string("decode.fidelity=") + fidelity});
    ASSERT_EQ(process.exit_code, 0) << process.err;
    const std::string result = read_file(out / "result.json");
    if (model.empty()) model = result;
    EXPECT_EQ(result, model) << fidelity;
  }
}

INSTANTIATE_TEST_SUITE_P(Programs, Fidelity, testing::Values("lisp", "btree"),
                         [](const auto& program) { return std::string(program.param); });

class BadProductions : public testing::Test {
 protected:
  static std::string fault(const std::string& text, const std::string& more = "") {
    const ScratchDirectory scratch;
    scratch.write("set.dise", text);
    const auto file =
        scratch.write("run.yaml", run_file(workload("lisp"), "[tiny]", "[]",
                                           "decode: { productions: [set.dise]" + more + " }\n"));
    const ProcessResult process =
        strobe({"run", file.string(), "--out", (scratch.path() / "out").string()});
    EXPECT_EQ(process.exit_code, 2);
    return process.err;
  }
};

TEST_F(BadProductions, AnUnknownHandlerIsNamedWithItsPlace) {
  const std::string error =
      fault("P1: T.OPCLASS == load -> R1;\nR1: {\n    dcall no_such_handler\n    T.INSN\n}\n");
  EXPECT_NE(error.find("set.dise:3:"), std::string::npos) << error;
  EXPECT_NE(error.find("handler no_such_handler: expected a function of the firmware"),
            std::string::npos)
      << error;
}

TEST_F(BadProductions, SparsityNeedsItsRegister) {
  const std::string error =
      fault("P1: T.OPCLASS == load -> null, CC1;\nCC1: inc_1;\n", ", sparsity: 10");
  EXPECT_NE(error.find("decode.sparsity: expected a production file with a register named "
                       "sampleFreq"),
            std::string::npos)
      << error;
}

TEST_F(BadProductions, ACounterCountsSoFarOnly) {
  const std::string error = fault(
      "register sampleFreq = d5;\nP1: T.OPCLASS == load -> null, CC1;\n"
      "CC1: set_1(sampleFreq);\n",
      ", sparsity: 2000000");
  EXPECT_NE(
      error.find("decode.sparsity: expected at most 1048577, which its counter can count, got "
                 "2000000"),
      std::string::npos)
      << error;
}

TEST_F(BadProductions, OneEventBetweenTwoBurstsIsTooFew) {
  const std::string error = fault("P1: T.OPCLASS == load -> null;\n", ", sparsity: 1");
  EXPECT_NE(error.find("decode.sparsity: expected 0 or at least 2"), std::string::npos) << error;
}

TEST_F(BadProductions, ARandomPhaseNeedsASamplingFramework) {
  const std::string error = fault("P1: T.OPCLASS == load -> null;\n", ", phase: random");
  EXPECT_NE(error.find("decode.phase: expected a production file with the registers sampleFreq and "
                       "burstLength or sparsity, sparsityLeft and burst"),
            std::string::npos)
      << error;
}

TEST_F(BadProductions, AnActiveProfilerUsesOtherTagsThanTheHandlers) {
  const ScratchDirectory scratch;
  const auto file =
      scratch.write("run.yaml", run_file(workload("lisp"), "[tiny]",
                                         "[{ name: both, active: true, rate: 256, strata: 64,"
                                         " selectors: [{ profile: value, tag: 1 }] }]",
                                         productions({"sampling", "hot-call-pairs"})));
  const ProcessResult process =
      strobe({"run", file.string(), "--out", (scratch.path() / "out").string()});
  EXPECT_EQ(process.exit_code, 2);
  EXPECT_NE(process.err.find("the active profiler 'both' selects with tag 1, which is that of the "
                             "handler strobe_call_pair: give the selector another tag"),
            std::string::npos)
      << process.err;
}

TEST_F(BadProductions, AGrammarErrorStopsTheRunBeforeItStarts) {
  const std::string error = fault("P1: T.OPCLASS == nonsense -> null;\n");
  EXPECT_NE(error.find("set.dise:1:"), std::string::npos) << error;
}

}  // namespace
}  // namespace strobe::e2e
