#include "sw/files/checksums.h"

#include <fmt/format.h>

#include <stdexcept>

#include "sw/files/regular_file.h"
#include "sw/files/sha256.h"
#include "sw/text/json_text.h"

namespace strobe::files {

namespace fs = std::filesystem;
using nlohmann::json;

json checksums_of(const fs::path& directory) {
  json sums = json::object();
  for (const fs::directory_entry& entry : fs::directory_iterator(directory)) {
    const std::string name = entry.path().filename().string();
    if (name != "manifest.json" && name != "host.json") {
      sums[name] = sha256_of_file(entry.path().string());
    }
  }
  return sums;
}

std::string damage_of(const fs::path& directory) {
  const fs::path file = directory / "manifest.json";
  std::string text, why;
  if (!fs::exists(file)) return fmt::format("{} is missing", file.string());
  if (!read_whole(file.string(), text::limits::kJsonBytes, &text, &why)) {
    return fmt::format("{} cannot be read: {}", file.string(), why);
  }
  const json manifest = text::json_or_discarded(text);
  const auto files = manifest.is_object() ? manifest.find("files") : manifest.end();
  if (files == manifest.end() || !files->is_object() || !files->contains("result.json")) {
    return fmt::format(
        "{} is damaged: expected JSON with the checksums of the result under "
        "'files'",
        file.string());
  }
  for (const auto& [name, sum] : files->items()) {
    const fs::path path = directory / name;
    std::error_code error;
    if (!fs::is_regular_file(path, error)) return fmt::format("{} is missing", path.string());
    try {
      const std::string found = sha256_of_file(path.string());
      if (sum == found) continue;
      return fmt::format("{} is damaged: expected SHA-256 {}, got {}", path.string(),
                         sum.is_string() ? sum.get<std::string>() : text::json_text(sum), found);
    } catch (const std::runtime_error& fault) {
      return fault.what();
    }
  }
  return "";
}

}  // namespace strobe::files
