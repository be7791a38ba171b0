// No program may write to the place of its results or of trusted code.
#include "sw/result/out_of_reach.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "sw/result/result_directory.h"
#include "tests/tree.h"

namespace strobe::result {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class OutOfReach : public testing::Test {
 protected:
  OutOfReach() {
    std::string pattern = (fs::temp_directory_path() / "strobe-XXXXXX").string();
    top_ = fs::canonical(mkdtemp(pattern.data()));
    for (const char* folder : {"bin/inner", "box/inner", "box2", "cache/rtl", "fetched", "guest",
                               "objects", "productions", "rtl", "runs", "tmp"})
      fs::create_directories(top_ / folder);
    fs::create_directory_symlink(top_ / "box", top_ / "alias");
    setenv("STROBE_CACHE", (top_ / "cache").c_str(), 1);
    setenv("STROBE_GUEST_DIR", (top_ / "guest").c_str(), 1);
    setenv("STROBE_RTL_DIR", (top_ / "rtl").c_str(), 1);
    setenv("STROBE_WORKLOADS", (top_ / "fetched").c_str(), 1);
    setenv("TMPDIR", (top_ / "tmp").c_str(), 1);
    path_ = std::getenv("PATH");
    setenv("PATH", (path_ + ":" + (top_ / "bin").string()).c_str(), 1);
  }
  ~OutOfReach() override {
    for (const char* name :
         {"STROBE_CACHE", "STROBE_GUEST_DIR", "STROBE_RTL_DIR", "STROBE_WORKLOADS", "TMPDIR"}) {
      unsetenv(name);
    }
    setenv("PATH", path_.c_str(), 1);
    fs::remove_all(top_);
  }

  /// The message, empty when the run is accepted.
  std::string refusal(const std::string& read, const std::string& write,
                      const std::string& output) const {
    config::RunConfig run;
    if (!read.empty()) run.workload.read = {(top_ / read).string()};
    if (!write.empty()) run.workload.write = {(top_ / write).string()};
    run.decode.productions = {(top_ / "productions/a.dise").string()};
    try {
      check_out_of_reach({run, {top_ / "runs/run.yaml"}, {top_ / "objects/a.o"}},
                         "the output directory", top_ / output);
    } catch (const ResultError& error) {
      return error.what();
    }
    return "";
  }

  fs::path top_;
  std::string path_;  // the test's own $PATH
};

TEST_F(OutOfReach, AResultBesideTheSandboxIsAccepted) {
  EXPECT_EQ(refusal("", "box", "out"), "");
  EXPECT_EQ(refusal("", "box", "box2/out"), "") << "a name that only begins the same";
  EXPECT_EQ(refusal("", "box2", "box"), "");
  EXPECT_EQ(refusal("box", "", "box/out"), "") << "the program can only read there";
}

TEST_F(OutOfReach, AResultInsideAWritableDirectoryIsRefused) {
  for (const char* output : {"box", "box/", "box/out", "box/inner/a/b", "box/inner/../out",
                             "alias/out", "box2/../alias"}) {
    EXPECT_THAT(refusal("", "box", output), HasSubstr("must not overlap")) << output;
    EXPECT_THAT(refusal("", "alias", output), HasSubstr("must not overlap")) << output;
  }
  EXPECT_EQ(refusal("", "box", "alias/out"),
            "the output directory " + (top_ / "box/out").string() + " and the sandbox directory " +
                (top_ / "box").string() +
                ", which the program may write (workload.sandbox.write), must not overlap: the "
                "program could change its own result; give another output or another sandbox "
                "directory");
}

TEST_F(OutOfReach, ASandboxDirectoryInsideTheResultIsRefused) {
  EXPECT_THAT(refusal("", "box/inner", "box"), HasSubstr("must not overlap"));
  EXPECT_THAT(refusal("", "box/inner", "alias"), HasSubstr("must not overlap"));
  EXPECT_EQ(refusal("box/inner", "", "alias"),
            "the sandbox directory " + (top_ / "box/inner").string() +
                " (workload.sandbox.read) lies in the output directory " + (top_ / "box").string() +
                ", which Strobe writes; give another output or another sandbox directory");
}

TEST_F(OutOfReach, WhatLaterRunsLoadIsOutOfReach) {
  for (const char* write : {"cache", "cache/rtl", "cache/rtl/new", "fetched", "guest", "rtl", ""}) {
    config::RunConfig run;
    run.workload.write = {(top_ / write).string()};
    try {
      check_out_of_reach({run, {}, {}}, "the output directory", "/elsewhere/out");
      ADD_FAILURE() << "accepted " << write;
    } catch (const ResultError& error) {
      EXPECT_THAT(error.what(), HasSubstr("must not overlap: the program could change what later "
                                          "runs load; give another sandbox directory"));
    }
  }
  EXPECT_THAT(refusal("", fs::read_symlink("/proc/self/exe").parent_path().string(), "out"),
              HasSubstr("the directory of strobe itself"));
  EXPECT_THAT(refusal("", in_source("rtl/top"), "out"), HasSubstr("the directory of sources"));
  EXPECT_THAT(refusal("", in_source("sc_models"), "out"), HasSubstr("the directory of sources"));
  EXPECT_EQ(refusal("cache", "", "out"), "") << "the program can only read there";
}

TEST_F(OutOfReach, WhatTheRunNamesIsOutOfReach) {
  const std::vector<std::pair<std::string, std::string>> kPlaces = {
      {"runs", "the run file " + (top_ / "runs/run.yaml").string()},
      {"objects", "a file of the program's link " + (top_ / "objects/a.o").string()},
      {"productions", "a production file " + (top_ / "productions/a.dise").string()},
      {"bin", "the directory of tools " + (top_ / "bin").string()},
      {"tmp", "the folder of temporary files " + (top_ / "tmp").string()}};
  for (const auto& [write, place] : kPlaces) {
    EXPECT_EQ(refusal("", write, "out"),
              place + " and the sandbox directory " + (top_ / write).string() +
                  ", which the program may write (workload.sandbox.write), must not overlap: the "
                  "program could change what later runs load; give another sandbox directory");
  }
  EXPECT_EQ(refusal("", "bin/inner", "out"), "") << "no tool is looked for there";
}

TEST_F(OutOfReach, AnEmptyVariableMeansTheUsualPlace) {
  setenv("STROBE_CACHE", "", 1);
  const std::string home = std::getenv("HOME");
  setenv("HOME", top_.c_str(), 1);
  fs::create_directories(top_ / ".cache/strobe");
  EXPECT_THAT(refusal("", ".cache/strobe", "out"), HasSubstr("the cache "));
  setenv("HOME", home.c_str(), 1);
}

}  // namespace
}  // namespace strobe::result
