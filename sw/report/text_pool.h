// Many texts that are mostly the same lines, each line kept once.
#pragma once

#include <cstddef>
#include <string>
#include <unordered_map>
#include <vector>

namespace strobe::report {

class TextPool {
 public:
  using Text = std::vector<size_t>;  // blocks

  /// @return the place of a block of lines, the same for the same lines
  size_t block(const std::string& lines);

  const std::vector<std::string>& lines() const { return lines_; }
  /// Each a list of places in lines().
  const std::vector<std::vector<size_t>>& blocks() const { return blocks_; }

 private:
  size_t line(const std::string& text);

  std::vector<std::string> lines_;
  std::vector<std::vector<size_t>> blocks_;
  std::unordered_map<std::string, size_t> line_places_, block_places_;
};

}  // namespace strobe::report
