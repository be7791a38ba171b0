#include "sw/optimize/edge_counts.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string_view>
#include <vector>

#include "sw/files/regular_file.h"
#include "sw/files/sha256.h"
#include "sw/text/diagnostic.h"
#include "sw/text/json_text.h"
#include "sw/text/limits.h"

namespace strobe::optimize {
namespace {

namespace fs = std::filesystem;

constexpr const char* kHeader = "tag,pc,value,count,symbol";

std::string text_of(const fs::path& file) {
  std::string text, why;
  if (!files::read_whole(file.string(), text::limits::kEdgeBytes, &text, &why)) {
    throw ProfileError(fmt::format(
        "{}: cannot be read: {}; give the result directory of a run with a profiler of branch "
        "edges",
        file.string(), why));
  }
  return text;
}

/// The profile of a directory that has one.
fs::path only_profile(const fs::path& directory) {
  std::vector<std::string> found;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(directory, error)) {
    const std::string name = entry.path().filename().string();
    if (name.rfind("profile.", 0) == 0 && entry.path().extension() == ".csv") found.push_back(name);
  }
  std::sort(found.begin(), found.end());
  if (found.size() == 1) return directory / found.front();
  std::string names;
  for (const std::string& name : found) names += (names.empty() ? "" : ", ") + name;
  throw ProfileError(fmt::format("{}: expected one profile.NAME.csv, got {}; name the file itself",
                                 directory.string(), found.empty() ? "none" : names));
}

/// Takes a number from the beginning of a line, and the comma after it.
template <typename Number>
bool take(std::string_view* line, int base, Number* number) {
  if (base == 16) {
    if (line->substr(0, 2) != "0x") return false;
    line->remove_prefix(2);
  }
  const auto [end, error] =
      std::from_chars(line->data(), line->data() + line->size(), *number, base);
  if (error != std::errc() || end == line->data() + line->size() || *end != ',') return false;
  line->remove_prefix(static_cast<size_t>(end - line->data()) + 1);
  return true;
}

profile::Profile profile_of(const std::string& text, const fs::path& file) {
  std::istringstream lines(text);
  std::string line;
  std::getline(lines, line);
  if (line != kHeader) {
    throw ProfileError(fmt::format("{}: expected the header '{}', got {}; give a profile.NAME.csv",
                                   file.string(), kHeader, text::in_quotes(line)));
  }
  profile::Entries entries;
  for (unsigned number = 2; std::getline(lines, line); ++number) {
    std::string_view rest = line;
    Tuple tuple;
    uint64_t count = 0;
    if (!take(&rest, 10, &tuple.tag) || !take(&rest, 16, &tuple.pc) ||
        !take(&rest, 16, &tuple.value) || !take(&rest, 10, &count)) {
      throw ProfileError(fmt::format(
          "{}:{}: expected a line '{}', got {}; write the profile again with strobe run",
          file.string(), number, kHeader, text::in_quotes(line)));
    }
    tuple.tag = 0;  // edges are known by their branch
    entries.emplace_back(tuple, count);
  }
  return profile::Profile(std::move(entries));
}

std::string program_of(const fs::path& directory) {
  const fs::path file = directory / "manifest.json";
  const nlohmann::json manifest = text::json_or_discarded(text_of(file));
  const nlohmann::json elf =
      manifest.is_object() ? manifest.value("elf", nlohmann::json()) : nullptr;
  const nlohmann::json hash = elf.is_object() ? elf.value("sha256", nlohmann::json()) : nullptr;
  if (!hash.is_string()) {
    throw ProfileError(fmt::format(
        "{}: expected the key elf.sha256, which says whose profile this is, got none; give the "
        "result directory of a run",
        file.string()));
  }
  return hash.get<std::string>();
}

}  // namespace

EdgeCounts read_edge_counts(const fs::path& path) {
  const bool is_directory = path.extension() != ".csv";
  const fs::path directory = is_directory ? path : path.parent_path();
  EdgeCounts counts;
  counts.program = program_of(directory);
  const fs::path file = is_directory ? only_profile(path) : path;
  counts.profile = profile_of(text_of(file), file);
  return counts;
}

void expect_profile_of(const fs::path& elf, const EdgeCounts& profile) {
  const std::string hash = files::sha256_of_file(elf.string());
  if (hash == profile.program) return;
  throw ProfileError(fmt::format(
      "the profile is of another program: expected that of {} with SHA-256 {}, got {}; profile "
      "this program",
      elf.string(), hash, profile.program));
}

std::string no_branch_of(const fs::path& elf) {
  return fmt::format(
      "the profile has no branch of {}: expected pairs of a branch's pc and the next pc; profile "
      "the program with a selector {{profile: edge}}",
      elf.string());
}

}  // namespace strobe::optimize
