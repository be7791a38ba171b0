#include "tests/security/confined_child.h"

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <exception>
#include <stdexcept>

namespace strobe::security {

Ending in_child(const std::function<int()>& work) {
  std::array<int, 2> ends = {};
  if (pipe(ends.data()) != 0) throw std::runtime_error("pipe failed");
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("fork failed");
  if (child == 0) {
    dup2(ends[1], STDERR_FILENO);
    close(ends[0]);
    close(ends[1]);
    int code = 1;
    try {
      code = work();
    } catch (const std::exception& error) {
      const std::string text = error.what();
      [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text.data(), text.size());
    }
    _exit(code);
  }
  close(ends[1]);
  Ending ending;
  std::array<char, 4096> block{};
  for (ssize_t got = 0; (got = read(ends[0], block.data(), block.size())) > 0;) {
    ending.err.append(block.data(), static_cast<size_t>(got));
  }
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFEXITED(status)) ending.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) ending.signal = WTERMSIG(status);
  return ending;
}

Ending in_confined_child(const confine::Grants& grants, const std::function<int()>& work) {
  return in_child([&] {
    const confine::Confinement confinement = confine::confine(grants);
    if (!confinement.system_calls || !confinement.landlock) return kNotConfined;
    return work();
  });
}

}  // namespace strobe::security
