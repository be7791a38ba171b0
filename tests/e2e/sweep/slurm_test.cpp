// `strobe sweep --launcher slurm` on a cluster of one node that the test starts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <future>
#include <memory>
#include <thread>

#include "tests/e2e/sweep/slurm_cluster.h"
#include "tests/e2e/sweep/sweep_fixture.h"
#include "tests/tree.h"

namespace strobe::e2e {
namespace {

namespace fs = std::filesystem;
using explore::Database;
using testing::HasSubstr;

class SlurmSweeps : public SweepTest {
 protected:
  static void SetUpTestSuite() { cluster = std::make_unique<SlurmCluster>(); }
  static void TearDownTestSuite() { cluster.reset(); }

  void SetUp() override { ASSERT_EQ(cluster->fault(), ""); }
  ProcessResult sweep(std::vector<std::string> more = {}) const {
    more.insert(more.begin(), {"--launcher", "slurm"});
    return start(more);
  }
  void write_files(const std::string& sizes, const std::string& sweep_text) const {
    scratch_.write("base.yaml", run_file(workload("lz"), sizes,
                                         "[{ name: s, rate: 16, selectors: [{ profile: edge }] }]",
                                         "mode: timing\n"));
    write_sweep(sweep_text);
  }

  static std::unique_ptr<SlurmCluster> cluster;
};

std::unique_ptr<SlurmCluster> SlurmSweeps::cluster;

TEST_F(SlurmSweeps, MoreRunsThanAnArrayHoldsAreCutIntoArrays) {
  write_files("[tiny]", "grid: { core.rob: { linear: [80, 176, 16] } }\n");  // 7 runs, 4 a chunk
  const ProcessResult process = sweep();
  EXPECT_EQ(process.exit_code, 0) << process.err;
  EXPECT_EQ(number("SELECT count(*) FROM point WHERE status = 'done'"), 7);
  EXPECT_EQ(cluster->run("ls " + at("out/slurm").string() + "/*.sh | wc -l"), "2\n");
}

TEST_F(SlurmSweeps, TheJobsMayHaveAnyName) {
  write_files("[tiny]", "grid: { core.rob: [96, 112] }\nlauncher: { sbatch: [--job-name=mine] }\n");
  const ProcessResult process = sweep();
  EXPECT_EQ(process.exit_code, 0) << process.err;
  EXPECT_EQ(number("SELECT count(*) FROM point WHERE status = 'done'"), 2);
}

TEST_F(SlurmSweeps, ADrainedNodeIsSaidWhileTasksWaitForIt) {
  write_files("[tiny]", "grid: { core.rob: [96, 112] }\n");
  const std::string node = cluster->run("sinfo -h -o %N | tr -d '\\n'");
  EXPECT_EQ(cluster->run("scontrol update nodename=" + node + " state=drain reason=repair"), "");
  auto running = std::async(std::launch::async, [this] { return sweep(); });
  std::this_thread::sleep_for(std::chrono::seconds(10));
  EXPECT_EQ(cluster->run("scontrol update nodename=" + node + " state=resume"), "");
  const ProcessResult process = running.get();
  EXPECT_EQ(process.exit_code, 0) << process.err;
  EXPECT_THAT(process.err, HasSubstr("strobe: warning: tasks wait in Slurm's queue: "));
  EXPECT_THAT(process.err, HasSubstr(node + " is drained (repair)"));
}

TEST_F(SlurmSweeps, AFolderWhoseNameHoldsCommandsRunsNone) {
  write_files("[tiny]", "grid: { core.rob: [96, 112] }\n");
  const std::string out =
      at("out\ntouch sent\n'$(touch sent)`touch sent`\"; touch sent #").string();
  const ProcessResult process = strobe(
      {"sweep", at("sweep.yaml").string(), "--out", out, "--launcher", "slurm"}, scratch_.path());
  EXPECT_EQ(process.exit_code, 0) << process.err;
  EXPECT_FALSE(fs::exists(at("sent")));
  Database database(out + "/sweep.sqlite");
  EXPECT_EQ(database.integer("SELECT count(*) FROM point WHERE status = 'done'"), 2);
}

TEST_F(SlurmSweeps, AKilledTaskIsLostAndTheOthersAreNot) {
  write_files("[small]", "grid: { core.rob: { linear: [80, 128, 16] } }\n");
  auto running = std::async(std::launch::async, [this] { return sweep(); });
  std::string task;
  for (int i = 0; i < 600 && task.empty(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    task = cluster->run("squeue -h -r -t RUNNING -n strobe -o %i | head -1");
  }
  ASSERT_NE(task, "");
  cluster->run("scancel " + task);
  const ProcessResult process = running.get();
  EXPECT_EQ(process.exit_code, 1) << process.err;
  EXPECT_THAT(process.err, HasSubstr("CANCELLED"));
  EXPECT_EQ(number("SELECT count(*) FROM point WHERE status = 'done'"), 3);
  EXPECT_EQ(number("SELECT count(*) FROM failure WHERE status = 'lost'"), 1);
  const ProcessResult again = sweep({"--retry-failed"});
  EXPECT_EQ(again.exit_code, 0) << again.err;
  EXPECT_THAT(again.out, HasSubstr("4 points in 1 run, 3 reused"));
}

TEST_F(SlurmSweeps, ARequeuedTaskIsWaitedFor) {
  write_files("[small]", "grid: { core.rob: [96, 112] }\n");
  auto running = std::async(std::launch::async, [this] { return sweep(); });
  std::string task;
  for (int i = 0; i < 600 && task.empty(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    task = cluster->run("squeue -h -r -t RUNNING -n strobe -o %i | head -1");
  }
  ASSERT_NE(task, "");
  EXPECT_EQ(cluster->run("scontrol requeue " + task), "");
  const ProcessResult process = running.get();
  EXPECT_EQ(process.exit_code, 0) << process.err;
  EXPECT_EQ(number("SELECT count(*) FROM point WHERE status = 'done'"), 2);
}

TEST_F(SlurmSweeps, WhatTasksDidAfterTheSweepWasKilledIsTakenAsItEnded) {
  write_files("[small]",
              "workloads:\n  - { name: good, elf: " + workload("lz") +
                  ", args: [tiny] }\n  - { name: bad, elf: " + program("illegal_instruction") +
                  " }\ngrid: { core.rob: [96, 112] }\n");
  const pid_t child = fork();
  if (child == 0) {
    if (freopen("/dev/null", "w", stdout) == nullptr) _exit(126);
    execl(in_build("bin/strobe").c_str(), "strobe", "sweep", at("sweep.yaml").c_str(), "--out",
          at("out").c_str(), "--launcher", "slurm", nullptr);
    _exit(127);
  }
  const std::string queue = "squeue -h -r -n strobe -o %i";
  const auto wait_for = [&](bool queued) {
    for (int i = 0; i < 600 && cluster->run(queue).empty() == queued; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
  };
  wait_for(true);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  wait_for(false);
  const ProcessResult rest = sweep();
  EXPECT_EQ(rest.exit_code, 1) << rest.err;
  EXPECT_THAT(rest.out, HasSubstr("4 points in 0 runs, 4 reused"));
  EXPECT_EQ(number("SELECT count(*) FROM point WHERE status = 'done'"), 2);
  EXPECT_EQ(number("SELECT count(*) FROM point WHERE status = 'failed'"), 2);
}

TEST_F(SlurmSweeps, AControllerThatDoesNotAnswerIsSaidToBe) {
  write_files("[tiny]", "grid: { core.rob: [96, 112] }\n");
  const std::string conf = getenv("SLURM_CONF");
  scratch_.write("other.conf",
                 "ClusterName=none\nSlurmctldHost=localhost(127.0.0.1)\n"
                 "SlurmctldPort=1\nMessageTimeout=2\nNodeName=none\n");
  setenv("SLURM_CONF", at("other.conf").c_str(), 1);
  const ProcessResult process = sweep();
  setenv("SLURM_CONF", conf.c_str(), 1);
  EXPECT_EQ(process.exit_code, 3);
  EXPECT_THAT(process.err, HasSubstr("check that its controller runs"));
}

}  // namespace
}  // namespace strobe::e2e
