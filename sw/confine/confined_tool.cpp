#include "sw/confine/confined_tool.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <stdexcept>

#include "sw/confine/confine.h"
#include "sw/confine/file_rules.h"

namespace strobe::confine {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostOutput = size_t{64} << 20;        // bytes that it prints
constexpr uint64_t kLargestOutput = uint64_t{2} << 30;  // bytes of a file that it writes

/// What the tool and the programs that it starts open.
std::vector<PathGrant> grants_of(const ConfinedTool& tool) {
  std::vector<PathGrant> grants = {{"/dev/null", Access::kWrite},
                                   {"/etc/ld.so.cache", Access::kRead}};
  if (!tool.writes.empty()) grants.push_back({tool.writes.string(), Access::kWrite});
  for (const char* folder : {"/usr", "/bin", "/lib", "/lib64"}) {
    grants.push_back({folder, Access::kExecute});
  }
  const fs::path toolchain = fs::canonical(tool.program).parent_path().parent_path();
  if (toolchain.has_relative_path()) grants.push_back({toolchain.string(), Access::kExecute});
  for (const fs::path& file : tool.reads) grants.push_back({file.string(), Access::kRead});
  return grants;
}

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> result;
  for (std::string& word : words) result.push_back(word.data());
  result.push_back(nullptr);
  return result;
}

void limit(int resource, uint64_t most) {
  const rlimit both{most, most};
  setrlimit(static_cast<__rlimit_resource_t>(resource), &both);
}

/// What the child needs, made before the fork: other threads may hold locks at that moment.
struct Prepared {
  explicit Prepared(const ConfinedTool& tool)
      : words{tool.program.string()},
        environment{"PATH=" + tool_path(), "LC_ALL=C"},
        folder(tool.folder.empty() ? "." : tool.folder.string()),
        seconds(tool.seconds),
        rules(kBuildCanConfine ? grants_of(tool) : std::vector<PathGrant>(), &missing) {
    if (!tool.writes.empty()) environment.push_back("TMPDIR=" + tool.writes.string());
    words.insert(words.end(), tool.arguments.begin(), tool.arguments.end());
    argv = pointers(words);
    envp = pointers(environment);
  }

  std::vector<std::string> words, environment;
  std::string folder;
  unsigned seconds;
  std::vector<std::string> missing;  // a kernel without Landlock: strobe doctor says so
  PathRules rules;
  std::vector<char*> argv, envp;
};

/// Makes system calls only. @return never: writes an error number to `failed` instead
[[noreturn]] void become(const Prepared& prepared, int output, int failed) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  limit(RLIMIT_CPU, prepared.seconds);
  limit(RLIMIT_AS, kToolMemory);
  limit(RLIMIT_FSIZE, kLargestOutput);
  limit(RLIMIT_CORE, 0);
  int error = 0;
  const int null = open("/dev/null", O_RDONLY);
  if (null < 0 || dup2(null, 0) < 0 || dup2(output, 1) < 0 || dup2(output, 2) < 0 ||
      chdir(prepared.folder.c_str()) != 0) {
    error = errno;
  }
  if (error == 0 && kBuildCanConfine) error = prepared.rules.put_in_force();
  if (error == 0) {
    execve(prepared.argv[0], prepared.argv.data(), prepared.envp.data());
    error = errno;
  }
  [[maybe_unused]] const ssize_t put = write(failed, &error, sizeof error);
  _exit(127);
}

struct Pipe {
  Pipe() {
    if (pipe2(ends, O_CLOEXEC) != 0) {
      throw std::runtime_error(fmt::format("no pipe can be made: {}", std::strerror(errno)));
    }
  }
  ~Pipe() {
    close_writer();
    close(ends[0]);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  void close_writer() {
    if (ends[1] >= 0) close(ends[1]);
    ends[1] = -1;
  }
  int ends[2] = {-1, -1};
};

/// Reads until the other end is closed. @return what was too much, or nothing
std::string read_within(int descriptor, unsigned seconds, std::string* text) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point end = Clock::now() + std::chrono::seconds(seconds);
  char buffer[4096];
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now());
    pollfd ready{descriptor, POLLIN, 0};
    if (left.count() <= 0) return fmt::format("took longer than {} s", seconds);
    if (poll(&ready, 1, static_cast<int>(left.count())) <= 0) continue;
    const ssize_t got = read(descriptor, buffer, sizeof buffer);
    if (got == 0 || (got < 0 && errno != EINTR)) return "";
    if (got > 0) text->append(buffer, static_cast<size_t>(got));
    if (text->size() > kMostOutput) return fmt::format("printed more than {} bytes", kMostOutput);
  }
}

}  // namespace

std::string tool_path() { return fmt::format("{}", fmt::join(kToolFolders, ":")); }

bool is_tool_folder(const fs::path& folder) {
  return std::find(kToolFolders.begin(), kToolFolders.end(), folder) != kToolFolders.end();
}

fs::path find_tool(const std::string& name) {
  for (const char* folder : kToolFolders) {
    std::error_code error;
    if (fs::exists(fs::path(folder) / name, error)) return fs::path(folder) / name;
  }
  return {};
}

files::ToolResult run_confined(const ConfinedTool& tool) {
  const Prepared prepared(tool);
  Pipe output, failed;
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error(std::strerror(errno));
  if (child == 0) become(prepared, output.ends[1], failed.ends[1]);
  output.close_writer();
  failed.close_writer();
  files::ToolResult result;
  const std::string too_much = read_within(output.ends[0], tool.seconds, &result.output);
  if (!too_much.empty()) kill(-child, SIGKILL);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  int error = 0;
  if (read(failed.ends[0], &error, sizeof error) == sizeof error) {
    throw std::runtime_error(std::strerror(error));
  }
  if (!too_much.empty()) {
    throw std::runtime_error(fmt::format("it {} and was stopped; give it less to do", too_much));
  }
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

}  // namespace strobe::confine
