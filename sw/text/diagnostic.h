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

using Diagnostics = std::vector<Diagnostic>;

/// All of them, one after the other, each ending in a newline.
std::string to_text(const Diagnostics& diagnostics);

/// Every form a value from outside takes in a message: quoted, control characters escaped, cut
/// after 60 characters.
std::string in_quotes(const std::string& value);

/// " (did you mean 'x'?)" for the candidate nearest to `word` (edit distance with transpositions of
/// at most a third of the word, at least 2, and less than half of the candidate), or "" when none
/// is near.
std::string did_you_mean(const std::string& word, const std::vector<std::string>& candidates);

}  // namespace strobe::text
