#include "sw/report/markdown.h"

#include <algorithm>

#include "sw/text/shown.h"

namespace strobe::report {
namespace {

/// A fence longer than any run of backticks in the text.
std::string fence_for(const std::string& text, size_t least) {
  size_t longest = 0, run = 0;
  for (const char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return std::string(std::max(least, longest + 1), '`');
}

}  // namespace

std::string markdown_text(const std::string& text) {
  std::string out;
  char before = 0;
  for (const char c : text::shown(text)) {
    if (c == '<') {
      out += "&lt;";
    } else if (c == '\n') {
      out += ' ';
    } else if (c == '>') {
      out += "&gt;";
    } else if (c == '&') {
      out += "&amp;";
    } else {
      // After a bracket, where an address would follow, a parenthesis is escaped because it is
      // text.
      if (c == '|' || (c == '(' && before == ']')) out += '\\';
      out += c;
    }
    before = c;
  }
  return out;
}

std::string markdown_code(const std::string& text) {
  std::string line = text::shown(text);
  std::replace(line.begin(), line.end(), '\n', ' ');
  const std::string fence = fence_for(line, 1);
  const char* const space = fence.size() == 1 ? "" : " ";
  return fence + space + line + space + fence;
}

std::string markdown_block(const char* language, const std::string& text) {
  const std::string fence = fence_for(text, 3);
  const bool ended = text.empty() || text.back() == '\n';
  return fence + language + "\n" + text + (ended ? "" : "\n") + fence + "\n";
}

std::string markdown_table(const std::vector<std::vector<std::string>>& rows) {
  std::string text;
  for (size_t i = 0; i < rows.size(); ++i) {
    text += "|";
    for (const std::string& value : rows[i]) text += " " + markdown_text(value) + " |";
    text += "\n";
    if (i > 0) continue;
    for (size_t k = 0; k < rows[0].size(); ++k) text += "|---";
    text += "|\n";
  }
  return text;
}

}  // namespace strobe::report
