// A tool that works on foreign files reaches nothing else, and comes to an end.
#include "sw/confine/confined_tool.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "tests/unit/files/scratch.h"

namespace strobe::confine {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

/// A folder with the files input and secret, and the folder out.
class ConfinedTools : public testing::Test {
 protected:
  ConfinedTools() {
    folder_.write("input", "text\n");
    folder_.write("secret", "text\n");
    fs::create_directory(folder_.path() / "out");
  }

  std::string at(const std::string& name) const { return (folder_.path() / name).string(); }

  files::ToolResult run(const std::string& program, const std::vector<std::string>& arguments,
                        unsigned seconds = kToolSeconds) const {
    return run_confined({program, arguments, folder_.path(), {at("input")}, at("out"), seconds});
  }
  /// Why the shell command was stopped.
  std::string stopped(const std::string& command) const {
    try {
      run("/bin/bash", {"-c", command}, 1);
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "";
  }

  files::Scratch folder_;
};

TEST_F(ConfinedTools, HaveNothingOfTheUsersEnvironment) {
  setenv("COMPILER_PATH", at("").c_str(), 1);
  const std::string out = run("/usr/bin/env", {}).output;
  unsetenv("COMPILER_PATH");
  EXPECT_EQ(out,
            fmt::format("PATH=/usr/local/bin:/usr/bin:/bin\nLC_ALL=C\nTMPDIR={}\n", at("out")));
}

TEST_F(ConfinedTools, AreFoundWithoutTheUsersPath) {
  EXPECT_EQ(find_tool("env"), "/usr/bin/env");
  EXPECT_EQ(find_tool("no-such-tool"), "");
  EXPECT_TRUE(is_tool_folder("/usr/bin"));
  EXPECT_FALSE(is_tool_folder("/usr/local/bin:/usr/bin"));
}

TEST_F(ConfinedTools, OpenOnlyWhatTheyNeed) {
  const std::string denied = "Permission denied";
  EXPECT_EQ(run("/usr/bin/touch", {at("out/new")}).exit_code, 0);
  EXPECT_TRUE(fs::exists(at("out/new")));
  EXPECT_THAT(run("/usr/bin/touch", {at("new")}).output, HasSubstr(denied));
  EXPECT_THAT(run("/usr/bin/rm", {at("input")}).output, HasSubstr(denied));
  EXPECT_EQ(run("/usr/bin/wc", {"input"}).exit_code, 0) << "it runs in the folder";
  EXPECT_THAT(run("/usr/bin/wc", {at("secret")}).output, HasSubstr(denied));
  fs::copy_file("/usr/bin/true", at("out/true"));
  EXPECT_THAT(run("/usr/bin/env", {at("out/true")}).output, HasSubstr(denied));
}

TEST_F(ConfinedTools, HaveLimits) {
  EXPECT_EQ(run("/bin/bash", {"-c", "ulimit -t; ulimit -v; ulimit -f; ulimit -c"}).output,
            "300\n8388608\n2097152\n0\n");
  const std::string slow = "it took longer than 1 s and was stopped; give it less to do";
  EXPECT_EQ(stopped("sleep 100"), slow);
  EXPECT_EQ(stopped("sleep 100 & exit"), slow) << "with what it has started";
  EXPECT_EQ(stopped("yes"),
            "it printed more than 67108864 bytes and was stopped; give it less to do");
}

TEST_F(ConfinedTools, ThatAreNotThereAreSaid) {
  EXPECT_THROW(run(at("missing"), {}), std::exception);
}

}  // namespace
}  // namespace strobe::confine
