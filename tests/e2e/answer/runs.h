// The runs that the tests of answers ask about, each made once.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "tests/e2e/process/strobe_process.h"

namespace strobe::e2e {

/// 1234567 as "1,234,567".
inline std::string grouped(uint64_t number) {
  std::string text = std::to_string(number);
  for (size_t i = text.size(); i > 3;) text.insert(i -= 3, 1, ',');
  return text;
}

class RunsTest : public testing::Test {
 protected:
  static void SetUpTestSuite() { runs_ = new ScratchDirectory; }
  static void TearDownTestSuite() {
    delete runs_;
    runs_ = nullptr;
  }

  /// lz: profilers complete and sampled of edges, values and calls, with their exhaustive profiles,
  /// and intervals.
  static std::string counted() {
    const std::string selectors =
        "selectors: [{ profile: edge, tag: 0 }, { profile: value, tag: 1 }, { profile: "
        "call_target, tag: 2 }]";
    return once("counted",
                run_file(workload("lz"), "[tiny]",
                         "[{ name: complete, kind: periodic, rate: 1, " + selectors +
                             " }, { name: sampled, kind: random, rate: 64, " + selectors + " }]",
                         "mode: functional\nexhaustive_profiles: true\n"));
  }
  /// othello: the truth of cycles and samplers of it, and intervals.
  static std::string timed() {
    return once("timed", run_file(workload("othello"), "[tiny]", "[]",
                                  "truth: { cycles: true, samplers: { period: 100 } }\n"
                                  "interval: 100000\n"));
  }
  /// The result of a run file's text.
  std::string run_of(const std::string& text) const { return run_into(scratch_, "out", text); }

  ScratchDirectory scratch_;

 private:
  static std::string once(const std::string& name, const std::string& text) {
    const std::string out = (runs_->path() / name).string();
    return std::filesystem::exists(out) ? out : run_into(*runs_, name, text);
  }
  static std::string run_into(const ScratchDirectory& directory, const std::string& name,
                              const std::string& text) {
    const std::string out = (directory.path() / name).string();
    const ProcessResult process =
        strobe({"run", directory.write(name + ".yaml", text).string(), "--out", out, "--quiet"});
    EXPECT_EQ(process.exit_code, 0) << process.err;
    return out;
  }

  static inline ScratchDirectory* runs_ = nullptr;
};

}  // namespace strobe::e2e
