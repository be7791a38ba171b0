// How a sweep continues after its process was killed, and how it treats damaged files and replaced
// inputs. A double makes the runs and leaves the files that `strobe run` leaves.
#include "sw/explore/launch/executor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <memory>

#include "sw/explore/launch/left_behind.h"
#include "sw/explore/search/search.h"
#include "sw/files/checksums.h"
#include "tests/unit/config/scratch.h"

namespace strobe::explore {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// Leaves a result as `strobe run` does.
class Runs final : public Launcher {
 public:
  explicit Runs(Folder folder) : folder_(std::move(folder)) {}

  void run(const std::vector<Launch>& launches, const OnEnd& on_end,
           const std::atomic<int>& /*stop*/) override {
    for (const Launch& launch : launches) {
      ++count;
      before();
      if (launch.command[1] == "synth") {
        const json cells = {{"logic_um2", area},
                            {"flip_flop_um2", 0},
                            {"memory_um2", 0},
                            {"gate_um2", 1},
                            {"period_ns", 2}};
        const json block = {{"cells", cells}};
        const json report = {{"inputs", synthesis_inputs}, {"blocks", json::array({block})}};
        write_whole(launch.output, report.dump());
        on_end(launch, {});
        continue;
      }
      write_whole(launch.log, "strobe: error: it went wrong\n");
      json manifest = {{"stdin", nullptr}, {"productions", json::array()}, {"rtl", rtl}};
      for (const auto& [key, file] : inputs) manifest[key] = identity_of(file);
      write_whole(folder_.run(launch.id) / "result.json",
                  json{{"end", end},
                       {"counters", json::object()},
                       {"cycles", 7},
                       {"profilers",
                        {{{"name", "s"}, {"conserved", true}},
                         {{"name", "of another point"}, {"conserved", true}}}}}
                      .dump());
      write_whole(folder_.run(launch.id) / "config.yaml",
                  config::load_run_config(launch.command[2], {}).portable);
      manifest["files"] = files::checksums_of(folder_.run(launch.id));
      write_whole(folder_.run(launch.id) / "manifest.json", manifest.dump());
      const int code = end == "exited" ? 0 : end == "limit" ? 4 : 3;
      after();
      on_end(launch, end_of(code, 0, launch.log));
    }
  }

  int count = 0;
  std::map<std::string, fs::path> inputs;  // by key of the manifest
  std::function<void()> before = [] {}, after = [] {};
  json synthesis_inputs;  // the files that a synthesis reports as read
  json rtl;               // the RTL that a run reports as simulated
  int area = 100;
  std::string end = "exited";  // the next runs', as result.json names it

 private:
  Folder folder_;
};

class Executors : public testing::Test {
 protected:
  Executors() {
    scratch_.write("a.elf", "the program");
    scratch_.write("firmware.elf", "the firmware");
    scratch_.write("strobe", "the simulator");
    runs_.inputs = {{"strobe", scratch_.file("strobe")},
                    {"elf", scratch_.file("a.elf")},
                    {"firmware", scratch_.file("firmware.elf")}};
    fs::create_directories(folder_.root);
    write_sweep("rate: [16]", "a.elf");
  }

  void write_sweep(const std::string& axis, const std::string& elf) {
    scratch_.write("base.yaml", "mode: functional\nworkload: { elf: " + elf +
                                    " }\nprofilers: [{ name: s, rate: 8 }]\n");
    sweep_ = scratch_.write("sweep.yaml", "base: base.yaml\ngrid: { profilers.0." + axis + " }\n");
  }
  /// The sweep from a new process. @return how many runs it made
  int sweep(bool retry_failed = false) {
    text::Diagnostics faults;
    const auto space = Space::make(read_sweep_file(sweep_, &faults), &faults);
    EXPECT_TRUE(space && faults.empty()) << text::to_text(faults);
    StoreHeader header;
    header.file = "the same";
    store_.reset();
    store_ = std::make_unique<Store>(folder_, header);
    Environment environment;
    environment.strobe = scratch_.file("strobe");
    environment.firmware = scratch_.file("firmware.elf");
    environment.rtl = [this](const config::RunConfig&) { return rtl_; };
    environment.rtl_build = [](const config::RunConfig&) { return std::string(); };
    ExecutorOptions options;
    options.retry_failed = retry_failed;
    options.warn = [this](const std::string& text) { warnings_.push_back(text); };
    warnings_.clear();
    environment.synthesis_inputs = synthesis_inputs_;
    environment.block = [](const config::RunConfig&, size_t) { return std::string("block"); };
    const std::atomic<int> stop{0};
    Executor executor(*space, folder_, *store_, runs_, environment, options, stop);
    const int before = runs_.count;
    std::vector<std::vector<uint64_t>> steps = {first_designs(*space)};
    if (one_by_one_) {
      steps.clear();
      for (const uint64_t design : first_designs(*space)) steps.push_back({design});
    }
    for (const std::vector<uint64_t>& designs : steps) {
      executor.evaluate(designs, std::nullopt, false);
    }
    return runs_.count - before;
  }
  std::string state() {
    Statement point(store_->database(),
                    "SELECT p.status, r.reason FROM point p JOIN run r ON r.id = p.run");
    return point.step() ? point.text(0) + ": " + point.text(1) : "no point";
  }
  std::string failure() {
    Statement found(store_->database(), "SELECT reason FROM failure");
    return found.step() ? found.text(0) : "none";
  }
  int64_t points() { return store_->database().integer("SELECT count(*) FROM point"); }
  /// As a process leaves the folder that was killed between the run's end and the database.
  void forget_end() {
    store_.reset();
    fs::remove(folder_.database());
    for (const fs::path& file : jobs(".end.json")) fs::remove(file);
  }
  void forget_database() {
    store_.reset();
    fs::remove(folder_.database());
  }
  std::vector<fs::path> jobs(const std::string& ending) const {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder_.jobs())) {
      const std::string name = entry.path().filename().string();
      const size_t dot = name.find('.');
      if (dot != std::string::npos && name.substr(dot) == ending) files.push_back(entry.path());
    }
    return files;
  }
  fs::path result(const std::string& name) const {
    for (const auto& entry : fs::directory_iterator(folder_.root / "runs")) {
      return entry.path() / name;
    }
    return {};
  }
  static std::string text_of(const fs::path& file) {
    std::ifstream stream(file);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  static void write(const fs::path& file, const std::string& text) { std::ofstream(file) << text; }

  config::Scratch scratch_;
  Folder folder_{scratch_.file("sweep")};
  Runs runs_{folder_};
  json synthesis_inputs_, rtl_;  // planned
  bool one_by_one_ = false;      // the designs are evaluated one after another, as a search does
  std::vector<std::string> warnings_;
  std::unique_ptr<Store> store_;
  std::string sweep_;
};

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

TEST_F(Executors, AProgramReplacedDuringTheSweepIsNotStoredUnderThePlannedOne) {
  runs_.before = [this] { write(scratch_.file("a.elf"), "another program"); };
  runs_.after = [this] { write(scratch_.file("a.elf"), "the program"); };
  EXPECT_EQ(sweep(), 1);
  EXPECT_THAT(state(), AllOf(HasSubstr("failed: the program a.elf was replaced during the sweep: "
                                       "the plan has SHA-256 "),
                             HasSubstr(".., the run loaded "),
                             HasSubstr("; start the sweep again with --retry-failed")));
  // It was put back. What was left, an end file or only the other program's result, is no answer.
  runs_.before = runs_.after = [] {};
  forget_end();
  EXPECT_EQ(sweep(), 1);
  EXPECT_EQ(state(), "done: ");
  EXPECT_THAT(warnings_, ElementsAre(AllOf(HasSubstr("the program a.elf was replaced"),
                                           HasSubstr("its run is repeated"))));
}

TEST_F(Executors, ASimulatorThatIsBuiltAnewDuringTheSweepIsNoticed) {
  runs_.before = [this] { write(scratch_.file("strobe"), "another build"); };
  EXPECT_EQ(sweep(), 1);
  EXPECT_THAT(state(), HasSubstr("failed: the simulator strobe was replaced during the sweep: "));
}

TEST_F(Executors, RtlReplacedDuringTheSweepIsNotStoredUnderThePlannedOne) {
  const json old_rtl = {{"sha256", "0123"}};
  rtl_ = old_rtl;
  runs_.rtl = {{"sha256", "4567"}};
  EXPECT_EQ(sweep(), 1);
  EXPECT_THAT(state(), HasSubstr("failed: the RTL was replaced during the sweep: the plan has "
                                 "SHA-256 0123.., the run loaded 4567.."));
  // It was put back. What the other RTL left is no answer.
  runs_.rtl = old_rtl;
  forget_end();
  EXPECT_EQ(sweep(), 1);
  EXPECT_EQ(state(), "done: ");
  EXPECT_THAT(warnings_, ElementsAre(AllOf(HasSubstr("the RTL was replaced"),
                                           HasSubstr("its run is repeated"))));
  rtl_ = runs_.rtl = json();
  EXPECT_EQ(sweep(), 1) << "other RTL is another key";
}

TEST_F(Executors, ARunFileThatIsEditedDuringTheSweepIsNoticed) {
  runs_.before = [this] {
    const fs::path file = jobs(".yaml").at(0);
    const std::string planned = text_of(file);
    const size_t rate = planned.find("rate: 16");
    ASSERT_NE(rate, std::string::npos);
    write(file, std::string(planned).replace(rate, 8, "rate: 32"));
  };
  EXPECT_EQ(sweep(), 1);
  const std::string file = jobs(".yaml").at(0).string();
  EXPECT_THAT(state(), HasSubstr("failed: " + file + " was edited during the sweep: "));
  runs_.before = [] {};
  forget_end();
  EXPECT_EQ(sweep(), 1);
  EXPECT_EQ(state(), "done: ");
  EXPECT_THAT(warnings_, ElementsAre(AllOf(HasSubstr(file + " was edited during the sweep"),
                                           HasSubstr("its run is repeated"))));
}

TEST_F(Executors, AnIncludeThatIsReplacedDuringTheSweepIsTheOneThatWasPlanned) {
  const auto write_core = [this](const std::string& rob) {
    scratch_.write("core.yaml", "rob: " + rob + "\n");
  };
  write_sweep("rate: [16, 32]", "a.elf");
  scratch_.write("base.yaml",
                 "core: { include: core.yaml }\n" + text_of(scratch_.file("base.yaml")));
  write_core("128");
  one_by_one_ = true;
  runs_.before = [&] { write_core("192"); };  // between the first run and the second
  EXPECT_EQ(sweep(), 2);
  EXPECT_EQ(state(), "done: ");
  for (const fs::path& file : jobs(".yaml")) {
    EXPECT_THAT(text_of(file), HasSubstr("rob: 128 ")) << file;
  }
  runs_.before = [] {};
  EXPECT_EQ(sweep(), 2) << "the new one is another key";
  write_core("128");
  EXPECT_EQ(sweep(), 0);
}

TEST_F(Executors, EveryFileThatARunReadsIsPartOfTheKey) {
  scratch_.write("in.txt", "one");
  const std::string with_stdin = "a.elf, stdin: in.txt";
  write_sweep("rate: [16]", with_stdin);
  runs_.inputs["stdin"] = scratch_.file("in.txt");
  EXPECT_EQ(sweep(), 1);
  EXPECT_EQ(sweep(), 0);
  EXPECT_EQ(state(), "done: ");
  scratch_.write("in.txt", "two");
  EXPECT_EQ(sweep(), 1);
  scratch_.write("firmware.elf", "another firmware");
  EXPECT_EQ(sweep(), 1);
  scratch_.write("a.elf", "another program");
  EXPECT_EQ(sweep(), 1);
  EXPECT_EQ(state(), "done: ");
}

TEST_F(Executors, AFileThatOnlyAnAxisNamesIsPartOfTheKey) {
  sweep_ = scratch_.write("axis.yaml", "base: base.yaml\ngrid: { workload.stdin: [in.txt] }\n");
  scratch_.write("in.txt", "one");
  runs_.inputs["stdin"] = scratch_.file("in.txt");
  EXPECT_EQ(sweep(), 1);
  EXPECT_EQ(state(), "done: ");
  EXPECT_EQ(sweep(), 0);
  scratch_.write("in.txt", "two");
  EXPECT_EQ(sweep(), 1);
  EXPECT_EQ(state(), "done: ");
}

TEST_F(Executors, FiguresOfSynthesisAreOfTheLibraryThatWasPlanned) {
  const json old_library = {{"library", {{"name", "osu.lib"}, {"sha256", "0123"}}}};
  const json new_library = {{"library", {{"name", "osu.lib"}, {"sha256", "4567"}}}};
  sweep_ = scratch_.write("synth.yaml",
                          "base: base.yaml\ngrid: { profilers.0.rate: [16] }\nobjectives: [{ min: "
                          "profilers.0.synthesis.area }]\n");
  const auto area = [this] {
    Statement metric(store_->database(),
                     "SELECT m.value FROM metric m JOIN metric_key k ON k.id = m.key WHERE k.key = "
                     "'profilers.0.synthesis.area'");
    return metric.step() ? metric.integer(0) : -1;
  };
  synthesis_inputs_ = runs_.synthesis_inputs = old_library;
  EXPECT_EQ(sweep(), 2);
  EXPECT_EQ(area(), 100);
  EXPECT_EQ(sweep(), 0);
  synthesis_inputs_ = new_library;  // and put back before it is read
  EXPECT_EQ(sweep(), 1);
  EXPECT_EQ(area(), -1) << "neither the old figure nor the other library's";
  EXPECT_THAT(failure(), HasSubstr("the cell library osu.lib was replaced during the sweep: the "
                                   "plan has SHA-256 4567.., the run loaded 0123.."));
  runs_.synthesis_inputs = new_library;
  runs_.area = 120;
  EXPECT_EQ(sweep(), 1);
  EXPECT_EQ(area(), 120);
}

TEST_F(Executors, TheAnswersOfAnotherProgramAreForgottenAndComeBackWithIt) {
  sweep();
  scratch_.write("a.elf", "another program");
  EXPECT_EQ(sweep(), 1);
  EXPECT_EQ(points(), 1) << "no mean over two programs";
  scratch_.write("a.elf", "the program");
  EXPECT_EQ(sweep(), 0) << testing::PrintToString(warnings_);
  store_->rate();
  EXPECT_EQ(store_->database().integer("SELECT count(*) FROM run"), 1);
  scratch_.write("a.elf", "another program");
  EXPECT_EQ(sweep(), 0) << testing::PrintToString(warnings_);
  EXPECT_EQ(state(), "done: ");
  EXPECT_EQ(points(), 1);
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

}  // namespace
}  // namespace strobe::explore
