// Runs the tools that make the files of these tests, and those that read them.
#pragma once

#include <gtest/gtest.h>

#include <cstdio>
#include <string>

namespace strobe::isa {

/// What a shell command prints; it must end well.
inline std::string shell(const std::string& command) {
  FILE* const tool = popen(command.c_str(), "r");
  EXPECT_NE(tool, nullptr) << command;
  std::string text;
  char part[4096];
  for (size_t n; (n = fread(part, 1, sizeof part, tool)) > 0;) text.append(part, n);
  EXPECT_EQ(pclose(tool), 0) << command;
  return text;
}

}  // namespace strobe::isa
