// With which exit code and sentence a command ends when its work fails.
#include "sw/strobe/faults.h"

#include <gtest/gtest.h>

#include <new>
#include <stdexcept>
#include <string>

#include "sw/object/file/object_file.h"
#include "sw/process/exit_code.h"
#include "sw/result/result_directory.h"
#include "sw/stream/stream_format.h"

namespace strobe {
namespace {

struct End {
  int code;
  std::string said;
};

template <class Fault>
End end_of_run_with(const Fault& fault) {
  testing::internal::CaptureStderr();
  const int code = say_faults_of_run([&]() -> int { throw fault; });
  return {code, testing::internal::GetCapturedStderr()};
}

TEST(Faults, WorkThatEndsWellDecidesItsExitCodeAndNothingIsSaid) {
  testing::internal::CaptureStderr();
  EXPECT_EQ(say_faults(kExitUsage, [] { return kExitCheckFailed; }), kExitCheckFailed);
  EXPECT_EQ(say_faults_of_run([] { return kExitTimeout; }), kExitTimeout);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(Faults, AnExceptionIsPrintedAndTheCommandSaysItsExitCode) {
  testing::internal::CaptureStderr();
  EXPECT_EQ(say_faults(kExitUsage, []() -> int { throw std::runtime_error("no such file"); }),
            kExitUsage);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "strobe: error: no such file\n");
}

TEST(Faults, OutOfMemoryGoesOnToTheCommandLine) {
  EXPECT_THROW(say_faults(kExitUsage, []() -> int { throw std::bad_alloc(); }), std::bad_alloc);
  EXPECT_THROW(say_faults_of_run([]() -> int { throw std::bad_alloc(); }), std::bad_alloc);
}

TEST(Faults, OfARunWhatTheUserGaveIsAUsageErrorAndAnythingElseOneOfTheSimulation) {
  EXPECT_EQ(end_of_run_with(result::ResultError("it exists")).code, kExitUsage);
  EXPECT_EQ(end_of_run_with(stream::StreamError("it is cut off")).code, kExitUsage);
  EXPECT_EQ(end_of_run_with(object::ObjectError("no relocations")).code, kExitUsage);
  const End end = end_of_run_with(std::runtime_error("it went wrong"));
  EXPECT_EQ(end.code, kExitSimulation);
  EXPECT_EQ(end.said, "strobe: error: it went wrong\n");
}

}  // namespace
}  // namespace strobe
