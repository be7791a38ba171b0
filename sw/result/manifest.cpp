#include "sw/result/manifest.h"

#include <sys/resource.h>

#include <filesystem>

#include "sw/result/make_result.h"

namespace strobe::result {

nlohmann::json identity(const InputFile& file) {
  if (file.path.empty()) return nullptr;
  return {{"name", std::filesystem::path(file.path).filename().string()}, {"sha256", file.sha256}};
}

nlohmann::json rtl_identity(const std::string& sha256) {
  return sha256.empty() ? nlohmann::json() : nlohmann::json{{"sha256", sha256}};
}

nlohmann::json make_manifest(const ManifestInput& input) {
  nlohmann::json productions = nlohmann::json::array();
  for (const InputFile& file : input.productions) productions.push_back(identity(file));
  nlohmann::json manifest = {
      {"schema_version", kSchemaVersion},
      {"version", input.version},
      {"git_id", input.git_id.empty() ? nlohmann::json() : nlohmann::json(input.git_id)},
      {"tools", input.tools},
      {"strobe", identity(input.strobe)},
      {"elf", identity(input.elf)},
      {"firmware", identity(input.firmware)},
      {"stdin", identity(input.standard_input)},
      {"productions", productions},
      {"rtl", rtl_identity(input.rtl)},
      {"seed", input.seed},
      {"command", input.command}};
  if (!input.debug.path.empty()) manifest["debug"] = identity(input.debug);
  if (!input.observer.path.empty()) manifest["observer"] = identity(input.observer);
  if (!input.link.path.empty()) manifest["link"] = identity(input.link);
  if (!input.instrumented.empty()) manifest["instrumented"] = {{"sha256", input.instrumented}};
  return manifest;
}

nlohmann::json make_host(double seconds, uint64_t instructions) {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  nlohmann::json mips;
  if (seconds > 0) mips = static_cast<double>(instructions) / seconds / 1e6;
  return {{"schema_version", kSchemaVersion},
          {"host_seconds", seconds},
          {"mips", mips},
          {"peak_rss_bytes", static_cast<uint64_t>(usage.ru_maxrss) * 1024}};
}

}  // namespace strobe::result
