// sc_main of the GoogleTest programs that use SystemC. A process elaborates one topology, so each
// test runs in a child process.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <systemc>
#include <vector>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
// A coroutine of SystemC has a stack that AddressSanitizer does not know, so it may not move the
// variables of a function from the stack to a heap of its own.
extern "C" const char* __asan_default_options() { return "detect_stack_use_after_return=0"; }
#endif
#endif

namespace {

// What a child of this process prints that lists the tests of the filter.
std::string listed() {
  std::array<int, 2> pipe_ends{};
  if (pipe(pipe_ends.data()) != 0) std::abort();
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    dup2(pipe_ends[1], STDOUT_FILENO);
    close(pipe_ends[0]);
    GTEST_FLAG_SET(list_tests, true);
    const int status = RUN_ALL_TESTS();
    std::fflush(stdout);
    _exit(status);
  }
  close(pipe_ends[1]);
  std::string text;
  std::array<char, 4096> part{};
  for (ssize_t got = 0; (got = read(pipe_ends[0], part.data(), part.size())) > 0;) {
    text.append(part.data(), static_cast<size_t>(got));
  }
  close(pipe_ends[0]);
  waitpid(child, nullptr, 0);
  return text;
}

// The names in a list: a line "Suite.", then a line "  Test" for each of its tests.
std::vector<std::string> names_in(const std::string& list) {
  std::vector<std::string> names;
  std::string suite;
  for (size_t begin = 0, end = 0; (end = list.find('\n', begin)) != list.npos; begin = end + 1) {
    const std::string line = list.substr(begin, end - begin);
    const std::string word = line.substr(0, line.find(" ", 2));
    if (line.compare(0, 2, "  ") == 0) {
      names.push_back(suite + word.substr(2));
    } else {
      suite = word;
    }
  }
  return names;
}

// Whether a test passes in a process of its own.
bool passes(const std::string& name) {
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    GTEST_FLAG_SET(filter, name);
    const int status = RUN_ALL_TESTS();
    std::fflush(stdout);
    _exit(status);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace

int sc_main(int argc, char** argv) {
  testing::InitGoogleMock(&argc, argv);
  if (GTEST_FLAG_GET(list_tests)) return RUN_ALL_TESTS();
  const std::vector<std::string> names = names_in(listed());
  if (names.size() < 2) return RUN_ALL_TESTS();
  std::vector<std::string> failed;
  for (const std::string& name : names) {
    if (!passes(name)) failed.push_back(name);
  }
  std::printf("%zu of %zu tests passed\n", names.size() - failed.size(), names.size());
  for (const std::string& name : failed) std::printf("FAILED: %s\n", name.c_str());
  return failed.empty() ? 0 : 1;
}
