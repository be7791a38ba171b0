#include "sw/report/configuration.h"

#include <fmt/format.h>

#include <sstream>

#include "sw/files/regular_file.h"
#include "sw/report/report_error.h"

namespace strobe::report {

std::string effective_configuration(const std::filesystem::path& file) {
  std::string text, why;
  if (!std::filesystem::exists(file)) return "";
  if (files::read_whole(file.string(), text::limits::kYamlBytes, &text, &why)) return text;
  throw ReportError(
      fmt::format("{} cannot be read: {}; run it again, which writes it", file.string(), why));
}

ConfigurationPieces split_configuration(const std::string& effective) {
  ConfigurationPieces pieces;
  std::string* piece = &pieces.before;
  bool in_list = false;
  std::istringstream stream(effective);
  for (std::string line; std::getline(stream, line);) {
    if (in_list && line.rfind("  - ", 0) == 0) {
      piece = &pieces.profilers.emplace_back();
    } else if (in_list && line[0] != ' ') {
      in_list = false;
      piece = &pieces.after;
    }
    in_list = in_list || line == "profilers:";
    *piece += line + "\n";
  }
  return pieces;
}

TextPool::Text configuration_of(const ConfigurationPieces& pieces,
                                const std::vector<size_t>& profilers, TextPool* pool) {
  TextPool::Text text = {pool->block(pieces.before)};
  for (const size_t place : profilers) {
    if (place < pieces.profilers.size()) text.push_back(pool->block(pieces.profilers[place]));
  }
  if (!pieces.after.empty()) text.push_back(pool->block(pieces.after));
  return text;
}

}  // namespace strobe::report
