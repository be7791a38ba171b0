// A sweep in a scratch directory: sweep.yaml over base.yaml, its results in out/.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "sw/explore/store/database.h"
#include "tests/e2e/process/strobe_process.h"

namespace strobe::e2e {

class SweepTest : public testing::Test {
 protected:
  std::filesystem::path at(const std::string& name) const { return scratch_.path() / name; }

  void write_sweep(const std::string& text) const {
    scratch_.write("sweep.yaml", "base: base.yaml\n" + text);
  }
  /// `strobe sweep` of the sweep.yaml that is there, with further arguments.
  ProcessResult start(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> args = {"sweep", at("sweep.yaml").string(), "--out",
                                     at("out").string()};
    args.insert(args.end(), more.begin(), more.end());
    return strobe(args);
  }
  ProcessResult sweep(const std::string& text, const std::vector<std::string>& more = {}) const {
    write_sweep(text);
    return start(more);
  }

  /// The first column of the first row, of the sweep's database.
  int64_t number(const std::string& sql) const {
    return explore::Database(at("out/sweep.sqlite").string()).integer(sql);
  }
  /// The same; "" without a row.
  std::string text(const std::string& sql) const {
    explore::Database database(at("out/sweep.sqlite").string());
    explore::Statement statement(database, sql);
    return statement.step() ? statement.text(0) : "";
  }

  /// Compares every point of the database with `strobe run` of the base with the design's settings.
  /// @param workloads  the value of `workload` by name; empty: the base's own
  void expect_what_runs_give(const std::map<std::string, std::string>& workloads,
                             size_t expected_points) const;

  ScratchDirectory scratch_;
};

}  // namespace strobe::e2e
