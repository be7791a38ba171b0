#include "sw/config/load.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <tuple>

#include "sw/config/check/check.h"
#include "sw/config/effective.h"
#include "sw/config/reader.h"
#include "sw/config/tree.h"

namespace strobe::config {
namespace {

/// In the order of the files' first fault, then by place.
void sort_by_place(text::Diagnostics* diagnostics) {
  std::vector<std::string> files;
  for (const text::Diagnostic& diagnostic : *diagnostics) {
    if (std::find(files.begin(), files.end(), diagnostic.file) == files.end()) {
      files.push_back(diagnostic.file);
    }
  }
  const auto place = [&](const text::Diagnostic& d) {
    return std::make_tuple(std::find(files.begin(), files.end(), d.file) - files.begin(), d.line,
                           d.column);
  };
  std::stable_sort(
      diagnostics->begin(), diagnostics->end(),
      [&](const text::Diagnostic& a, const text::Diagnostic& b) { return place(a) < place(b); });
}

/// Where a point of the region is given: what is wrong with it shows only with the program at hand.
void note_place(const ReadResult& read, const std::string& path, RegionPoint* point) {
  if (!point->given()) return;
  const std::string key = path + (point->symbol.empty() ? ".marker" : ".symbol");
  const auto given = read.given.find(key);
  if (given != read.given.end()) point->place = given->second.mark.error(key, "");
}

/// The same for the signals of an observer.
void note_signals(const ReadResult& read, ShimConfig* shim) {
  for (size_t i = 0; i < shim->signals.size(); ++i) {
    const std::string key = "shim.signals." + std::to_string(i);
    const auto given = read.given.find(key);
    shim->signal_places.push_back(given == read.given.end() ? text::Diagnostic()
                                                            : given->second.mark.error(key, ""));
  }
}

/// The files whose text is in the tree.
void collect_files(const yaml::Node& node, std::set<std::string>* files) {
  const yaml::Source* const source = node.mark.source.get();
  if (source != nullptr && !source->is_override) files->insert(source->name);
  for (const yaml::Node& item : node.items) collect_files(item, files);
  for (const yaml::Entry& entry : node.entries) collect_files(entry.value, files);
}

/// Whether it is a sweep file, which would have a fault for each of its keys: one sentence for all.
bool is_sweep_file(const yaml::Node& root, text::Diagnostics* diagnostics) {
  const yaml::Entry* base = root.find("base");
  if (base == nullptr || root.find("workload") != nullptr) return false;
  diagnostics->push_back(base->key_mark.error(
      "base",
      "this is a sweep file, which names a run file as its base: expected a run file; start "
      "it with 'strobe sweep FILE'"));
  return true;
}

/// @param recorded  what every profiler selects, of a recorded run; else null
void finish(const yaml::Node& root, const std::string& directory,
            const std::vector<SelectorConfig>* recorded, LoadResult* result) {
  if (is_sweep_file(root, &result->diagnostics)) return;
  ReadResult read = read_run(root, directory, Extent::kRun, &result->diagnostics);
  check(read, root, &result->diagnostics);
  if (recorded != nullptr) check_replay(&read, root, *recorded, &result->diagnostics);
  sort_by_place(&result->diagnostics);
  if (!result->good()) return;
  std::set<std::string> files;
  collect_files(root, &files);
  result->files.assign(files.begin(), files.end());
  result->configuration = read.configuration;
  derive(&result->configuration);
  const auto elf = read.given.find("workload.elf");
  if (elf != read.given.end()) result->configuration.workload.elf_name = elf->second.written;
  WorkloadConfig& workload = result->configuration.workload;
  note_place(read, "workload.roi.begin", &workload.roi_begin);
  note_place(read, "workload.roi.end", &workload.roi_end);
  note_signals(read, &result->configuration.shim);
  show_effective(read, result->configuration, result);
}

}  // namespace

LoadResult load_run_config(const std::string& file, const std::vector<std::string>& sets,
                           const std::string& sets_directory) {
  LoadResult result;
  yaml::Node root;
  if (!load_tree(file, sets, &root, &result.diagnostics, sets_directory)) return result;
  finish(root, std::filesystem::path(file).parent_path().string(), nullptr, &result);
  result.configuration.source = file;
  return result;
}

LoadResult load_run_text(const std::string& text, const std::string& name,
                         const std::vector<std::string>& sets) {
  LoadResult result;
  yaml::Node root;
  if (!load_tree_text(text, name, sets, &root, &result.diagnostics)) return result;
  finish(root, "", nullptr, &result);
  result.configuration.source = name;
  return result;
}

LoadResult load_run_tree(const yaml::Node& root, const std::string& directory) {
  LoadResult result;
  finish(root, directory, nullptr, &result);
  return result;
}

text::Diagnostics check_keys(const yaml::Node& root) {
  text::Diagnostics diagnostics;
  read_run(root, "", Extent::kRun, &diagnostics);
  sort_by_place(&diagnostics);
  return diagnostics;
}

text::Diagnostics check_part(const std::string& file, const Part& part,
                             const std::vector<std::string>& sets) {
  text::Diagnostics diagnostics;
  yaml::Node node;
  if (!load_tree(file, sets, &node, &diagnostics)) return diagnostics;
  const yaml::Node root = run_with(part, std::move(node));
  const std::string directory = std::filesystem::path(file).parent_path().string();
  check_part(read_run(root, directory, Extent::kPart, &diagnostics), root, &diagnostics);
  sort_by_place(&diagnostics);
  return diagnostics;
}

LoadResult load_replay_config(const std::string& recorded, const std::string& profilers_file,
                              const std::vector<std::string>& sets) {
  LoadResult original = load_run_text(recorded, "recorded", {});
  if (!original.good()) return original;
  LoadResult result;
  if (original.configuration.profilers.empty()) {
    text::Diagnostic fault;
    fault.file = "recorded";
    fault.message = "expected the profilers of the recorded run, got none; record it again";
    result.diagnostics.push_back(fault);
    return result;
  }
  yaml::Node root;
  if (!load_replay_tree(recorded, profilers_file, sets, &root, &result.diagnostics)) return result;
  finish(root, std::filesystem::path(profilers_file).parent_path().string(),
         &original.configuration.profilers.front().selectors, &result);
  result.configuration.source = profilers_file;
  return result;
}

}  // namespace strobe::config
