// The search order of a point's shared object, and the cache of those built at run time.
#include "sc_models/profiling/verilated/rtl_object.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "sc_models/profiling/verilated/source_hash.h"
#include "sw/files/cache.h"
#include "sw/files/own_files.h"
#include "sw/files/run_tool.h"
#include "sw/files/sealed.h"
#include "sw/files/temporary.h"

namespace strobe::profiling {
namespace {

namespace fs = std::filesystem;

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/// Builds in a folder beside the object first, where the tools write; then seals and renames it, so
/// that a file with the object's name is complete.
void build(const RtlTarget& target, const fs::path& object) {
  const fs::path source = files::source_directory();
  const files::Temporary folder(object);
  const fs::path made = folder.path() / object.filename();
  fs::create_directory(folder.path());
  std::vector<std::string> command = {
      "bash",          (source / "sc_models/profiling/verilated/build_point.sh").string(),
      source.string(), target.top,
      made.string(),   name_of(target.format)};
  std::istringstream parameters(target.parameters);
  command.insert(command.end(), std::istream_iterator<std::string>(parameters), {});
  const files::ToolResult result = files::run_tool(command);
  if (result.exit_code != 0 || !fs::exists(made)) {
    throw std::runtime_error(fmt::format("Verilating {} failed (exit code {}):\n{}",
                                         name_of(target), result.exit_code, result.output));
  }
  files::place_sealed(made, object);
}

/// Why an object that build_point.sh made is not to be loaded; empty: it may be.
std::string fault_of(const fs::path& object) {
  const std::string damage = files::damage_of_sealed(object);
  if (!damage.empty()) return damage;
  const std::string changed = changed_source(object);
  return changed.empty() ? "" : "it is out of date: " + changed;
}

}  // namespace

WaveFormat wave_format(const std::string& file) {
  const std::string ending = fs::path(file).extension().string();
  if (file.empty()) return WaveFormat::kNone;
  if (ending == ".vcd") return WaveFormat::kVcd;
  if (ending == ".fst") return WaveFormat::kFst;
  throw std::invalid_argument(
      fmt::format("waveforms: expected a file name that ends in .vcd or .fst, got '{}'", file));
}

const char* name_of(WaveFormat format) {
  if (format == WaveFormat::kNone) return "none";
  return format == WaveFormat::kVcd ? "vcd" : "fst";
}

std::string point_key(const PathParams& params, WaveFormat format) {
  std::string key = describe_point(params, "", "_");
  if (key.empty()) key = "default";
  return format == WaveFormat::kNone ? key : key + "_" + name_of(format);
}

std::string name_of(const RtlTarget& target) {
  std::string key = target.parameters.empty() ? "default" : target.parameters;
  key.erase(std::remove(key.begin(), key.end(), '='), key.end());
  std::replace(key.begin(), key.end(), ' ', '_');
  if (target.format != WaveFormat::kNone) key += std::string("_") + name_of(target.format);
  return target.top + "_" + key;
}

std::string find_or_build_point(const PathParams& params, WaveFormat format) {
  return find_or_build({"strobe_profiler", describe_point(params, "=", " "), format});
}

std::string find_or_build(const RtlTarget& target) {
  const std::string name = "lib" + name_of(target) + ".so";
  if (const std::string given = environment("STROBE_RTL_DIR"); !given.empty()) {
    const fs::path object = fs::path(given) / name;
    if (fs::exists(object)) {
      const std::string fault = fault_of(object);
      if (fault.empty()) return object.string();
      throw std::runtime_error(
          fmt::format("{}, which STROBE_RTL_DIR gives, is not loaded: {}; make it again with "
                      "sc_models/profiling/verilated/build_point.sh, or unset STROBE_RTL_DIR",
                      object.string(), fault));
    }
  }
  const fs::path built = files::built_directory() / "rtl" / name;
  if (fs::exists(built) && fault_of(built).empty()) return built.string();

  const fs::path folder = files::cache_folder("rtl", "Verilated objects") / hash_of_build(target);
  const fs::path object = folder / name;
  if (files::is_whole(object)) return object.string();
  try {
    files::make_own_folder(folder);
  } catch (const fs::filesystem_error& error) {
    throw std::runtime_error(
        fmt::format("cannot make {}: {}; set STROBE_CACHE to a folder that can be written",
                    folder.string(), error.code().message()));
  }
  const files::FileLock lock(folder / "lock");
  files::sweep_leftovers(folder);
  // The previous holder of the lock may have built it.
  if (!files::is_whole(object)) build(target, object);
  return object.string();
}

}  // namespace strobe::profiling
