// How a sweep continues after its process was killed, and how it treats damaged files.
#include <optional>

#include "tests/unit/explore/executor_sweep.h"

namespace strobe::explore {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST_F(Executors, ARunWithoutItsEndFileIsWhatItsResultSays) {
  const std::vector<std::pair<std::string, std::string>> ends = {
      {"exited", "done: "},
      {"failed", "failed: exit code 3: it went wrong"},
      {"deadlock", "failed: exit code 3: it went wrong"},
      {"limit", "timeout: exit code 4: it went wrong"}};
  for (const auto& [end, expected] : ends) {
    fs::remove_all(folder_.root);
    fs::create_directories(folder_.root);
    runs_.end = end;
    EXPECT_EQ(sweep(), 1);
    EXPECT_EQ(state(), expected);
    forget_end();
    EXPECT_EQ(sweep(), 0);
    EXPECT_EQ(state(), expected) << "after a kill";
    EXPECT_THAT(warnings_, IsEmpty());
    EXPECT_EQ(jobs(".end.json").size(), 1u);
  }
}

TEST_F(Executors, ARunWithoutItsEndFileAndWithoutAResultIsMadeAgain) {
  sweep();
  fs::remove_all(folder_.root / "runs");
  forget_end();
  EXPECT_EQ(sweep(), 1);
  EXPECT_EQ(state(), "done: ");
}

TEST_F(Executors, OfTwoAnswersToAPointTheOneThatIsDoneCounts) {
  runs_.end = "failed";
  sweep();
  write_sweep("rate: [16, 32]", "a.elf");  // another run answers the same point
  runs_.end = "exited";
  sweep(/*retry_failed=*/true);
  forget_database();
  EXPECT_EQ(sweep(), 0);
  EXPECT_EQ(store_->database().integer("SELECT count(*) FROM point WHERE status = 'done'"), 2);
}

TEST_F(Executors, ADamagedJobFileIsNamedAndItsRunIsMadeAgain) {
  sweep();
  const fs::path job = jobs(".json").at(0);
  const std::string whole = text_of(job);
  json other = json::parse(whole);
  other["points"][0]["profilers"] = {1};
  for (const std::string& text :
       {whole.substr(0, whole.size() / 2), std::string("[1, 2]"), std::string("no JSON"),
        std::string(), std::string("{}"), std::string(R"({"id": 7, "points": "none"})"),
        std::string("\xff\xfe\x00", 3), other.dump()}) {
    forget_database();
    write(job, text);
    EXPECT_EQ(sweep(), 1) << text;
    EXPECT_EQ(state(), "done: ");
    EXPECT_THAT(warnings_, ElementsAre(AllOf(HasSubstr(job.string() + " is damaged"),
                                             HasSubstr("its run is repeated"))))
        << text;
    EXPECT_EQ(text_of(job), whole);
  }
}

TEST_F(Executors, OfADamagedEndFileTheResultSaysHowItEnded) {
  runs_.end = "limit";
  sweep();
  const fs::path end = jobs(".end.json").at(0);
  json other = json::parse(text_of(end));
  other["status"] = "done";
  for (const std::string& text : {std::string("{\"status\""), std::string("{}"), other.dump()}) {
    forget_database();
    write(end, text);
    EXPECT_EQ(sweep(), 0);
    EXPECT_EQ(state(), "timeout: exit code 4: it went wrong");
    EXPECT_THAT(warnings_, ElementsAre(HasSubstr(end.string() + " is damaged"))) << text;
  }
}

TEST_F(Executors, AResultOfWhichABitChangedIsNamedAndMadeAgain) {
  sweep();
  for (const char* name : {"result.json", "manifest.json"}) {
    for (const bool ended : {true, false}) {
      ended ? forget_database() : forget_end();
      std::string text = text_of(result(name));
      text[text.find(name[0] == 'r' ? "7" : "files")] ^= 1;
      write(result(name), text);
      EXPECT_EQ(sweep(), 1);
      EXPECT_EQ(state(), "done: ");
      EXPECT_THAT(warnings_, ElementsAre(AllOf(HasSubstr(std::string(name) + " is damaged"),
                                               HasSubstr("its run is repeated"))));
    }
  }
}

TEST_F(Executors, ARunThatLeavesADamagedResultHasFailed) {
  runs_.after = [this] { write(result("result.json"), "{}"); };
  sweep();
  EXPECT_THAT(state(), AllOf(HasSubstr("failed: "), HasSubstr("result.json is damaged: expected "
                                                              "SHA-256 ")));
}

TEST_F(Executors, ADamagedDatabaseIsPutAsideAndMadeFromTheRuns) {
  sweep();
  store_.reset();
  const std::string whole = text_of(folder_.database());
  std::string torn = whole;
  for (size_t i = 5000; i < torn.size(); i += 7) torn[i] = '\xa5';
  for (const std::string& text : {torn, whole.substr(0, 5000), "no database" + whole}) {
    write(folder_.database(), text);
    EXPECT_EQ(sweep(), 0);
    EXPECT_EQ(state(), "done: ");
    EXPECT_THAT(store_->put_aside(), HasSubstr(folder_.database().string() + ".damaged"));
    store_.reset();
    EXPECT_EQ(text_of(folder_.database().string() + ".damaged"), text);
  }
}

TEST_F(Executors, TheFirstOfManyRunsStartsBeforeTheOthersArePrepared) {
  write_sweep("rate: [16]", "a.elf");
  scratch_.write("sweep.yaml",
                 "base: base.yaml\ngrid: { max_instructions: { linear: [1000, 1299, 1] } }\n");
  std::optional<size_t> prepared;
  runs_.before = [&] {
    if (!prepared) prepared = jobs(".yaml").size();
  };
  EXPECT_EQ(sweep(), 300);
  EXPECT_EQ(prepared, 1u);
  EXPECT_EQ(points(), 300);
}

TEST_F(Executors, PointsHaveTheIdsOfTheirPlacesInThePlan) {
  scratch_.write("sweep.yaml",
                 "base: base.yaml\ngrid: { max_instructions: { linear: [1000, 1004, 1] } }\n");
  sweep();
  const auto ids = [this] {
    std::string text;
    Statement found(store_->database(),
                    "SELECT p.id, d.id, d.label FROM point p JOIN design d ON d.id = p.design "
                    "ORDER BY p.id");
    while (found.step()) text += found.text(0) + found.text(1) + " " + found.text(2) + "\n";
    return text;
  };
  const std::string planned = ids();
  EXPECT_THAT(planned, testing::StartsWith("11 max_instructions=1000\n22 max_instructions=1001\n"));
  // What an earlier process left is taken in another order.
  forget_database();
  EXPECT_EQ(sweep(), 0);
  EXPECT_EQ(ids(), planned);
}

}  // namespace
}  // namespace strobe::explore
