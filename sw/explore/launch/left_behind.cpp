#include "sw/explore/launch/left_behind.h"

#include <fmt/format.h>

#include <fstream>
#include <map>

#include "sw/explore/launch/launcher.h"
#include "sw/files/checksums.h"
#include "sw/files/sha256.h"
#include "sw/stream/stream_reader.h"

namespace strobe::explore {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

/// The noun for a key of a manifest that names an input.
const char* noun_of(const std::string& key) {
  static const std::map<std::string, const char*> kNouns = {{"strobe", "the simulator"},
                                                            {"elf", "the program"},
                                                            {"firmware", "the firmware"},
                                                            {"stdin", "the standard input"},
                                                            {"productions", "the production file"},
                                                            {"stream", "the stream"},
                                                            {"library", "the cell library"},
                                                            {"macros", "the memory macros"},
                                                            {"rtl", "the RTL"}};
  const auto found = kNouns.find(key);
  return found == kNouns.end() ? "the input" : found->second;
}

/// The beginning of the file's SHA-256.
std::string shown(const json& file) {
  constexpr size_t kShown = 16;
  const json sum = file.is_object() ? file.value("sha256", json()) : json();
  return sum.is_string() ? sum.get<std::string>().substr(0, kShown) + ".." : "none";
}

std::string difference(const std::string& key, const json& planned, const json& loaded) {
  if (planned == loaded) return "";
  const json name = planned.is_object() ? planned.value("name", json()) : json();
  return fmt::format(
      "{}{} was replaced during the sweep: the plan has SHA-256 {}, the run loaded {}; start the "
      "sweep again with --retry-failed",
      noun_of(key), name.is_string() ? " " + name.get<std::string>() : "", shown(planned),
      shown(loaded));
}

/// One sentence when the run file was edited before the run read it.
std::string edited_configuration(const Folder& folder, const RunRecord& record,
                                 const std::string& loaded) {
  if (record.configuration.empty() || record.configuration == loaded) return "";
  return fmt::format(
      "{} was edited during the sweep: the plan has a configuration with SHA-256 {}, the run "
      "loaded "
      "{}; start the sweep again with --retry-failed, which writes it anew",
      folder.job(record.id, ".yaml").string(), shown({{"sha256", record.configuration}}),
      shown({{"sha256", loaded}}));
}

/// The header of a stream identifies it; its blocks have checksums of their own.
std::string fault_of_stream(const Folder& folder, const RunRecord& record) {
  const fs::path file = folder.stream(record.id);
  std::ifstream in(file, std::ios::binary);
  if (!in) return fmt::format("{} is missing", file.string());
  try {
    return replaced_input(record.inputs, stream::StreamReader(in, file.string()).header());
  } catch (const stream::StreamError& error) {
    return error.what();
  }
}

/// The end of a run of which only the result is known, in the form in which its launcher would have
/// reported it.
RunEnd end_of_result(const Folder& folder, const RunRecord& record) {
  const json result = read_json(folder.run(record.id) / "result.json");
  constexpr int kCheckFailed = 1, kSimulation = 3, kTimeout = 4;  // exit codes of strobe run
  const std::string& ended = result.at("end").get_ref<const std::string&>();
  int code = 0;
  if (ended == "limit") {
    code = kTimeout;
  } else if (ended != "exited" && ended != "region") {
    code = record.kind == "replay" ? kCheckFailed : kSimulation;
  }
  for (const json& profiler : result.at("profilers")) {
    if (code == 0 && profiler.at("conserved") == false) code = kCheckFailed;
  }
  RunEnd end = end_of(code, 0, folder.job(record.id, ".log"));
  try {
    const json host = read_json(folder.run(record.id) / "host.json");
    host.at("host_seconds").get_to(end.seconds);
    host.at("peak_rss_bytes").get_to(end.peak_rss_bytes);
  } catch (const std::exception&) {  // the cost is unknown
  }
  return end;
}

}  // namespace

json identity_of(const fs::path& file) {
  try {
    return {{"name", file.filename().string()}, {"sha256", files::sha256_of_file(file.string())}};
  } catch (const std::runtime_error& error) {
    throw FolderError(error.what());
  }
}

std::string replaced_input(const json& planned, const json& loaded) {
  for (const auto& [key, plan] : planned.items()) {
    const json found = loaded.is_object() ? loaded.value(key, json()) : json();
    if (!plan.is_array()) {
      const std::string text = difference(key, plan, found);
      if (!text.empty()) return text;
      continue;
    }
    for (size_t i = 0; i < plan.size(); ++i) {
      const std::string text =
          difference(key, plan[i], found.is_array() && i < found.size() ? found[i] : json());
      if (!text.empty()) return text;
    }
  }
  return "";
}

std::string fault_of(const Folder& folder, const RunRecord& record) {
  if (record.kind == "record") return fault_of_stream(folder, record);
  const std::string damage = files::damage_of(folder.run(record.id));
  if (!damage.empty()) return damage;
  const json manifest = read_json(folder.run(record.id) / "manifest.json");
  const std::string replaced = replaced_input(record.inputs, manifest);
  if (!replaced.empty()) return replaced;
  // damage_of() has checked the manifest.
  const json sum = manifest.at("files").value("config.yaml", json());
  return edited_configuration(folder, record, sum.is_string() ? sum.get<std::string>() : "");
}

std::optional<RunEnd> left_end(const Folder& folder, const RunRecord& record, std::string* why) {
  const fs::path file = folder.job(record.id, ".end.json");
  std::optional<RunEnd> end;
  try {
    if (fs::exists(file)) end = read_json(file).get<RunEnd>();
  } catch (const std::exception& error) {
    *why = fmt::format("{} is damaged ({})", file.string(), error.what());
  }
  if (end && end->status != "done") return end;
  if (!end && !fs::exists(folder.run(record.id))) return std::nullopt;
  const std::string fault = fault_of(folder, record);
  if (!fault.empty()) {
    *why = fault;
    return std::nullopt;
  }
  try {
    return end ? *end : end_of_result(folder, record);
  } catch (const std::exception& error) {
    *why = fmt::format("{} is damaged ({})", (folder.run(record.id) / "result.json").string(),
                       error.what());
    return std::nullopt;
  }
}

}  // namespace strobe::explore
