#include "sw/report/run_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "sw/answer/csv_table.h"
#include "sw/answer/read_run.h"
#include "sw/explore/store/csv.h"
#include "sw/explore/store/record.h"
#include "sw/files/checksums.h"
#include "sw/profile/reports/export.h"
#include "sw/report/configuration.h"
#include "sw/report/report_error.h"
#include "sw/result/make_result.h"
#include "sw/result/result_directory.h"
#include "sw/result/result_table.h"
#include "sw/result/warnings.h"
#include "sw/text/json_text.h"

namespace strobe::report {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// The number in a column; null for an empty field.
Json number(const answer::CsvTable& table, const char* column) {
  const nlohmann::json value = text::json_or_discarded(table.text(column));
  return value.is_number() ? Json(value) : Json();
}

/// Returns the result of `read` for a file of the directory.
template <class Read>
auto of_json(const fs::path& directory, const char* name, Read read) {
  try {
    return read(explore::read_json(directory / name));
  } catch (const explore::FolderError& error) {
    throw ReportError(fmt::format("the run in {} is damaged: {}; run it again", directory.string(),
                                  error.what()));
  } catch (const nlohmann::json::exception& error) {
    throw ReportError(explore::damage_of(directory / name, error) + "; run it again");
  }
}

/// The columns of progress.csv, a curve for each profiler.
Json progress_of(const fs::path& file) {
  Json curves = Json::array();
  std::map<std::string, size_t> places;
  for (answer::CsvTable table(file); table.next();) {
    const std::string& profiler = table.text("profiler");
    const auto [place, is_new] = places.emplace(profiler, curves.size());
    if (is_new) {
      curves.push_back({{"profiler", profiler},
                        {"events", Json::array()},
                        {"overlap", Json::array()},
                        {"invariance_error", Json::array()}});
    }
    Json& curve = curves[place->second];
    for (const char* column : {"events", "overlap", "invariance_error"}) {
      curve[column].push_back(number(table, column));
    }
  }
  return curves;
}

/// The distributions in shim.rates.csv.
Json rates_of(const fs::path& file) {
  Json rates;
  for (const char* column : {"rate", "kept", "all", "true"}) rates[column] = Json::array();
  for (answer::CsvTable table(file); table.next();) {
    for (auto& [column, values] : rates.items()) {
      values.push_back(number(table, column.c_str()));
    }
  }
  return rates;
}

/// The largest entries of a profile in the program's words.
Json profile_of(const answer::RunProfile& run, const answer::Series& series) {
  const bool jumps = series.kind == "edge" || series.kind == "call_target";
  profile::Entries largest = series.counts.entries();
  std::stable_sort(largest.begin(), largest.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  if (largest.size() > kMostEntries) largest.resize(kMostEntries);
  Json entries = Json::array();
  for (const auto& [tuple, count] : largest) {
    entries.push_back(Json::array(
        {profile::hexadecimal(tuple.pc), profile::hexadecimal(tuple.value), series.amount(count),
         run.symbol(tuple.pc), jumps ? run.symbol(tuple.value) : std::string(),
         run.place(tuple.pc).where()}));
  }
  return {{"profiler", series.source},
          {"kind", series.kind},
          {"unit", series.unit},
          {"total", series.total()},
          {"tuples", series.counts.entries().size()},
          {"entries", entries}};
}

Json profiles_of(const fs::path& directory) {
  Json profiles = Json::array();
  const answer::RunProfile run = answer::read_run(directory, "");
  for (const answer::Series& series : run.series) profiles.push_back(profile_of(run, series));
  return profiles;
}

}  // namespace

Json read_run(const fs::path& directory) {
  const auto read_result = [&directory](const nlohmann::json& result) {
    const int version = result.value("schema_version", 0);
    if (version != result::kSchemaVersion) {
      throw ReportError(
          fmt::format("the result in {} was written by another version of Strobe: expected schema "
                      "version {}, got {}; use that version or run it again",
                      directory.string(), result::kSchemaVersion, version));
    }
    result::result_table(result);  // checks all of the result
    return result;
  };
  const auto read_manifest = [](const nlohmann::json& manifest) {
    return Json{
        {"version", manifest.value("version", "")},
        {"git_id", manifest.value("git_id", nlohmann::json())},
        {"command", explore::shell_text(manifest.at("command").get<std::vector<std::string>>())}};
  };
  const nlohmann::json result = of_json(directory, "result.json", read_result);
  const Json manifest = of_json(directory, "manifest.json", read_manifest);
  const std::string damage = files::damage_of(directory);
  if (!damage.empty()) {
    throw ReportError(
        fmt::format("the run in {} is damaged: {}; run it again", directory.string(), damage));
  }
  Json out = {{"schema_version", 1},
              {"kind", "run"},
              {"name", fs::absolute(directory).lexically_normal().filename().string()}};
  out.update(manifest);
  out["configuration"] = effective_configuration(directory / "config.yaml");
  out["result"] = result;
  out["warnings"] = result::warnings(result);
  out["progress"] = progress_of(directory / "progress.csv");
  const fs::path rates = directory / "shim.rates.csv";
  if (fs::exists(rates)) out["rates"] = rates_of(rates);
  out["profiles"] = profiles_of(directory);
  return out;
}

std::string run_csv(const Json& run) {
  std::string text;
  for (const Json& profiler : run.at("result").at("profilers")) {
    const bool first = text.empty();
    std::string names, values;
    for (const auto& [key, value] : profiler.items()) {
      if (value.is_structured()) continue;
      names += (names.empty() ? "" : ",") + key;
      values += (values.empty() ? "" : ",") + explore::csv_field(nlohmann::json(value));
    }
    if (first) text = names + "\n";
    text += values + "\n";
  }
  return text;
}

}  // namespace strobe::report
