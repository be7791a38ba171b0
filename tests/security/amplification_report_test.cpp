// The worst databases up to the limits of the reader of sweeps.
#include <gtest/gtest.h>

#include <filesystem>

#include "sw/explore/store/database.h"
#include "sw/explore/store/schema.h"
#include "sw/report/sweep_data.h"
#include "tests/security/amplification.h"
#include "tests/unit/config/scratch.h"

namespace strobe::security {
namespace {

/// The database of a sweep with one objective, and what `statements` add to it.
class AmplificationOfSweeps : public testing::Test {
 protected:
  void expect_cheap_sweep(const std::string& what, const std::string& statements,
                          const std::string& sentence) {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
    {
      explore::Database database((folder_ / "sweep.sqlite").string());
      database.run("BEGIN");
      database.run(explore::kSchema);
      database.run(
          "INSERT INTO sweep VALUES ('s', '', '', 'grid', '', NULL, 0, 0); "
          "INSERT INTO objective VALUES (0, 'o', 'min'); INSERT INTO design VALUES (0, 'd', 1, 1); "
          "INSERT INTO run (id, kind, status, command) VALUES ('r', 'run', 'done', ''); "
          "INSERT INTO point VALUES (0, 'k', 0, 'w', 1, NULL, 'r', 'done', NULL)");
      database.run(version_statement());
      database.run(statements);
      database.run("COMMIT");
    }
    expect_cheap(
        "sweep.sqlite with " + what,
        [this] {
          try {
            report::read_sweep(folder_, 1'000'000);
            return std::string();
          } catch (const std::runtime_error& error) {
            return std::string(error.what());
          }
        },
        sentence);
  }

  /// A table of the numbers below `count`, for an INSERT.
  static std::string numbers(uint64_t count) {
    return "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < " +
           std::to_string(count) + ") ";
  }

 private:
  static std::string version_statement() {
    return "PRAGMA user_version = " + std::to_string(explore::kDatabaseVersion);
  }

  config::Scratch scratch_;
  const std::filesystem::path folder_ = scratch_.file("sweep");
};

TEST_F(AmplificationOfSweeps, ManyRows) {
  const std::string values = "is too large: expected at most 7500000 values";
  expect_cheap_sweep("designs",
                     numbers(90'000) + "INSERT INTO design SELECT i, 'design', 1, 1 FROM n;" +
                         numbers(90'000) +
                         "INSERT INTO point SELECT i, i, i, 'w', 1, NULL, 'r', 'done', NULL FROM n",
                     "");
  expect_cheap_sweep("designs and axes",
                     numbers(20'000) + "INSERT INTO design SELECT i, 'design', 1, 1 FROM n;" +
                         numbers(20'000) +
                         "INSERT INTO point SELECT i, i, i, 'w', 1, NULL, 'r', 'done', NULL FROM "
                         "n;" +
                         numbers(1000) + "INSERT INTO axis SELECT i, i, 'text', '', '' FROM n",
                     values);
  expect_cheap_sweep(
      "counters", numbers(980'000) + "INSERT INTO counter SELECT 'r', 'core.cpi.' || i, 1 FROM n",
      "");
  expect_cheap_sweep("areas",
                     numbers(1'000'000) +
                         "INSERT INTO metric_key SELECT i, 'profilers.' || i || "
                         "'.synthesis.logic_area' FROM n; INSERT INTO metric SELECT 0, id, 1 FROM "
                         "metric_key",
                     "");
  expect_cheap_sweep(
      "progress",
      numbers(980'000) + "INSERT INTO progress SELECT 0, i % 1000, i, 0, 0, 0, 0, 0 FROM n", "");
  expect_cheap_sweep(
      "too much progress",
      numbers(1'600'000) + "INSERT INTO progress SELECT 0, i % 1000, i, 0, 0, 0, 0, 0 FROM n",
      values);
}

TEST_F(AmplificationOfSweeps, LongTexts) {
  expect_cheap_sweep("long texts",
                     numbers(10'000) +
                         "INSERT INTO limitation SELECT i, printf('%.*c', 1000000, "
                         "'x') FROM n WHERE i < 150",
                     "is too large: expected at most 7500000 values");
  expect_cheap_sweep("a longer text",
                     "INSERT INTO limitation VALUES (0, printf('%.*c', 100000000, 'x'))",
                     "string or blob too big");
}

TEST_F(AmplificationOfSweeps, ViewsInPlaceOfTables) {
  expect_cheap_sweep("a view without end",
                     "DROP TABLE limitation; CREATE VIEW limitation AS WITH RECURSIVE n (i) AS "
                     "(SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT 1 AS id, 'x' AS expression "
                     "FROM n WHERE i < 0",
                     "is too large: expected at most 100000000 steps of SQLite's machine");
}

}  // namespace
}  // namespace strobe::security
