// Is the timeline of a run true, and is its export what trace viewers take?
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "sw/files/run_tool.h"
#include "tests/e2e/process/strobe_process.h"
#include "tests/tree.h"

namespace strobe::e2e {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;

constexpr const char* kWhole = "{ timeline: timeline.csv, to: 1000000000 }";

class Timeline : public testing::Test {
 protected:
  /// lz on a profiler whose small buffer raises many interrupts and whose small queue drops tuples.
  ProcessResult run(const std::string& name, const std::string& trace,
                    const std::vector<std::string>& more = {}) const {
    const std::string text =
        "core: { include: " + in_source("configs/cores/hps2005.yaml") + " }\n" +
        "workload: { elf: " + workload("lz") +
        ", args: [tiny], roi: { run: 100000 } }\n"
        "profilers: [{ name: strat, kind: stratified, active: true, fidelity: model, rate: 16, "
        "strata: 16, counter_width: 6, queue_depth: 8, buffer_depth: 4, watermark: 2, "
        "selectors: [{ profile: edge }] }]\n"
        "baseline: false\n"
        "trace: " +
        trace + "\n";
    std::vector<std::string> args = {"run", scratch_.write("run.yaml", text).string(), "--out",
                                     out(name).string(), "--quiet"};
    args.insert(args.end(), more.begin(), more.end());
    return strobe(args);
  }
  fs::path out(const std::string& name) const { return scratch_.path() / name; }
  json result_of(const std::string& name) const { return read_json(out(name) / "result.json"); }

  /// The trace events of a run's export.
  json events_of(const std::string& name) const {
    const std::string file = exported(name);
    return read_json(file).at("traceEvents");
  }
  std::string exported(const std::string& name) const {
    const std::string file = (scratch_.path() / (name + ".json")).string();
    const ProcessResult process =
        strobe({"export", out(name).string(), "--format", "perfetto", "--output", file});
    EXPECT_EQ(process.exit_code, 0) << process.err;
    return file;
  }
  std::vector<std::string> lines_of(const std::string& name) const {
    std::istringstream text(read_file(out(name) / "timeline.csv"));
    std::vector<std::string> lines;
    for (std::string line; std::getline(text, line);) lines.push_back(line);
    return lines;
  }

  ScratchDirectory scratch_;
};

/// Cycles of the slices with a name, and what the CPI stack says of them.
struct Sum {
  uint64_t slices = 0, cycles = 0, charged = 0;
};

std::map<std::string, Sum> sums_of(const json& events) {
  std::map<std::string, Sum> sums;
  for (const json& event : events) {
    if (event.at("ph") != "X") continue;
    Sum& sum = sums[event.at("name")];
    ++sum.slices;
    sum.cycles += event.at("args").at("cycles").get<uint64_t>();
    sum.charged += event.at("args").value("charged", uint64_t{0});
  }
  return sums;
}

uint64_t count_of(const json& events, const std::string& name) {
  return static_cast<uint64_t>(std::count_if(
      events.begin(), events.end(), [&](const json& event) { return event.at("name") == name; }));
}

TEST_F(Timeline, SlicesAddUpToTheCpiStackAndInterruptsToThoseOfTheResult) {
  ASSERT_EQ(run("whole", kWhole).exit_code, 0);
  const json events = events_of("whole"), result = result_of("whole");
  const json& counters = result.at("counters");
  std::map<std::string, Sum> sums = sums_of(events);
  EXPECT_EQ(sums["drain"].charged + sums["entry"].charged, counters.at("core.cpi.interrupt_entry"));
  EXPECT_EQ(sums["handler"].cycles + sums["return"].charged, counters.at("core.cpi.handler"));
  EXPECT_EQ(sums["handler"].cycles, sums["handler"].charged);
  EXPECT_EQ(sums["entry"].cycles, sums["entry"].charged);
  const uint64_t taken = count_of(events, "taken");
  EXPECT_GT(taken, 100u);
  EXPECT_EQ(taken, counters.at("core.interrupts"));
  EXPECT_EQ(taken, result.at("profilers").at(0).at("interrupts"));
  EXPECT_EQ(taken, sums["handler"].slices);
  EXPECT_EQ(taken, sums["entry"].slices);
}

TEST_F(Timeline, SlicesOfATrackDoNotOverlapAndTimesDoNotGoBack) {
  ASSERT_EQ(run("whole", kWhole, {"--set", "interval=10000", "--set", "core.frequency_ghz=3.4"})
                .exit_code,
            0);
  std::map<int, std::pair<uint64_t, int64_t>> ends;  // by track: in cycles, and in nanoseconds
  std::map<int, double> sums_end;
  double last = 0;
  uint64_t slices = 0;
  for (const json& event : events_of("whole")) {
    if (event.at("ph") == "M") continue;
    EXPECT_GE(event.at("ts").get<double>(), last);
    last = event.at("ts");
    if (event.at("ph") == "X") {
      double& end = sums_end[event.at("tid").get<int>()];
      ASSERT_GE(last, end) << event;  // as speedscope adds them
      end = last + event.at("dur").get<double>();
    }
    if (event.at("ph") != "X") continue;
    auto& [cycle, time] = ends[event.at("tid").get<int>()];
    const uint64_t begin = event.at("args").at("cycle");
    // Perfetto takes whole nanoseconds.
    const auto begins = static_cast<int64_t>(event.at("ts").get<double>() * 1000);
    ASSERT_GE(begin, cycle) << event;
    ASSERT_GE(begins, time) << event;
    cycle = begin + event.at("args").at("cycles").get<uint64_t>();
    time = begins + static_cast<int64_t>(event.at("dur").get<double>() * 1000);
    ++slices;
  }
  EXPECT_EQ(ends.size(), 2u);
  EXPECT_GT(slices, 300u);
}

TEST_F(Timeline, FitsTheSchemaOfTraceEventsAndNamesWhatWasInterrupted) {
  ASSERT_EQ(run("whole", kWhole).exit_code, 0);
  const files::ToolResult tool =
      files::run_tool({"/usr/bin/python3", "-c",
                       "import json, jsonschema, sys\n"
                       "jsonschema.validate(*(json.load(open(name)) for name in sys.argv[1:]))",
                       exported("whole"), in_source("tests/e2e/answer/trace_events.schema.json")});
  EXPECT_EQ(tool.exit_code, 0) << tool.output;
  const json events = events_of("whole");
  EXPECT_EQ(events.at(0).at("args").at("name"), "lz.elf: simulated time, a cycle is 1 ns");
  const auto handler = std::find_if(events.begin(), events.end(), [](const json& event) {
    return event.at("name") == "handler" &&
           event.at("args").at("interrupted").get<std::string>().find("lz.c:") != std::string::npos;
  });
  ASSERT_NE(handler, events.end());
  const json& args = handler->at("args");
  EXPECT_EQ(args.at("source"), "profiler");
  EXPECT_THAT(args.at("interrupted").get<std::string>(), ContainsRegex("lz\\.c:[0-9]+"));
  EXPECT_THAT(args.at("interrupted_pc").get<std::string>(), ContainsRegex("^0x[0-9a-f]+$"));
  EXPECT_FALSE(args.at("handler").get<std::string>().empty());
}

TEST_F(Timeline, LevelsAndDropsAreThoseOfTheResult) {
  ASSERT_EQ(run("whole", kWhole).exit_code, 0);
  uint64_t messages = 0, tuples = 0, dropped = 0;
  for (const json& event : events_of("whole")) {
    if (event.at("ph") != "C") continue;
    const json& args = event.at("args");
    if (event.at("name") == "message buffer")
      messages = std::max<uint64_t>(messages, args.at("messages"));
    if (event.at("name") == "tuple queue") tuples = std::max<uint64_t>(tuples, args.at("tuples"));
    if (event.at("name") == "dropped") dropped = args.at("tuples");
  }
  const json profiler = result_of("whole").at("profilers").at(0);
  EXPECT_EQ(messages, profiler.at("high_water"));
  EXPECT_GT(dropped, 0u);
  EXPECT_EQ(dropped, profiler.at("dropped"));
  EXPECT_GT(tuples, 1u);
}

TEST_F(Timeline, ChangesNoOtherResultAndEqualRunsLeaveEqualFiles) {
  ASSERT_EQ(run("one", kWhole).exit_code, 0);
  ASSERT_EQ(run("two", kWhole).exit_code, 0);
  ASSERT_EQ(run("plain", "{}").exit_code, 0);
  EXPECT_EQ(lines_of("one"), lines_of("two"));
  json one = result_of("one"), plain = result_of("plain");
  EXPECT_EQ(one.at("trace").at("timeline").at("records"), lines_of("one").size() - 1);
  EXPECT_EQ(one.at("trace").at("timeline").at("left_out"), 0);
  one.erase("trace");
  plain.erase("trace");
  EXPECT_EQ(one, plain);
  EXPECT_FALSE(fs::exists(out("plain") / "timeline.csv"));
}

TEST_F(Timeline, OfAWindowHasTheRecordsOfThatWindow) {
  ASSERT_EQ(run("whole", kWhole).exit_code, 0);
  ASSERT_EQ(run("part", "{ timeline: timeline.csv, from: 50000, to: 90000 }").exit_code, 0);
  const std::vector<std::string> whole = lines_of("whole");
  const std::set<std::string> all(whole.begin(), whole.end());
  uint64_t same = 0, others = 0;
  for (const std::string& line : lines_of("part")) ++(all.count(line) != 0 ? same : others);
  EXPECT_GT(same, 50u);
  EXPECT_LE(others, 5u);  // what the window cuts, and the levels as it begins
  for (const json& event : events_of("part")) {
    if (event.at("ph") != "X") continue;
    const uint64_t begin = event.at("args").at("cycle");
    EXPECT_GE(begin, 50000u);
    EXPECT_LE(begin + event.at("args").at("cycles").get<uint64_t>(), 90000u);
  }
}

// The window begins in each part of an interrupt in turn.
TEST_F(Timeline, OfAWindowThatBeginsInAnInterruptHasTheRestOfIt) {
  ASSERT_EQ(run("whole", kWhole).exit_code, 0);
  const json whole = events_of("whole");
  const auto handler = std::find_if(whole.begin(), whole.end(), [](const json& event) {
    return event.at("name") == "handler" && event.at("args").at("cycles") > 100;
  });
  ASSERT_NE(handler, whole.end());
  const uint64_t begin = handler->at("args").at("cycle");
  const uint64_t end = begin + handler->at("args").at("cycles").get<uint64_t>();
  for (const uint64_t from : {begin - 5, begin + 50, end - 3, end + 2}) {
    ASSERT_EQ(run("rest" + std::to_string(from),
                  "{ timeline: timeline.csv, from: " + std::to_string(from) +
                      ", to: " + std::to_string(end + 20000) + " }")
                  .exit_code,
              0);
    for (const json& event : events_of("rest" + std::to_string(from))) {
      if (event.at("name") != "handler") continue;
      const json& args = event.at("args");
      EXPECT_EQ(args.at("source"), "profiler") << "from " << from;
      EXPECT_EQ(args.at("charged"), args.at("cycles")) << "from " << from;
      if (args.at("cycle") >= end) continue;
      EXPECT_EQ(args.at("cycle"), std::max(from, begin)) << "from " << from;
      EXPECT_EQ(args.at("cycles"), end - std::max(from, begin)) << "from " << from;
      EXPECT_EQ(args.at("interrupted_pc"), handler->at("args").at("interrupted_pc"));
    }
  }
}

TEST_F(Timeline, ShowsTheHandlersOfTheDecodeEngine) {
  const ProcessResult process =
      run("calls", kWhole,
          {"--set", "profilers=[]", "--set",
           "decode.productions=[" + in_source("configs/profilers/hps/plain-hot-call-pairs.dise") +
               "]"});
  ASSERT_EQ(process.exit_code, 0) << process.err;
  const json events = events_of("calls");
  std::map<std::string, Sum> sums = sums_of(events);
  EXPECT_GT(sums["handler"].slices, 0u);
  EXPECT_EQ(sums["handler"].charged, result_of("calls").at("counters").at("core.cpi.handler"));
  // The cycle in which a dret commits is the way back.
  EXPECT_LE(sums["handler"].cycles, sums["handler"].charged + sums["handler"].slices);
  for (const json& event : events) {
    if (event.at("name") != "handler") continue;
    EXPECT_EQ(event.at("args").at("source"), "decode_engine");
    EXPECT_THAT(event.at("args").at("handler").get<std::string>(), HasSubstr("strobe_"));
  }
}

TEST_F(Timeline, ThatCannotBeIsRefusedAtItsPlace) {
  const auto error = [this](const std::string& trace, const std::vector<std::string>& more = {}) {
    const ProcessResult process = run("refused", trace, more);
    EXPECT_EQ(process.exit_code, 2) << trace;
    EXPECT_FALSE(fs::exists(out("refused")));
    return process.err;
  };
  EXPECT_THAT(
      error("{ timeline: t.csv }",
            {"--set", "mode=functional", "--set", "profilers.0.active=false"}),
      HasSubstr("run.yaml:5:20: error: trace.timeline: a timeline needs mode: timing, which "
                "has every cycle, got functional"));
  EXPECT_THAT(
      error("{ timeline: t.csv }", {"--set", "profilers=[]"}),
      HasSubstr("trace.timeline: expected something that runs handlers, an active profiler, "
                "decode.productions, instrument.epoch or timer.period, got none"));
  EXPECT_THAT(error("{ timeline: a, pipeline: a }"),
              HasSubstr("expected a name other than that of trace.pipeline, got the same"));
  EXPECT_THAT(error("{ timeline: ../t.csv }"),
              HasSubstr("trace.timeline: expected a plain file name without directories"));
}

TEST_F(Timeline, OfAWindowBeforeTheRegionIsEmptyAndSaysSo) {
  const ProcessResult process = run("early", "{ timeline: timeline.csv, to: 10 }");
  EXPECT_EQ(process.exit_code, 0);
  EXPECT_THAT(process.out + process.err,
              HasSubstr("the timeline is empty: its window ends at cycle 10 (trace.to)"));
}

TEST_F(Timeline, ThatIsDamagedIsAnErrorOfTheExport) {
  ASSERT_EQ(run("whole", kWhole).exit_code, 0);
  fs::resize_file(out("whole") / "timeline.csv", 1000);
  const ProcessResult process = strobe({"export", out("whole").string(), "--format", "perfetto"});
  EXPECT_EQ(process.exit_code, 2);
  EXPECT_THAT(process.err, AllOf(HasSubstr("timeline.csv"), HasSubstr("run it again")));
}

}  // namespace
}  // namespace strobe::e2e
