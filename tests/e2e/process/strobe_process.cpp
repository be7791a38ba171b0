#include "tests/e2e/process/strobe_process.h"

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "tests/tree.h"

namespace strobe::e2e {

namespace fs = std::filesystem;

ProcessResult strobe(const std::vector<std::string>& args, const fs::path& directory,
                     std::optional<std::chrono::milliseconds> interrupt_after) {
  const ScratchDirectory scratch;
  const fs::path out = scratch.path() / "out", err = scratch.path() / "err";
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("fork failed");
  if (child == 0) {
    if (chdir(directory.c_str()) != 0 || freopen("/dev/null", "r", stdin) == nullptr ||
        freopen(out.c_str(), "w", stdout) == nullptr ||
        freopen(err.c_str(), "w", stderr) == nullptr) {
      _exit(126);
    }
    std::vector<char*> argv = {const_cast<char*>("strobe")};
    for (const std::string& arg : args) argv.push_back(const_cast<char*>(arg.c_str()));
    argv.push_back(nullptr);
    execv(in_build("bin/strobe").c_str(), argv.data());
    _exit(127);
  }
  if (interrupt_after) {
    std::this_thread::sleep_for(*interrupt_after);
    kill(child, SIGINT);
  }
  int status = 0;
  waitpid(child, &status, 0);
  ProcessResult result;
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  result.out = read_file(out);
  result.err = read_file(err);
  return result;
}

ScratchDirectory::ScratchDirectory() {
  std::string pattern = (fs::temp_directory_path() / "strobe-e2e-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("mkdtemp failed");
  path_ = pattern;
}

ScratchDirectory::~ScratchDirectory() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

fs::path ScratchDirectory::write(const std::string& name, const std::string& text) const {
  const fs::path file = path_ / name;
  std::ofstream(file) << text;
  return file;
}

std::string run_file(const std::string& elf, const std::string& args, const std::string& profilers,
                     const std::string& extra) {
  return "core: { include: " + in_source("configs/cores/hps2005.yaml") + " }\n" +
         "workload: { elf: " + elf + ", args: " + args +
         " }\n"
         "profilers: " +
         profilers + "\n" + extra;
}

std::string program(const std::string& name) { return in_build("tests/e2e/") + name + ".elf"; }

std::string workload(const std::string& name) {
  return in_build("guest/workloads/") + name + ".elf";
}

std::string read_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

nlohmann::json read_json(const fs::path& path) { return nlohmann::json::parse(read_file(path)); }

}  // namespace strobe::e2e
