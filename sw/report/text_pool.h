// Stores many texts that consist mostly of the same lines, each line once.
#pragma once

#include <cstddef>
#include <string>
#include <unordered_map>
#include <vector>

namespace strobe::report {

class TextPool {
 public:
  using Text = std::vector<size_t>;  // indices of blocks

  /// @return the index of a block of lines; the same lines have the same index
  size_t block(const std::string& lines);

  const std::vector<std::string>& lines() const { return lines_; }
  /// The blocks, each a list of indices in lines().
  const std::vector<std::vector<size_t>>& blocks() const { return blocks_; }

 private:
  size_t line(const std::string& text);

  std::vector<std::string> lines_;
  std::vector<std::vector<size_t>> blocks_;
  std::unordered_map<std::string, size_t> line_places_, block_places_;
};

}  // namespace strobe::report
