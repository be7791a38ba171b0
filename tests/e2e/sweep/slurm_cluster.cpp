#include "tests/e2e/sweep/slurm_cluster.h"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <thread>

namespace strobe::e2e {

namespace fs = std::filesystem;

SlurmCluster::SlurmCluster() {
  const fs::path root = scratch_.path();
  for (const char* folder : {"munge", "state", "spool"}) fs::create_directories(root / folder);
  // munged wants its directories closed to others' writing, up to the root, and a secret key.
  fs::permissions(root, fs::perms(0711));
  fs::permissions(root / "munge", fs::perms(0711));
  std::ofstream(root / "munge/key") << std::string(128, 'k');
  fs::permissions(root / "munge/key", fs::perms(0600));
  write_configuration();
  setenv("SLURM_CONF", (root / "slurm.conf").c_str(), 1);
  const std::string munge = (root / "munge").string();
  start({"munged", "--foreground", "--force", "--key-file=" + munge + "/key",
         "--socket=" + munge + "/socket", "--pid-file=" + munge + "/pid",
         "--log-file=" + munge + "/log", "--seed-file=" + munge + "/seed"});
  for (int i = 0; i < 100 && !fs::exists(root / "munge/socket"); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  start({"slurmctld", "-D", "-i"});
  start({"slurmd", "-D"});
  for (int i = 0; i < 300; ++i) {
    if (answers()) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
  }
  fault_ = "the cluster does not come up: " + run("sinfo") + read_file(root / "ctld.log") +
           read_file(root / "slurmd.log");
}

SlurmCluster::~SlurmCluster() {
  for (auto daemon = daemons_.rbegin(); daemon != daemons_.rend(); ++daemon) kill(*daemon, SIGTERM);
  for (const pid_t daemon : daemons_) waitpid(daemon, nullptr, 0);
}

std::string SlurmCluster::run(const std::string& command) const {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe(
      popen(("(" + command + ") 2>&1").c_str(), "r"), &pclose);
  std::string text;
  std::array<char, 4096> block{};
  for (size_t got; (got = std::fread(block.data(), 1, block.size(), pipe.get())) > 0;) {
    text.append(block.data(), got);
  }
  return text;
}

void SlurmCluster::start(const std::vector<std::string>& command) {
  const pid_t child = fork();
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    // The daemons are in /usr/sbin, which not every PATH has.
    setenv("PATH", (std::string(getenv("PATH")) + ":/usr/sbin").c_str(), 1);
    const std::string log = (scratch_.path() / (command[0] + ".out")).string();
    if (freopen(log.c_str(), "w", stdout) == nullptr || dup2(1, 2) < 0) _exit(126);
    std::vector<char*> argv;
    for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
    argv.push_back(nullptr);
    execvp(argv[0], argv.data());
    _exit(127);
  }
  daemons_.push_back(child);
}

void SlurmCluster::write_configuration() const {
  const std::string root = scratch_.path().string();
  std::array<char, 256> host{};
  gethostname(host.data(), host.size() - 1);
  const std::string name = host.data();
  const std::string user = geteuid() == 0 ? "root" : std::string(getenv("USER"));
  // Ports that differ between two tests on one machine.
  const int port = 20'000 + getpid() % 20'000;
  std::ofstream(scratch_.path() / "slurm.conf")
      << "ClusterName=strobe\nSlurmctldHost=" << name << "(127.0.0.1)\n"
      << "AuthType=auth/munge\nAuthInfo=socket=" << root
      << "/munge/socket,cred_expire=10\nCredType=cred/munge\n"
      << "SlurmUser=" << user << "\nSlurmdUser=" << user << "\nSlurmctldPort=" << port
      << "\nSlurmdPort=" << port + 1 << "\nStateSaveLocation=" << root
      << "/state\nSlurmdSpoolDir=" << root << "/spool\nSlurmctldPidFile=" << root
      << "/ctld.pid\nSlurmdPidFile=" << root << "/slurmd.pid\nSlurmctldLogFile=" << root
      << "/ctld.log\nSlurmdLogFile=" << root << "/slurmd.log\n"
      << "ProctrackType=proctrack/linuxproc\nTaskPlugin=task/none\nSelectType=select/cons_tres\n"
         "SelectTypeParameters=CR_CPU\nSwitchType=switch/none\nMpiDefault=none\nReturnToService=2\n"
         "MaxArraySize=5\nSchedulerParameters=sched_interval=1,batch_sched_delay=1\n"
         "JobCompType=jobcomp/none\nAccountingStorageType=accounting_storage/none\n"
         "JobAcctGatherType=jobacct_gather/none\n"
      << "NodeName=" << name << " NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN\n"
      << "PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP\n";
}

bool SlurmCluster::answers() const { return run("sinfo -h -o %T").rfind("idle", 0) == 0; }

}  // namespace strobe::e2e
