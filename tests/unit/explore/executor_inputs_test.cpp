// What a sweep does when a file that its runs read is not the one that was planned.
#include "tests/unit/explore/executor_sweep.h"

namespace strobe::explore {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

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

}  // namespace
}  // namespace strobe::explore
