#include "sw/text/diagnostic.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "sw/text/shown.h"

namespace strobe::text {
namespace {

constexpr size_t kShownColumns = 200;

size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::vector<size_t>> d(a.size() + 1, std::vector<size_t>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
  for (size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t substitution = d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, substitution});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
      }
    }
  }
  return d[a.size()][b.size()];
}

}  // namespace

std::string in_quotes(const std::string& value) {
  constexpr size_t kLongest = 60;
  if (value.size() <= kLongest) return "'" + one_line(value) + "'";
  return "'" + one_line(value.substr(0, kLongest)) + "...'";
}

std::string did_you_mean(const std::string& word, const std::vector<std::string>& candidates) {
  constexpr size_t kLongest = 64;  // nothing longer is a misspelt key
  if (word.size() > kLongest) return "";
  const std::string* best = nullptr;
  size_t best_distance = std::numeric_limits<size_t>::max();
  for (const std::string& candidate : candidates) {
    const size_t distance = edit_distance(word, candidate);
    if (distance < best_distance) {
      best_distance = distance;
      best = &candidate;
    }
  }
  const size_t limit = std::max<size_t>(2, word.size() / 3);
  if (best == nullptr || best_distance > limit || best_distance * 2 >= best->size()) return "";
  return " (did you mean '" + *best + "'?)";
}

std::string Diagnostic::text() const {
  std::string out = file;
  if (line > 0) out += fmt::format(":{}:{}", line, column);
  out += ": error: ";
  if (!path.empty()) out += one_line(path) + ": ";
  out += message;
  if (line > 0 && column > 0 && !source_line.empty() &&
      static_cast<size_t>(column) <= kShownColumns) {
    // Tabs as one blank, so that the caret stands under its column.
    std::string shown = source_line.substr(0, kShownColumns);
    std::replace_if(
        shown.begin(), shown.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; },
        ' ');
    out += "\n  " + shown + "\n  " + std::string(static_cast<size_t>(column - 1), ' ') + "^";
  }
  return out;
}

std::string to_text(const Diagnostics& diagnostics) {
  std::string out;
  for (const Diagnostic& diagnostic : diagnostics) out += diagnostic.text() + "\n";
  return out;
}

}  // namespace strobe::text
