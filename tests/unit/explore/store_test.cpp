// The contents of a sweep's database, and how it is opened.
#include "sw/explore/store/store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "tests/unit/config/scratch.h"

namespace strobe::explore {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

class Stores : public testing::Test {
 protected:
  Stores() { std::filesystem::create_directories(folder_.root); }

  static StoreHeader header(const std::string& constraint = "cycles < 1000") {
    StoreHeader header;
    header.name = "s";
    header.file = "base: x";
    header.axes = {{"core.rob", "instructions", "Reorder buffer.", true}};
    header.objectives = {{"ipc", true, {}}, {"profilers.0.storage_bits", false, {}}};
    std::string error;
    Condition condition;
    EXPECT_TRUE(Expression::parse(constraint, &condition.expression, &error)) << error;
    header.constraints.push_back(condition);
    return header;
  }
  /// A run of one point with this IPC, cycles and storage.
  RunRecord run(const std::string& id, int rob, double ipc, int cycles, int bits) {
    RunRecord record;
    record.id = id;
    record.command = {"strobe", "run"};
    PointRecord& point = record.points.emplace_back();
    point.key = "key-" + id;
    point.label = "core.rob=" + std::to_string(rob);
    point.workload = "lz-" + id;
    point.seed = 1;
    point.settings = {rob};
    point.observed = {{0}, {"mine"}};
    const json result = {{"ipc", ipc},
                         {"cycles", cycles},
                         {"error", nullptr},
                         {"counters", {{"core.cpi.base", 7}}},
                         {"profilers", {{{"name", "o0"}, {"storage_bits", bits}}}}};
    write_whole(folder_.run(id) / "result.json", result.dump());
    return record;
  }
  static void add(Store& store, const RunRecord& record, const RunEnd& end = {}) {
    store.begin();
    store.add(record, end);
    store.commit();
  }

  config::Scratch scratch_;
  Folder folder_{scratch_.file("sweep")};
};

TEST_F(Stores, AveragesADesignAndPutsItOnTheFront) {
  Store store(folder_, header());
  add(store, run("a", 96, 1.0, 500, 64));
  add(store, run("b", 96, 2.0, 700, 64));
  add(store, run("c", 128, 1.2, 600, 64));
  add(store, run("d", 160, 9.0, 2000, 64));
  store.rate();
  Database& d = store.database();
  EXPECT_EQ(d.integer("SELECT count(*) FROM front"), 1);
  EXPECT_EQ(d.integer("SELECT \"core.rob\" FROM front"), 96);
  EXPECT_EQ(d.integer("SELECT 10 * ipc FROM summary WHERE \"core.rob\" = 96"), 15);
  EXPECT_EQ(d.integer("SELECT points FROM summary WHERE \"core.rob\" = 96"), 2);
  EXPECT_EQ(d.integer("SELECT feasible FROM summary WHERE \"core.rob\" = 160"), 0);
  EXPECT_EQ(d.integer("SELECT count(*) FROM result"), 4);
  EXPECT_EQ(d.integer("SELECT cycles FROM cpi_stack WHERE class = 'base' LIMIT 1"), 7);
  EXPECT_EQ(d.integer("SELECT mean FROM design_metric WHERE design = 1 AND key = 'cycles'"), 600);
}

TEST_F(Stores, APointHasItsProfilersUnderItsNames) {
  Store store(folder_, header());
  add(store, run("a", 96, 1.0, 500, 64));
  Statement point(store.database(), "SELECT profilers FROM point");
  ASSERT_TRUE(point.step());
  EXPECT_EQ(json::parse(point.text(0))[0]["name"], "mine");
}

TEST_F(Stores, AnAnswerReplacesTheFailureBeforeIt) {
  Store store(folder_, header());
  RunEnd failed;
  failed.status = "timeout";
  failed.reason = "it took long";
  add(store, run("a", 96, 1.0, 500, 64), failed);
  EXPECT_EQ(store.points().at("key-a"), "timeout");
  EXPECT_EQ(store.database().integer("SELECT count(*) FROM failure"), 1);
  add(store, run("a", 96, 1.0, 500, 64));
  EXPECT_EQ(store.points().at("key-a"), "done");
  EXPECT_EQ(store.database().integer("SELECT count(*) FROM failure"), 0);
  EXPECT_EQ(store.database().integer("SELECT count(*) FROM point"), 1);
}

TEST_F(Stores, AResultWithoutTheProfilerIsAFailure) {
  Store store(folder_, header());
  RunRecord record = run("a", 96, 1.0, 500, 64);
  record.points[0].observed.profilers = {3};
  add(store, record);
  EXPECT_EQ(store.points().at("key-a"), "failed");
}

TEST_F(Stores, AResultThatIsNoneIsNamed) {
  Store store(folder_, header());
  const RunRecord record = run("a", 96, 1.0, 500, 64);
  const std::filesystem::path file = folder_.run("a") / "result.json";
  json no_counters = read_json(file), text_for_counters = no_counters;
  no_counters.erase("counters");
  text_for_counters["counters"] = "none";
  for (const std::string& text : {std::string("{}"), std::string("[1]"), std::string("{\"half\":"),
                                  no_counters.dump(), text_for_counters.dump()}) {
    write_whole(file, text);
    store.begin();
    const RunEnd end = store.add(record, {});
    store.commit();
    EXPECT_EQ(end.status, "failed") << text;
    EXPECT_THAT(end.reason, HasSubstr(file.string() + " is damaged: ")) << text;
    EXPECT_THAT(end.reason, Not(HasSubstr("json.exception.out_of_range"))) << text;
  }
}

TEST_F(Stores, ProgressBelongsToAProfilerWhateverItsName) {
  RunRecord record = run("a", 96, 1.0, 500, 64);
  json result = read_json(folder_.run("a") / "result.json");
  result["profilers"][0]["name"] = "one, \"two\"";
  write_whole(folder_.run("a") / "result.json", result.dump());
  write_whole(folder_.run("a") / "progress.csv",
              "header\n\"one, \"\"two\"\"\",100,10,1,,0.5,0,0\n");
  Store store(folder_, header());
  add(store, record);
  EXPECT_EQ(store.database().integer("SELECT events FROM progress"), 100);
}

TEST_F(Stores, IsOpenedAgainForTheSameFileAndMadeAnewForAnother) {
  {
    Store store(folder_, header());
    add(store, run("a", 96, 1.0, 500, 64));
  }
  EXPECT_EQ(Store(folder_, header()).points().size(), 1u);
  StoreHeader other = header();
  other.file = "base: y";
  EXPECT_EQ(Store(folder_, other).points().size(), 0u);
}

TEST_F(Stores, SeedsAreExactAlsoFromHalfOfTheirRangeOn) {
  Store store(folder_, header());
  const std::vector<uint64_t> seeds = {3, INT64_MAX, uint64_t{1} << 63, UINT64_MAX, 10};
  for (const uint64_t seed : seeds) {
    RunRecord record = run(std::to_string(seed), 96, 1.0, 500, 64);
    record.points[0].workload = "lz";
    record.points[0].seed = seed;
    add(store, record);
  }
  EXPECT_EQ(store.database().integer("SELECT count(*) FROM point WHERE seed < 0"), 0);
  EXPECT_EQ(
      store.database().integer("SELECT count(*) FROM point WHERE seed = '9223372036854775808'"), 1);
  store.write_exports();
  const std::vector<std::string> expected = {"3", "10", "9223372036854775807",
                                             "9223372036854775808", "18446744073709551615"};
  std::ifstream csv(folder_.root / "points.csv"), lines(folder_.root / "points.jsonl");
  std::string line;
  std::getline(csv, line);
  for (const std::string& seed : expected) {
    std::getline(csv, line);
    EXPECT_THAT(line, HasSubstr(",lz," + seed + ",done,"));
    std::getline(lines, line);
    EXPECT_EQ(json::parse(line)["seed"].get<uint64_t>(), std::stoull(seed));
  }
}

TEST_F(Stores, ExportsALineAPoint) {
  Store store(folder_, header());
  RunRecord record = run("a", 96, 1.0, 500, 64);
  record.points[0].workload = "with, comma and \"quotes\"";
  add(store, record);
  store.write_exports();
  std::ifstream csv(folder_.root / "points.csv");
  std::string names, line;
  std::getline(csv, names);
  std::getline(csv, line);
  EXPECT_EQ(names,
            "point,design,workload,seed,status,run,core.rob,cycles,ipc,profilers.0.storage_bits");
  EXPECT_EQ(line, "1,1,\"with, comma and \"\"quotes\"\"\",1,done,a,96,500,1,64");
  std::ifstream lines(folder_.root / "points.jsonl");
  std::getline(lines, line);
  EXPECT_EQ(json::parse(line)["core.rob"], 96);
}

}  // namespace
}  // namespace strobe::explore
