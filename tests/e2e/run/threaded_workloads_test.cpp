// Programs with threads that scripts/fetch-workloads built print what they print under
// qemu-riscv64.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "sw/config/load.h"
#include "sw/files/guest_files.h"
#include "tests/e2e/process/strobe_process.h"
#include "tests/tree.h"

namespace strobe::e2e {
namespace {

namespace fs = std::filesystem;

/// The ones that are there.
std::vector<std::string> programs() {
  std::vector<std::string> all;
  for (const auto& entry : fs::directory_iterator(in_source("configs/workloads/threaded"))) {
    const std::string name = entry.path().stem().string();
    if (fs::exists(fs::path(files::fetched_directory()) / name / (name + ".elf"))) {
      all.push_back(name);
    }
  }
  std::sort(all.begin(), all.end());
  return all;
}

std::string quoted(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += " '" + word + "'";
  return text;
}

class ThreadedWorkload : public testing::TestWithParam<std::string> {};

TEST_P(ThreadedWorkload, PrintsWhatItPrintsUnderQemu) {
  const std::string file = in_source("configs/runs/" + GetParam() + ".yaml");
  const std::string input = "workload.stdin=cache:" + GetParam() + "/tiny";
  const auto workload = config::load_run_config(file, {input}).configuration.workload;
  const ScratchDirectory scratch;
  const std::string out = (scratch.path() / "out").string();
  const std::string theirs = (scratch.path() / "theirs").string();

  const ProcessResult ours = strobe({"run", file, "--set", input, "--set", "mode=functional",
                                     "--set", "profilers=[]", "--out", out});
  const int status =
      std::system(("env -i" + quoted(workload.env) + " qemu-riscv64" + quoted({workload.elf}) +
                   quoted(workload.args) + " < " + workload.stdin_file + " > " + theirs)
                      .c_str());
  EXPECT_EQ(ours.exit_code, 0) << ours.err;
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_GT(fs::file_size(theirs), 50u);
  EXPECT_TRUE(read_file(out + "/stdout.txt") == read_file(theirs)) << "other bytes";
}

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(ThreadedWorkload);
INSTANTIATE_TEST_SUITE_P(Programs, ThreadedWorkload, testing::ValuesIn(programs()),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace strobe::e2e
