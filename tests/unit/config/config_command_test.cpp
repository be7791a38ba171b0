// Does `strobe config` find what is wrong with a file of any kind, explain values and print
// schemas?
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/unit/config/answer.h"

namespace strobe::config {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

TEST(ConfigCommand, CheckSaysOkOrEveryFault) {
  const Answer good = strobe({"config", "check", kQuickstart});
  EXPECT_EQ(good.code, 0);
  EXPECT_EQ(good.out, kQuickstart + ": ok\n");
  EXPECT_EQ(good.err, "");
  const Answer bad = strobe(
      {"config", "check", kQuickstart, "--set", "core.rbo=1", "--set", "profilers.0.rate=fast"});
  EXPECT_EQ(bad.code, 2);
  EXPECT_EQ(bad.out, "");
  EXPECT_EQ(
      bad.err,
      "--set 'core.rbo=1': error: core.rbo: unknown key (did you mean 'rob'?)\n"
      "--set 'profilers.0.rate=fast': error: profilers.0.rate: wrong type, expected an integer, "
      "got 'fast'\n");
}

TEST(ConfigCommand, SetTakesListsAndMapsAndMayStandBeforeTheFile) {
  const Answer answer = strobe(
      {"config", "explain", "--set", "workload.args=[-x, '3']", kQuickstart, "workload.args"});
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_THAT(answer.out, StartsWith("workload.args: [\"-x\", \"3\"]\n    --set; "));
}

TEST(ConfigCommand, ExplainShowsOriginAndMeaning) {
  const Answer one = strobe({"config", "explain", kQuickstart, "core.predictor.kind"});
  EXPECT_EQ(one.code, 0);
  EXPECT_THAT(one.out, testing::MatchesRegex(
                           "core.predictor.kind: gshare\n    ../cores/hps2005.yaml:[0-9]+; "
                           "The direction predictor of conditional branches.\n"));
  const Answer all = strobe({"config", "explain", kQuickstart});
  EXPECT_THAT(all.out, AllOf(HasSubstr("core.rob: 128\n"), HasSubstr("seed: 1\n")));
  const Answer none = strobe({"config", "explain", kQuickstart, "core.rbo"});
  EXPECT_EQ(none.code, 2);
  EXPECT_THAT(none.err, HasSubstr("no such key: 'core.rbo' (did you mean 'core.rob'?)"));
}

TEST(ConfigCommand, CheckFindsTheKindByTheKeysAndThenByTheFolder) {
  const Scratch scratch;
  const auto check = [&](const std::string& name, const std::string& text,
                         const std::vector<std::string>& more = {}) {
    std::vector<std::string> words = {"config", "check", scratch.write(name, text)};
    words.insert(words.end(), more.begin(), more.end());
    return strobe(words);
  };
  EXPECT_EQ(check("a.yaml", "rob: 64\nreservation_stations: 8\n").code, 0);
  EXPECT_EQ(check("a.yaml", "kind: random\nrate: 64\n").code, 0);
  EXPECT_EQ(check("a.yaml", "elf: p.elf\nargs: [tiny]\n").code, 0);
  EXPECT_EQ(check("a.yaml", "kind: ephemeral\nepoch: 2000\n").code, 0);
  EXPECT_EQ(check("a.yaml", "- { name: a, kind: random }\n").code, 0);
  EXPECT_EQ(check("a.yaml", "name: a\n").code, 0);  // a core, the first that has this key
  EXPECT_EQ(check("profilers/a.yaml", "name: a\n").code, 0);
  const Answer profiler = check("profilers/a.yaml", "name: a\nrtae: 64\n");
  EXPECT_EQ(profiler.code, 2);
  EXPECT_EQ(profiler.err, scratch.file("profilers/a.yaml") +
                              ":2:1: error: profilers.0.rtae: unknown key (did you mean 'rate'?)\n"
                              "  rtae: 64\n"
                              "  ^\n" +
                              scratch.file("profilers/a.yaml") +
                              " was checked as a profiler file; --kind says what else it is\n");
  EXPECT_THAT(check("a.yaml", "elf: p.elf\n", {"--kind", "core"}).err,
              HasSubstr("core.elf: unknown key"));
  EXPECT_THAT(check("a.yaml", "elf: p.elf\n", {"--kind", "croe"}).err, HasSubstr("croe"));
}

TEST(ConfigCommand, CheckOfAPartSaysWhatDoesNotFitTogetherAndLeavesTheRestToTheRun) {
  const std::string core = in_source("configs/cores/hps2005.yaml");
  const Answer bad = strobe({"config", "check", core, "--set", "memory.l1d.ways=3"});
  EXPECT_EQ(bad.code, 2);
  EXPECT_THAT(bad.err, HasSubstr("core.memory.l1d.size: expected a power of two times ways"));
  // It selects in bursts, for which the run file gives the productions.
  const Answer gated =
      strobe({"config", "check", in_source("configs/profilers/hps-gated-stratified.yaml"), "--set",
              "selectors=[{profile: edge, in_burst: true}]"});
  EXPECT_EQ(gated.code, 0) << gated.err;
  const Answer sweep = strobe(
      {"config", "check", in_source("configs/sweeps/small.yaml"), "--set", "grid.core.rob=[64]"});
  EXPECT_EQ(sweep.code, 2);
  EXPECT_THAT(sweep.err, HasSubstr("is a sweep file; leave --set out"));
  EXPECT_THAT(strobe({"config", "check", "/nowhere.yaml"}).err,
              HasSubstr("/nowhere.yaml: error: cannot read the file: No such file"));
}

TEST(ConfigCommand, SchemaIsJson) {
  const Answer answer = strobe({"config", "schema"});
  EXPECT_EQ(answer.code, 0);
  EXPECT_TRUE(nlohmann::json::parse(answer.out).contains("properties"));
  const Answer sweep = strobe({"config", "schema", "sweep"});
  EXPECT_EQ(sweep.code, 0);
  EXPECT_TRUE(nlohmann::json::parse(sweep.out)["properties"].contains("grid"));
}

}  // namespace
}  // namespace strobe::config
