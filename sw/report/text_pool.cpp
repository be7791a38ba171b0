#include "sw/report/text_pool.h"

#include <sstream>

namespace strobe::report {

size_t TextPool::line(const std::string& text) {
  const auto [place, is_new] = line_places_.emplace(text, lines_.size());
  if (is_new) lines_.push_back(text);
  return place->second;
}

size_t TextPool::block(const std::string& lines) {
  const auto [place, is_new] = block_places_.emplace(lines, blocks_.size());
  if (!is_new) return place->second;
  std::vector<size_t>& places = blocks_.emplace_back();
  std::istringstream stream(lines);
  for (std::string text; std::getline(stream, text);) places.push_back(line(text));
  return place->second;
}

}  // namespace strobe::report
