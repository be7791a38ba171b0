#include "sw/text/color.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <system_error>

namespace strobe::text {
namespace {

bool decide() {
  const char *no_color = std::getenv("NO_COLOR"), *term = std::getenv("TERM");
  if (no_color != nullptr && *no_color != '\0') return false;
  if (term == nullptr || std::strcmp(term, "dumb") == 0) return false;
  return isatty(STDOUT_FILENO) == 1;
}

const char* sequence(Style style) {
  switch (style) {
    case Style::kStrong:
      return "\x1b[1m";
    case Style::kHot:
      return "\x1b[1;31m";
    case Style::kWarm:
      return "\x1b[33m";
    case Style::kPlain:
      break;
  }
  return "\x1b[0m";
}

[[noreturn]] void fail() {
  throw std::system_error(errno, std::generic_category(), "cannot write to the standard output");
}

/// Past `stdout`, which would show the sequence instead of obeying it.
void change_to(Style style) {
  const char* text = sequence(style);
  if (std::fflush(stdout) != 0) fail();
  if (write(STDOUT_FILENO, text, std::strlen(text)) < 0) fail();
}

}  // namespace

void print(Style style, const std::string& text) {
  static const bool colored = decide();
  const bool styled = colored && style != Style::kPlain;
  if (styled) change_to(style);
  if (std::fputs(text.c_str(), stdout) < 0) fail();
  if (styled) change_to(Style::kPlain);
}

}  // namespace strobe::text
