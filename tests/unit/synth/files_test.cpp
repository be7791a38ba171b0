// Does a tool that fails say why?
#include "sw/synth/tools/files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

namespace strobe::synth {
namespace {

std::string failure_of(const std::string& script) {
  try {
    run("counting", {"sh", "-c", script});
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

TEST(Run, GivesWhatTheToolPrinted) { EXPECT_EQ(run("printing", {"echo", "one"}), "one\n"); }

// OpenSTA goes on after an error, prints a report and ends with 0.
TEST(Run, AnErrorLineIsAFailureAndIsQuotedHoweverMuchFollows) {
  EXPECT_EQ(failure_of("echo before; echo 'Error: no such pin.'; seq 100"),
            "counting failed: sh says: Error: no such pin.");
}

TEST(Run, AnExitCodeIsAFailureWithTheLastLines) {
  const std::string text = failure_of("seq 100; exit 3");
  EXPECT_THAT(text, testing::StartsWith(
                        "counting failed: sh ended with exit code 3; the end of its output:\n"));
  EXPECT_THAT(text, testing::EndsWith("99\n100\n"));
  EXPECT_THAT(text, testing::Not(testing::HasSubstr("\n50\n")));
}

TEST(PlainPath, WhatAScriptWouldTakeForACommandIsRefused) {
  require_plain_path("the library", "/usr/share/qflow/tech/osu018/osu018_stdcells.lib");
  require_plain_path("the library", "my-lib_1.2+x.lib");
  for (const char* path : {"a b", "[exec touch sent].lib", "a;b", "a\nb", "$x", "{a", "\"", "a\\b",
                           "-lib", "", "a#b", "!sh", "`sh`", "~x"}) {
    EXPECT_THROW(require_plain_path("the library", path), std::invalid_argument) << path;
  }
  try {
    require_plain_path("the cache", "/a b");
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(),
                 "synthesis: the cache is '/a b': expected a path of letters, digits and "
                 "._-+,@%=:/ alone, since it becomes part of scripts; choose another name");
  }
}

}  // namespace
}  // namespace strobe::synth
