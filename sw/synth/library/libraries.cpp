#include "sw/synth/library/libraries.h"

#include <fmt/format.h>

#include <filesystem>
#include <stdexcept>

#include "sw/yaml/map_reader.h"

namespace strobe::synth {

std::vector<LibraryEntry> read_libraries(const std::string& file, text::Diagnostics* diagnostics) {
  std::vector<LibraryEntry> entries;
  yaml::Node root;
  if (!yaml::parse_yaml_file(file, file, nullptr, "", &root, diagnostics)) return entries;
  yaml::MapReader document(root, "", diagnostics);
  const auto* items = document.list("libraries");
  for (size_t i = 0; items != nullptr && i < items->size(); ++i) {
    yaml::MapReader reader((*items)[i], fmt::format("libraries.{}", i), diagnostics);
    LibraryEntry entry;
    entry.name = reader.text("name").value_or("");
    entry.file = reader.text("file").value_or("");
    entry.package = reader.text("package").value_or("");
    entry.feature_nm = static_cast<double>(reader.integer("feature_nm", 1, 10000).value_or(1));
    reader.reject_unknown_keys();
    entries.push_back(std::move(entry));
  }
  document.reject_unknown_keys();
  return entries;
}

LibraryEntry find_library(const std::vector<LibraryEntry>& known, const std::string& wanted) {
  std::vector<std::string> names;
  for (const LibraryEntry& entry : known) {
    names.push_back(entry.name);
    if (entry.name != wanted) continue;
    if (!std::filesystem::is_regular_file(entry.file)) {
      throw std::invalid_argument(
          fmt::format("library {}: no file {}; install the Debian package {} (sudo scripts/setup)",
                      entry.name, entry.file, entry.package));
    }
    return entry;
  }
  if (std::filesystem::is_regular_file(wanted))
    return {wanted, std::filesystem::absolute(wanted).string(), "", 0};
  throw std::invalid_argument(fmt::format("library: expected {} or a Liberty file, got {}{}",
                                          fmt::join(names, ", "), text::in_quotes(wanted),
                                          text::did_you_mean(wanted, names)));
}

}  // namespace strobe::synth
