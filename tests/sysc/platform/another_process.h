// Several systems in one test: one process elaborates one system.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <type_traits>

namespace strobe::platform {

/// What `make` returns in a process of its own.
template <class Result, class Make>
Result in_another_process(Make make) {
  static_assert(std::is_trivially_copyable_v<Result>);
  int ends[2];
  EXPECT_EQ(pipe(ends), 0);
  const pid_t child = fork();
  EXPECT_GE(child, 0);
  if (child == 0) {
    const Result result = make();
    const bool sent = write(ends[1], &result, sizeof result) == ssize_t{sizeof result};
    _exit(sent && !testing::Test::HasFailure() ? 0 : 1);
  }
  close(ends[1]);
  Result result{};
  EXPECT_EQ(read(ends[0], &result, sizeof result), ssize_t{sizeof result});
  close(ends[0]);
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  return result;
}

}  // namespace strobe::platform
