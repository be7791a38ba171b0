// What is wrong with a configuration, and where: one record a fault, all of them collected.
#pragma once

#include <string>
#include <vector>

namespace strobe::text {

struct Diagnostic {
  std::string file;  // as the user named it; "--set 'text'" for a command-line override
  int line = 0;      // from 1; 0: the file as a whole, or an override
  int column = 0;    // from 1
  std::string path;  // key path such as "profilers.0.rate"; empty: the whole document
  std::string message;
  std::string source_line;

  /// `file:line:col: error: path: message`, then the source line and a caret under the column.
  std::string text() const;
};

/// All faults of a document: the first ones in full, and the number of the others. A small file can
/// hold very many, each with its message and its line.
class Diagnostics {
 public:
  static constexpr size_t kMost = 100;  // that are kept

  void push_back(Diagnostic one);
  void append(const Diagnostics& others);
  /// Counts a fault that would not be kept, which saves the caller from wording it.
  /// @return whether it did; else push_back() keeps the fault
  bool only_count();
  void clear();

  /// The number of faults, also of those that are not kept.
  size_t size() const { return kept_.size() + more_; }
  bool empty() const { return kept_.empty(); }
  /// The number of faults that are not kept.
  size_t more() const { return more_; }

  // Those that are kept.
  const Diagnostic& operator[](size_t index) const { return kept_[index]; }
  std::vector<Diagnostic>::iterator begin() { return kept_.begin(); }
  std::vector<Diagnostic>::iterator end() { return kept_.end(); }
  std::vector<Diagnostic>::const_iterator begin() const { return kept_.begin(); }
  std::vector<Diagnostic>::const_iterator end() const { return kept_.end(); }

 private:
  std::vector<Diagnostic> kept_;
  size_t more_ = 0;
};

/// All that are kept, one after the other, and the number of the others, each ending in a newline.
std::string to_text(const Diagnostics& diagnostics);

/// The part that a message shows of the line of `text` from `begin` to `end`.
std::string shown_line(const std::string& text, size_t begin, size_t end);

/// Every form a value from outside takes in a message: quoted, control characters escaped, cut
/// after 60 characters.
std::string in_quotes(const std::string& value);

/// " (did you mean 'x'?)" for the candidate nearest to `word` (edit distance with transpositions of
/// at most a third of the word, at least 2, and less than half of the candidate), or "" when none
/// is near.
std::string did_you_mean(const std::string& word, const std::vector<std::string>& candidates);

}  // namespace strobe::text
