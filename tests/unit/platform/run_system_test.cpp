// The core that a run has, as its configuration says.
#include "sc_models/machine/system/run_system.h"

#include <gtest/gtest.h>

namespace strobe::platform {
namespace {

TEST(SystemOf, AnEngineOfSeveralStagesMakesTheFrontEndLongerInTheProfiledRun) {
  config::RunConfig configuration;
  const unsigned stages = configuration.core.front_end_stages;
  configuration.decode.stages = 5;
  EXPECT_EQ(system_params(configuration, nullptr, true).core.front_end_stages, stages);
  configuration.decode.productions = {"profile.dise"};
  EXPECT_EQ(system_params(configuration, nullptr, true).core.front_end_stages, stages + 4);
  EXPECT_EQ(system_params(configuration, nullptr, false).core.front_end_stages, stages);
}

}  // namespace
}  // namespace strobe::platform
