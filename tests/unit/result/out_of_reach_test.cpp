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
    for (const char* folder : {"box/inner", "box2", "cache/rtl", "fetched", "guest", "rtl"})
      fs::create_directories(top_ / folder);
    fs::create_directory_symlink(top_ / "box", top_ / "alias");
    setenv("STROBE_CACHE", (top_ / "cache").c_str(), 1);
    setenv("STROBE_GUEST_DIR", (top_ / "guest").c_str(), 1);
    setenv("STROBE_RTL_DIR", (top_ / "rtl").c_str(), 1);
    setenv("STROBE_WORKLOADS", (top_ / "fetched").c_str(), 1);
  }
  ~OutOfReach() override {
    for (const char* name :
         {"STROBE_CACHE", "STROBE_GUEST_DIR", "STROBE_RTL_DIR", "STROBE_WORKLOADS"}) {
      unsetenv(name);
    }
    fs::remove_all(top_);
  }

  /// The message, empty when the run is accepted.
  std::string refusal(const std::string& read, const std::string& write,
                      const std::string& output) const {
    config::WorkloadConfig workload;
    if (!read.empty()) workload.read = {(top_ / read).string()};
    if (!write.empty()) workload.write = {(top_ / write).string()};
    try {
      check_out_of_reach(workload, "the output directory", top_ / output);
    } catch (const ResultError& error) {
      return error.what();
    }
    return "";
  }

  fs::path top_;
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
    config::WorkloadConfig workload;
    workload.write = {(top_ / write).string()};
    try {
      check_out_of_reach(workload, "the output directory", "/elsewhere/out");
      ADD_FAILURE() << "accepted " << write;
    } catch (const ResultError& error) {
      EXPECT_THAT(error.what(), HasSubstr("must not overlap: the program could change what later "
                                          "runs load; give another sandbox directory"));
    }
  }
  EXPECT_THAT(refusal("", fs::read_symlink("/proc/self/exe").parent_path().string(), "out"),
              HasSubstr("the directory of strobe itself"));
  EXPECT_THAT(refusal("", in_source("rtl/top"), "out"), HasSubstr("the directory of RTL sources"));
  EXPECT_THAT(refusal("", in_source("sc_models"), "out"), HasSubstr("the directory of the models"));
  EXPECT_EQ(refusal("cache", "", "out"), "") << "the program can only read there";
}

}  // namespace
}  // namespace strobe::result
