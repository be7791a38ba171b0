#include "sw/text/diagnostic.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "sw/text/shown.h"

namespace strobe::text {
namespace {

constexpr size_t kShownColumns = 200;
constexpr size_t kShownPath = 200;  // characters of a path, in which a key may be as long as a file

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

void Diagnostics::push_back(Diagnostic one) {
  if (only_count()) return;
  if (one.path.size() > kShownPath) one.path.replace(kShownPath, std::string::npos, "...");
  kept_.push_back(std::move(one));
}

bool Diagnostics::only_count() {
  if (kept_.size() < kMost) return false;
  ++more_;
  return true;
}

void Diagnostics::append(const Diagnostics& others) {
  for (const Diagnostic& one : others) push_back(one);
  more_ += others.more_;
}

void Diagnostics::clear() {
  kept_.clear();
  more_ = 0;
}

std::string to_text(const Diagnostics& diagnostics) {
  std::string out;
  for (const Diagnostic& diagnostic : diagnostics) out += diagnostic.text() + "\n";
  if (diagnostics.more() != 0) {
    out += fmt::format("and {} more faults, which are not shown: mend these first\n",
                       diagnostics.more());
  }
  return out;
}

std::string shown_line(const std::string& text, size_t begin, size_t end) {
  return text.substr(begin, std::min(end - begin, kShownColumns));
}

}  // namespace strobe::text
