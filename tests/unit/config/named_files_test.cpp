// Names in place of maps: the cores and workloads that come with Strobe.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sw/config/load.h"
#include "tests/tree.h"
#include "tests/unit/config/scratch.h"

namespace strobe::config {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::string kRunWithoutCore = "workload: { elf: p.elf }\n";

TEST(Named, ACoreAndAWorkloadThatComeWithStrobeAreTakenByName) {
  const LoadResult loaded = load_run_config(
      in_source("configs/runs/quickstart.yaml"),
      {"core=haswell", "core.rob=64", "core.reservation_stations=32", "workload=lz"});
  ASSERT_EQ(text::to_text(loaded.diagnostics), "");
  const LoadResult included =
      load_run_config(in_source("configs/runs/quickstart.yaml"),
                      {"core={include: " + in_source("configs/cores/haswell.yaml") + "}",
                       "core.rob=64", "core.reservation_stations=32",
                       "workload={include: " + in_source("configs/workloads/lz.yaml") + "}"});
  EXPECT_EQ(loaded.portable, included.portable);
  EXPECT_EQ(loaded.configuration.core.rob, 64u);
  EXPECT_EQ(loaded.configuration.core.name, "haswell");
  EXPECT_EQ(loaded.configuration.workload.elf, in_build("guest/workloads/lz.elf"));
  EXPECT_THAT(loaded.effective, HasSubstr("# configs/cores/haswell.yaml:"));
  EXPECT_THAT(loaded.effective, Not(HasSubstr(in_source(""))));
}

TEST(Named, EveryCoreOfARunMayBeNamed) {
  const LoadResult loaded =
      load_run_config(in_source("configs/runs/shim.yaml"), {"core=haswell", "shim.core=observer"});
  ASSERT_EQ(text::to_text(loaded.diagnostics), "");
  EXPECT_EQ(loaded.configuration.shim.core->name, "observer");
}

TEST(Named, AnUnknownNameIsSaidOnceWithTheNearest) {
  const Scratch scratch;
  const std::string file = scratch.write("r.yaml", kRunWithoutCore + "core: hps205\n");
  EXPECT_EQ(text::to_text(load_run_config(file, {}).diagnostics),
            file +
                ":2:7: error: core: no such name, expected a map or one of haswell, hps2005, "
                "hps2005-smt, inorder4, isca2001, observer, single-issue, which configs/cores has, "
                "got 'hps205' (did you mean 'hps2005'?); core: { include: FILE } names another "
                "file\n"
                "  core: hps205\n"
                "        ^\n");
}

TEST(Named, TextThatIsNoFileNamesNone) {
  EXPECT_THAT(
      text::to_text(load_run_text(kRunWithoutCore + "core: hps2005\n", "t", {}).diagnostics),
      HasSubstr("error: core: wrong type, expected a map, got 'hps2005'; a name of "
                "configs/cores is not allowed here, because this text is not a file"));
}

}  // namespace
}  // namespace strobe::config
