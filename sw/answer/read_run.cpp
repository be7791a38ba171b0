#include "sw/answer/read_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>

#include "sw/answer/answer_error.h"
#include "sw/answer/csv_table.h"
#include "sw/answer/program_of_run.h"
#include "sw/config/load.h"
#include "sw/explore/store/record.h"
#include "sw/files/checksums.h"
#include "sw/result/make_result.h"
#include "sw/result/result_directory.h"
#include "sw/text/shown.h"

namespace strobe::answer {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr uint64_t kPartsOfACycle = 840;

class Reader {
 public:
  Reader(const fs::path& directory, const json& result, const config::LoadResult& loaded,
         RunProfile* run)
      : directory_(directory), result_(result), loaded_(loaded), run_(*run) {}

  void read_all(bool edited) {
    for (const json& profiler : result_.at("profilers")) read_profiler(profiler);
    for (const char* stem : {"handlers", "instrument"}) {
      read_handlers(stem, "edges", "edge");
      read_handlers(stem, "values", "value");
      read_handlers(stem, "call_pairs", "call_target");
      read_handlers(stem, "methods", "method");
    }
    if (edited) return;  // what is by the address of the edited program
    read_timer();
    read_truth();
  }

 private:
  /// The entries of a profile by tag; the names of its addresses go to the run.
  std::map<uint64_t, profile::Entries> entries_of(const fs::path& file) {
    std::map<uint64_t, profile::Entries> tags;
    for (CsvTable table(file); table.next();) {
      const Tuple tuple{table.number("pc"), table.number("value"), 0};
      tags[table.number("tag")].emplace_back(tuple, table.number("count"));
      run_.symbols.emplace(tuple.pc, table.text("symbol"));
    }
    return tags;
  }

  void read_profiler(const json& profiler) {
    const std::string name = profiler.at("name");
    const std::string file = result::profile_file_name(name);
    const auto events = profiler.at("events").get<uint64_t>();
    const auto messages = profiler.at("messages").get<uint64_t>();
    const bool exact = messages == events && profiler.at("message_counts") == profiler.at("events");
    const uint64_t seen = profiler.at("message_counts").get<uint64_t>();
    const json& tags = profiler.at("tags");
    const auto add = [&](const std::string& path, const std::string& source, bool all) {
      if (!fs::exists(directory_ / path)) return;
      auto by_tag = entries_of(directory_ / path);
      for (const auto& [key, about] : tags.items()) {
        const uint64_t tag = tag_of(key, name);
        Series series{source, about.at("profile"), "events"};
        series.counts = profile::Profile(std::move(by_tag[tag]));
        series.mispredicted = only_mispredicted(name, tag);
        series.thread = thread_of(name, tag);
        if (!all && messages != 0) series.period = std::max<uint64_t>(1, events / messages);
        if (!all) series.samples = seen == 0 ? 0 : samples(messages, series.counts.total(), seen);
        run_.series.push_back(std::move(series));
      }
    };
    add(file, name, exact);
    add(result::exhaustive_file_name(file), "exhaustive." + name, true);
  }

  uint64_t tag_of(const std::string& key, const std::string& profiler) const {
    uint64_t tag = 0;
    const char* const end = key.data() + key.size();
    const auto [rest, error] = std::from_chars(key.data(), end, tag);
    if (error == std::errc() && rest == end) return tag;
    throw AnswerError(fmt::format(
        "{} is damaged: expected numbers as keys of 'tags' of profiler '{}', got '{}'; run it "
        "again",
        (directory_ / "result.json").string(), text::shown(profiler), text::shown(key)));
  }

  std::vector<config::SelectorConfig> selectors_of(const std::string& profiler,
                                                   uint64_t tag) const {
    std::vector<config::SelectorConfig> found;
    for (const config::ProfilerConfig& one : loaded_.configuration.profilers) {
      if (one.name != profiler) continue;
      std::copy_if(one.selectors.begin(), one.selectors.end(), std::back_inserter(found),
                   [tag](const config::SelectorConfig& s) { return s.tag == tag; });
    }
    return found;
  }

  /// Whether the selectors of a tag take mispredicted instructions alone.
  bool only_mispredicted(const std::string& profiler, uint64_t tag) const {
    const auto selectors = selectors_of(profiler, tag);
    return !selectors.empty() &&
           std::all_of(selectors.begin(), selectors.end(), [](const config::SelectorConfig& s) {
             return s.prediction == config::Prediction::kMispredicted;
           });
  }

  /// The one thread that the selectors of a tag take.
  std::string thread_of(const std::string& profiler, uint64_t tag) const {
    const auto selectors = selectors_of(profiler, tag);
    const auto differs = [&](const config::SelectorConfig& s) {
      return s.thread != selectors.front().thread;
    };
    const bool one = std::none_of(selectors.begin(), selectors.end(), differs);
    return one && !selectors.empty() ? selectors.front().thread : "";
  }

  /// The messages of a tag: its part of all messages by counts.
  static uint64_t samples(uint64_t messages, uint64_t part, uint64_t whole) {
    return static_cast<uint64_t>(std::llround(
        static_cast<double>(messages) * static_cast<double>(part) / static_cast<double>(whole)));
  }

  void read_handlers(const std::string& stem, const std::string& name, const std::string& kind) {
    const std::string source = stem + "." + name;
    for (const bool all : {false, true}) {
      const std::string file = source + ".csv";
      const fs::path path = directory_ / (all ? result::exhaustive_file_name(file) : file);
      // Software signals have tables of another kind under these names.
      if (!fs::exists(path) || !CsvTable(path).has("count")) continue;
      Series series{all ? result::exhaustive_file_name(source) : source, kind, "events"};
      profile::Entries entries;
      for (auto& [tag, part] : entries_of(path)) {
        entries.insert(entries.end(), part.begin(), part.end());
      }
      series.counts = profile::Profile(std::move(entries));
      if (!all) add_samples(stem, name, &series);
      run_.series.push_back(std::move(series));
    }
  }

  /// The events that were collected; ephemeral instrumentation derives more counts from them.
  void add_samples(const std::string& stem, const std::string& name, Series* series) const {
    uint64_t samples = series->counts.total();
    const json instrument = result_.value("instrument", json::object());
    if (stem == "instrument") samples = std::min(samples, instrument.value("events", samples));
    series->samples = samples;
    const json& profiles = result_.at("profile");
    if (samples == 0 || !profiles.is_object() || !profiles.contains(name)) return;
    const uint64_t events = profiles.at(name).at("exhaustive_events");
    series->period = std::max<uint64_t>(1, events / samples);
  }

  void read_timer() {
    const fs::path file = directory_ / "timer.csv";
    if (!fs::exists(file)) return;
    Series series{"timer", "cycles", "samples"};
    series.counts = profile::Profile(std::move(entries_of(file)[0]));
    series.period = result_.at("timer").at("period");
    series.samples = series.counts.total();
    run_.series.push_back(std::move(series));
  }

  void read_truth() {
    const fs::path file = directory_ / "truth.csv";
    if (!fs::exists(file)) return;
    constexpr std::pair<const char*, const char*> kColumns[] = {
        {"cycles_840", "truth"},
        {"timer_840", "truth.timer"},
        {"dispatch_840", "truth.dispatch"},
        {"next_commit_840", "truth.next_commit"},
        {"time_proportional_840", "truth.time_proportional"}};
    std::map<std::string, profile::Entries> entries;
    uint64_t outside = ~uint64_t{0};  // of rows such as [machine mode], which have no address
    for (CsvTable table(file); table.next();) {
      const bool has_address = table.text("pc").rfind("0x", 0) == 0;
      const uint64_t pc = has_address ? table.number("pc") : outside--;
      run_.symbols.emplace(pc, has_address ? table.text("symbol") : table.text("pc"));
      for (const auto& [column, source] : kColumns) {
        if (table.has(column)) {
          entries[source].emplace_back(Tuple{pc, 0, 0}, table.number(column));
        }
      }
    }
    const uint64_t period = std::max<uint64_t>(1, result_.at("truth").at("period"));
    for (const auto& [column, source] : kColumns) {
      if (entries.find(source) == entries.end()) continue;
      const bool all = std::string(source) == "truth";
      Series series{source, "cycles", all ? "cycles" : "samples", kPartsOfACycle, all ? 1 : period};
      series.counts = profile::Profile(std::move(entries[source]));
      if (!all) series.samples = series.counts.total() / kPartsOfACycle;
      run_.series.push_back(std::move(series));
    }
  }

  const fs::path& directory_;
  const json& result_;
  const config::LoadResult& loaded_;
  RunProfile& run_;
};

void expect_whole(const fs::path& directory) {
  if (!fs::exists(directory / "result.json") || !fs::exists(directory / "manifest.json")) {
    throw AnswerError(fmt::format(
        "{} is not the result of a run: expected a directory with result.json, got {}; give what "
        "'strobe run --out' wrote",
        directory.string(),
        fs::exists(directory / "sweep.sqlite") ? "a sweep, which 'strobe report' shows"
        : fs::is_directory(directory)          ? "a directory without it"
        : fs::exists(directory)                ? "a file"
                                               : "nothing at that path"));
  }
  const std::string damage = files::damage_of(directory);
  if (damage.empty()) return;
  throw AnswerError(
      fmt::format("the run in {} is damaged: {}; run it again", directory.string(), damage));
}

}  // namespace

RunProfile read_run(const fs::path& directory, const std::string& program) {
  expect_whole(directory);
  RunProfile run;
  run.directory = directory.string();
  try {
    const json result = explore::read_json(directory / "result.json");
    const json manifest = explore::read_json(directory / "manifest.json");
    const int version = result.value("schema_version", 0);
    if (version != result::kSchemaVersion) {
      throw AnswerError(fmt::format(
          "the result in {} was written by another version of Strobe: expected schema version {}, "
          "got {}; use that version or run it again",
          run.directory, result::kSchemaVersion, version));
    }
    for (const char* figure : {"instructions", "cycles", "ipc", "overhead_measured"}) {
      const json& value = result.at(figure);
      run.figures[figure] = value.is_number() ? std::optional(value.get<double>()) : std::nullopt;
    }
    const config::LoadResult loaded =
        config::load_run_config((directory / "config.yaml").string(), {});
    if (loaded.good()) {
      run.frequency_ghz = loaded.configuration.core.frequency_ghz;
      run.timeline = loaded.configuration.trace.timeline;
    }
    run.program = program_of_run(directory, manifest, program);
    Reader(directory, result, loaded, &run).read_all(manifest.contains("instrumented"));
  } catch (const explore::FolderError& error) {
    throw AnswerError(
        fmt::format("the run in {} is damaged: {}; run it again", run.directory, error.what()));
  } catch (const json::exception& error) {
    throw AnswerError(explore::damage_of(directory / "result.json", error) + "; run it again");
  }
  return run;
}

}  // namespace strobe::answer
