// The recorded streams on which a reproduction scores profilers.
#include "sw/reproduce/program_streams.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "sw/config/load.h"
#include "sw/record/recorded_run.h"
#include "sw/stream/stream_writer.h"
#include "tests/unit/config/scratch.h"

namespace strobe {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class ProgramStreamsTest : public testing::Test {
 protected:
  /// A recording of a run that ended with this error; "" for one that ended well.
  ProgramStream recorded(const std::string& error) const {
    const ProgramStream program{"a", scratch_.file("a.stream")};
    const config::LoadResult loaded = config::load_run_text(
        "workload: { elf: a.elf }\nprofilers: [{ name: p, selectors: [{ profile: edge }] }]\n", "t",
        {});
    EXPECT_TRUE(loaded.good());
    stream::StreamWriter writer(program.file, {{"config", loaded.portable}});
    writer.flush();
    platform::RunOutcome outcome;
    outcome.error = error;
    outcome.end = error.empty() ? platform::RunEnd::kExited : platform::RunEnd::kFailed;
    writer.finish({{"events", writer.events()},
                   {"blocks", writer.blocks()},
                   {"outcome", outcome_to_json(outcome)},
                   {"symbols", nlohmann::json::object()}});
    return program;
  }
  size_t scores_of(const ProgramStream& program) const {
    return score_contenders(program.file.parent_path(), program,
                            {{"P_16", "name: p, kind: periodic, rate: 16"}}, 100)
        .size();
  }

  config::Scratch scratch_;
};

TEST_F(ProgramStreamsTest, ProfilersAreScoredOnARunThatEndedWell) {
  EXPECT_EQ(scores_of(recorded("")), 1u);
}

// A process that was killed before it removed the recording leaves it in the folder.
TEST_F(ProgramStreamsTest, ARecordingOfARunThatFailedIsRefused) {
  const ProgramStream program = recorded("illegal instruction");
  try {
    scores_of(program);
    FAIL() << "it was scored";
  } catch (const std::runtime_error& error) {
    EXPECT_THAT(error.what(),
                AllOf(HasSubstr(program.file.string()), HasSubstr("failed (illegal instruction)"),
                      HasSubstr("remove it, and it is recorded again")));
  }
}

}  // namespace
}  // namespace strobe
