// bin/strobe, run as a user runs it.
#pragma once

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "tests/tree.h"
#include "tests/unit/config/scratch.h"

namespace strobe::config {

inline const std::string kQuickstart = in_source("configs/runs/quickstart.yaml");

/// What it says.
struct Answer {
  int code = -1;
  std::string out, err;
};

inline Answer strobe(std::vector<std::string> arguments,
                     const std::vector<std::string>& environment = {},
                     const std::string& standard_output = "",
                     const std::string& program = in_build("bin/strobe")) {
  const Scratch scratch;
  const std::string out = scratch.file("out"), err = scratch.file("err");
  arguments.insert(arguments.begin(), program);
  const pid_t child = fork();
  if (child == 0) {
    const std::string& to = standard_output.empty() ? out : standard_output;
    dup2(open(to.c_str(), O_WRONLY | O_CREAT, 0600), STDOUT_FILENO);
    dup2(open(err.c_str(), O_WRONLY | O_CREAT, 0600), STDERR_FILENO);
    for (const std::string& setting : environment) putenv(const_cast<char*>(setting.c_str()));
    std::vector<char*> argv;
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    execv(argv[0], argv.data());
    _exit(127);
  }
  int status = 0;
  waitpid(child, &status, 0);
  Answer answer;
  answer.code = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  if (standard_output.empty()) answer.out = read_whole(out);
  answer.err = read_whole(err);
  return answer;
}

}  // namespace strobe::config
