#include "sw/synth/tools/files.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>

#include "sw/files/cache.h"
#include "sw/files/regular_file.h"
#include "sw/files/run_tool.h"

namespace strobe::synth {
namespace {

namespace fs = std::filesystem;

constexpr size_t kShownLines = 12;

const std::map<std::string, std::string> kPackageOf = {
    {"yosys", "yosys"},           {"berkeley-abc", "berkeley-abc"},
    {"sta", "opensta"},           {"nextpnr-ice40", "nextpnr-ice40"},
    {"icepack", "fpga-icestorm"}, {"icetime", "fpga-icestorm"}};

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

bool in_path(const std::string& program) {
  std::istringstream folders(environment("PATH"));
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (access((folder + "/" + program).c_str(), X_OK) == 0) return true;
  }
  return false;
}

std::string last_lines(const std::string& text) {
  size_t at = text.size();
  for (size_t lines = 0; lines <= kShownLines && at != 0; ++lines) {
    const size_t newline = text.rfind('\n', at - 1);
    if (newline == std::string::npos) return text;
    at = newline;
  }
  return at == 0 ? text : text.substr(at + 1);
}

// The first line that begins with "Error:", or "".
std::string error_line(const std::string& text) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("Error:", 0) == 0) return line;
  }
  return "";
}

std::string package_version(const std::string& package) {
  std::string version = files::run_tool({"dpkg-query", "-W", "-f=${Version}", package}).output;
  while (!version.empty() && version.back() == '\n') version.pop_back();
  return version;
}

}  // namespace

std::string read_file(const fs::path& file) {
  static constexpr text::Limit kNetlists = {"netlists", uint64_t{1} << 30, "bytes", "split it"};
  return read_file(file, kNetlists);
}

std::string read_file(const fs::path& file, const text::Limit& limit) {
  std::string text, why;
  if (!files::read_whole(file.string(), limit, &text, &why)) {
    throw std::runtime_error(fmt::format("cannot read {}: {}", file.string(), why));
  }
  return text;
}

void write_file(const fs::path& file, const std::string& text) {
  std::ofstream stream(file, std::ios::binary);
  stream << text;
  stream.close();
  if (!stream) {
    throw std::runtime_error(
        fmt::format("cannot write {}: {}", file.string(), std::strerror(errno)));
  }
}

fs::path cache_directory() { return files::cache_folder("synth", "synthesis results"); }

void require_plain_path(const char* what, const fs::path& path) {
  const std::string text = path.string();
  const bool plain = std::all_of(text.begin(), text.end(), [](const char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::strchr("._-+,@%=:/~", c) != nullptr;
  });
  if (plain && !text.empty() && text[0] != '-' && text[0] != '~') return;
  throw std::invalid_argument(
      fmt::format("synthesis: {} is '{}': expected a path of letters, digits and ._-+,@%=:/ alone, "
                  "since it becomes part of scripts; choose another name",
                  what, text));
}

void require_tools(const std::vector<std::string>& programs) {
  for (const std::string& program : programs) {
    if (in_path(program)) continue;
    throw std::runtime_error(
        fmt::format("synthesis needs {}, which is not in PATH; install the Debian package {} "
                    "(sudo scripts/setup installs all of them)",
                    program, kPackageOf.at(program)));
  }
}

std::string run(const std::string& what, const std::vector<std::string>& command) {
  const files::ToolResult result = files::run_tool(command, source_directory().string());
  const std::string error = error_line(result.output);
  if (!error.empty())
    throw std::runtime_error(fmt::format("{} failed: {} says: {}", what, command.front(), error));
  if (result.exit_code != 0) {
    throw std::runtime_error(
        fmt::format("{} failed: {} ended with exit code {}; the end of its output:\n{}", what,
                    command.front(), result.exit_code, last_lines(result.output)));
  }
  return result.output;
}

std::vector<std::pair<std::string, std::string>> tool_versions() {
  std::vector<std::pair<std::string, std::string>> versions;
  for (const char* package : {"yosys", "berkeley-abc", "opensta", "nextpnr-ice40", "fpga-icestorm"})
    versions.emplace_back(package, package_version(package));
  return versions;
}

}  // namespace strobe::synth
