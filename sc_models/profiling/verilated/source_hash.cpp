#include "sc_models/profiling/verilated/source_hash.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <vector>

#include "sc_models/profiling/verilated/rtl_object.h"
#include "sw/files/own_files.h"
#include "sw/files/run_tool.h"
#include "sw/files/sha256.h"

namespace strobe::profiling {
namespace {

namespace fs = std::filesystem;

std::string contents(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) {
    throw std::runtime_error(fmt::format(
        "cannot read {}: Verilating a parameter point at run time needs the project's source tree",
        file.string()));
  }
  return std::string(std::istreambuf_iterator<char>(stream), {});
}

std::vector<fs::path> sources(const fs::path& root) {
  std::vector<fs::path> files = {root / "sc_models/port/decode_engine.h",
                                 root / "sc_models/port/retire.h",
                                 root / "sc_models/port/path_interface.h",
                                 root / "sc_models/port/path_params.h",
                                 root / "sc_models/port/path_params_generated.h",
                                 root / "sc_models/profiling/verilated/build_point.sh",
                                 root / "sc_models/profiling/verilated/clock_edge.h",
                                 root / "sc_models/profiling/verilated/coverage.h",
                                 root / "sc_models/profiling/verilated/dise_model.cpp",
                                 root / "sc_models/profiling/verilated/dise_model.h",
                                 root / "sc_models/profiling/verilated/lane_ports.h",
                                 root / "sc_models/profiling/verilated/model.cpp",
                                 root / "sc_models/profiling/verilated/model_abi.h",
                                 root / "sc_models/profiling/verilated/model_context.h",
                                 root / "sc_models/profiling/verilated/parts_of.sh",
                                 root / "sc_models/profiling/verilated/pipelined_engine.h",
                                 root / "sc_models/profiling/verilated/wave_writer.h"};
  const fs::path rtl = root / "rtl";
  if (fs::is_directory(rtl)) {
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(rtl)) {
      if (entry.is_regular_file()) files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::string text_of_sources() {
  const fs::path root = files::source_directory();
  std::string text;
  for (const fs::path& file : sources(root)) {
    const std::string content = contents(file);
    text += fmt::format("{} {}\n", file.lexically_relative(root).string(), content.size());
    text += content;
  }
  return text;
}

}  // namespace

std::string hash_of_sources() { return files::sha256_of_text(text_of_sources()); }

std::string hash_of_build(const RtlTarget& target) {
  files::require_tool("verilator", "verilator");
  files::require_tool("g++", "g++");
  std::string text = name_of(target) + "\n";
  text += files::run_tool({"verilator", "--version"}).output;
  text += files::run_tool({"g++", "--version"}).output;
  return files::sha256_of_text(text + text_of_sources());
}

std::string changed_source(const fs::path& object) {
  const std::string list = object.string() + ".sources";
  std::ifstream stream(list);
  constexpr size_t kDigits = 64, kName = kDigits + 2;  // "SHA-256  name", as sha256sum writes it
  std::string line;
  size_t count = 0;
  for (; std::getline(stream, line); ++count) {
    if (line.size() <= kName) return fmt::format("{} is damaged", list);
    const std::string sum = line.substr(0, kDigits);
    const std::string source = (files::source_directory() / line.substr(kName)).string();
    std::error_code error;
    if (!fs::is_regular_file(source, error)) return fmt::format("{} is gone", source);
    if (files::sha256_of_file(source) != sum) return fmt::format("{} has changed since", source);
  }
  return count != 0 ? "" : fmt::format("what it was made of is not known without {}", list);
}

}  // namespace strobe::profiling
