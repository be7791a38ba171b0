#include "sw/report/run_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>

#include "sw/explore/store/csv.h"
#include "sw/explore/store/record.h"
#include "sw/files/checksums.h"
#include "sw/report/report_error.h"
#include "sw/result/make_result.h"
#include "sw/result/result_directory.h"
#include "sw/result/result_table.h"
#include "sw/text/json_text.h"

namespace strobe::report {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// One CSV file of the directory, read record by record after its header.
class CsvTable {
 public:
  explicit CsvTable(const fs::path& file) : stream_(file) { std::getline(stream_, line_); }

  /// @return whether there is another record; it has at least `columns` fields
  bool next(size_t columns) {
    if (!explore::csv_record(stream_, &line_)) return false;
    fields_ = explore::csv_fields(line_);
    fields_.resize(std::max(columns, fields_.size()));
    return true;
  }
  const std::string& operator[](size_t column) const { return fields_[column]; }
  /// The number in a column; null for an empty field.
  Json number(size_t column) const {
    const nlohmann::json value = text::json_or_discarded(fields_[column]);
    return value.is_number() ? Json(value) : Json();
  }

 private:
  std::ifstream stream_;
  std::string line_;
  std::vector<std::string> fields_;
};

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
  CsvTable table(file);
  while (table.next(6)) {
    const auto [place, is_new] = places.emplace(table[0], curves.size());
    if (is_new) {
      curves.push_back({{"profiler", table[0]},
                        {"events", Json::array()},
                        {"overlap", Json::array()},
                        {"invariance_error", Json::array()}});
    }
    Json& curve = curves[place->second];
    curve["events"].push_back(table.number(1));
    curve["overlap"].push_back(table.number(5));
    curve["invariance_error"].push_back(table.number(4));
  }
  return curves;
}

/// The distributions in shim.rates.csv.
Json rates_of(const fs::path& file) {
  Json rates = {{"rate", Json::array()},
                {"kept", Json::array()},
                {"all", Json::array()},
                {"true", Json::array()}};
  for (CsvTable table(file); table.next(7);) {
    rates["rate"].push_back(table.number(0));
    rates["kept"].push_back(table.number(1));
    rates["all"].push_back(table.number(5));
    rates["true"].push_back(table.number(6));
  }
  return rates;
}

Json profile_of(const fs::path& file, const std::string& name) {
  Json entries = Json::array();
  size_t lines = 0;
  for (CsvTable table(file); table.next(5); ++lines) {
    if (lines >= kMostEntries) continue;
    entries.push_back({table.number(0), table[1], table[2], table.number(3), table[4]});
  }
  return {{"profiler", name}, {"tuples", lines}, {"entries", entries}};
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
  std::ifstream configuration(directory / "config.yaml", std::ios::binary);
  Json out = {{"schema_version", 1},
              {"kind", "run"},
              {"name", fs::absolute(directory).lexically_normal().filename().string()}};
  out.update(manifest);
  out["configuration"] = std::string(std::istreambuf_iterator<char>(configuration), {});
  out["result"] = result;
  out["progress"] = progress_of(directory / "progress.csv");
  const fs::path rates = directory / "shim.rates.csv";
  if (fs::exists(rates)) out["rates"] = rates_of(rates);
  out["profiles"] = Json::array();
  for (const nlohmann::json& profiler : result.at("profilers")) {
    const std::string name = profiler.at("name");
    const fs::path file = directory / result::profile_file_name(name);
    if (fs::exists(file)) out["profiles"].push_back(profile_of(file, name));
  }
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
