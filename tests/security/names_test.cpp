// docs/security.md: no terminal, shell, database or spreadsheet executes the contents of a
// name.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "sw/explore/store/database.h"
#include "tests/e2e/process/strobe_process.h"

namespace strobe::e2e {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kEscape = "\x1b";

class Names : public testing::Test {
 protected:
  fs::path at(const std::string& name) const { return scratch_.path() / name; }

  /// A program in which `name`, of a symbol, is `hostile`, of the same length.
  std::string renamed(const std::string& elf, const std::string& name,
                      const std::string& hostile) const {
    EXPECT_EQ(name.size(), hostile.size());
    std::string bytes = read_file(elf);
    size_t found = 0;
    for (size_t at = 0; (at = bytes.find(name + '\0', at)) != std::string::npos; ++found) {
      bytes.replace(at, name.size(), hostile);
    }
    EXPECT_GT(found, 0u);
    return scratch_.write("hostile.elf", bytes).string();
  }
  /// It executes a word that is not an instruction in a function of that name, of ten bytes.
  std::string failing(const std::string& hostile) const {
    return renamed(program("illegal_instruction"), "do_illegal", hostile);
  }
  ProcessResult run(const std::string& elf, const std::string& profilers = "[]",
                    const std::string& extra = "mode: functional\n") const {
    scratch_.write("run.yaml", run_file(elf, "[]", profilers, extra));
    return strobe({"run", at("run.yaml").string(), "--out", at("out").string(), "--force"});
  }
  ProcessResult sweep(const std::string& elf, const std::string& text,
                      std::vector<std::string> more = {}) const {
    scratch_.write("base.yaml", run_file(elf, elf == workload("lz") ? "[tiny]" : "[]",
                                         "[{ name: s, rate: 16, selectors: [{ profile: edge }] }]",
                                         "mode: functional\n"));
    scratch_.write("sweep.yaml", "base: base.yaml\n" + text);
    std::vector<std::string> args = {"sweep", at("sweep.yaml").string()};
    if (more.empty()) more = {"--out", at("out").string()};
    args.insert(args.end(), more.begin(), more.end());
    return strobe(args, scratch_.path());
  }

  ScratchDirectory scratch_;
};

TEST_F(Names, ASymbolCannotSteerTheTerminal) {
  const ProcessResult result = run(failing("a\x1b]0;hi\x07zz"));
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, AllOf(HasSubstr("a\\x1b]0;hi\\x07zz"), Not(HasSubstr(kEscape))));
  EXPECT_THAT(result.out, Not(HasSubstr(kEscape)));
  const ProcessResult shown = strobe({"report", at("out").string(), "--format", "text"});
  EXPECT_THAT(shown.out, AllOf(HasSubstr("\\x1b]0;hi"), Not(HasSubstr(kEscape))));
}

TEST_F(Names, AWordOfTheCommandLineCannotSteerTheTerminal) {
  for (const std::vector<std::string>& args : {std::vector<std::string>{"doctor", "\x1b[2J"},
                                               {"run", "\x1b[2J", "--out", at("out").string()}}) {
    const ProcessResult result = strobe(args);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.err, AllOf(HasSubstr("\\x1b[2J"), Not(HasSubstr(kEscape))));
  }
}

TEST_F(Names, ASweepOfAProgramWhoseSymbolsAreNotUtf8EndsWell) {
  const ProcessResult result =
      sweep(failing("\xff\xc0\x80\x9b\x1b[2J\xfe\xe2"), "grid: { core.rob: [96, 112] }\n");
  EXPECT_EQ(result.exit_code, 1) << result.err;
  EXPECT_THAT(result.err, AllOf(HasSubstr("illegal instruction"), HasSubstr("\\xff"),
                                Not(HasSubstr("type_error")), Not(HasSubstr(kEscape))));
  explore::Database database(at("out/sweep.sqlite").string());
  EXPECT_EQ(database.integer("SELECT count(*) FROM failure WHERE reason LIKE '%illegal%'"), 2);
  EXPECT_THAT(
      sweep(failing("\xff\xc0\x80\x9b\x1b[2J\xfe\xe2"), "grid: { core.rob: [96, 112] }\n").out,
      HasSubstr("2 reused, 2 failed"));
}

TEST_F(Names, ASymbolIsNoFormulaOfASpreadsheet) {
  const std::string elf = renamed(program("known_profile"), "main", "=1+1");
  ASSERT_EQ(run(elf, "[{ name: '@s', rate: 1, selectors: [{ profile: edge }] }]").exit_code, 0);
  const std::string profile = read_file(at("out/profile.%40s.csv"));
  EXPECT_THAT(profile, HasSubstr(",'=1+1+0x"));
  EXPECT_THAT(profile, Not(HasSubstr(",=1+1")));
  const ProcessResult csv = strobe({"report", at("out").string(), "--format", "csv"});
  EXPECT_THAT(csv.out, HasSubstr(",'@s,"));
  const ProcessResult json = strobe({"report", at("out").string(), "--format", "json"});
  EXPECT_EQ(nlohmann::json::parse(json.out)["profiles"][0]["profiler"], "@s");
  EXPECT_THAT(json.out, AllOf(HasSubstr("\"=1+1+0x"), Not(HasSubstr("'=1+1"))));
}

TEST_F(Names, AnObjectiveIsNoSql) {
  for (const char* key :
       {R"(counters.a"b)", R"(counters.x" FROM front; DROP TABLE run; --)", "counters.a\'\'b"}) {
    fs::remove_all(at("out"));
    const ProcessResult result =
        sweep(workload("lz"),
              std::string("grid: { core.rob: [96, 112] }\nobjectives: [{ max: '") + key + "' }]\n");
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_THAT(result.err, AllOf(HasSubstr("no run produced"), Not(HasSubstr("database"))));
    explore::Database database(at("out/sweep.sqlite").string());
    EXPECT_EQ(database.integer("SELECT count(*) FROM run"), 2);
  }
}

TEST_F(Names, AFolderIsNoCommandOfALauncher) {
  const std::string out = at("{command}; touch sent; '$(touch sent)").string();
  const ProcessResult result =
      sweep(workload("lz"),
            "grid: { core.rob: [96, 112] }\nlauncher: { command: '{command} > {log} 2>&1' }\n",
            {"--launcher", "command", "--out", out});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_FALSE(fs::exists(at("sent")));
  EXPECT_TRUE(fs::exists(fs::path(out) / "sweep.sqlite"));
}

TEST_F(Names, ALibraryIsNoCommandOfASynthesis) {
  const fs::path library = at("[exec touch sent].lib");
  fs::copy_file("/usr/share/qflow/tech/osu018/osu018_stdcells.lib", library);
  const ProcessResult result = strobe({"synth", "--block", "strobe_opclass", "--cells", "--library",
                                       library.string(), "--feature", "180"},
                                      scratch_.path());
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("synthesis: the library is '" + library.string() +
                                    "': expected a path of letters, digits"));
  EXPECT_FALSE(fs::exists(at("sent")));
}

}  // namespace
}  // namespace strobe::e2e
