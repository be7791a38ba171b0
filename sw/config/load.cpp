#include "sw/config/load.h"

#include <algorithm>
#include <filesystem>
#include <tuple>

#include "sw/config/check.h"
#include "sw/config/effective.h"
#include "sw/config/reader.h"
#include "sw/config/tree.h"

namespace strobe::config {
namespace {

/// In the order of the files' first fault, then by place.
void sort_by_place(Diagnostics* diagnostics) {
  std::vector<std::string> files;
  for (const Diagnostic& diagnostic : *diagnostics) {
    if (std::find(files.begin(), files.end(), diagnostic.file) == files.end()) {
      files.push_back(diagnostic.file);
    }
  }
  const auto place = [&](const Diagnostic& d) {
    return std::make_tuple(std::find(files.begin(), files.end(), d.file) - files.begin(), d.line,
                           d.column);
  };
  std::stable_sort(diagnostics->begin(), diagnostics->end(),
                   [&](const Diagnostic& a, const Diagnostic& b) { return place(a) < place(b); });
}

/// Where a point of the region is given: what is wrong with it shows only with the program at hand.
void note_place(const ReadResult& read, const std::string& path, RegionPoint* point) {
  if (!point->given()) return;
  const std::string key = path + (point->symbol.empty() ? ".marker" : ".symbol");
  const auto given = read.given.find(key);
  if (given != read.given.end()) point->place = given->second.mark.error(key, "");
}

void finish(const Node& root, const std::string& directory, LoadResult* result) {
  ReadResult read = read_run(root, directory, &result->diagnostics);
  check(read, root, &result->diagnostics);
  sort_by_place(&result->diagnostics);
  if (!result->good()) return;
  result->configuration = read.configuration;
  derive(&result->configuration);
  const auto elf = read.given.find("workload.elf");
  if (elf != read.given.end()) result->configuration.workload.elf_name = elf->second.written;
  WorkloadConfig& workload = result->configuration.workload;
  note_place(read, "workload.roi.begin", &workload.roi_begin);
  note_place(read, "workload.roi.end", &workload.roi_end);
  show_effective(read, result->configuration, result);
}

}  // namespace

LoadResult load_run_config(const std::string& file, const std::vector<std::string>& sets) {
  LoadResult result;
  Node root;
  if (!load_tree(file, sets, &root, &result.diagnostics)) return result;
  finish(root, std::filesystem::path(file).parent_path().string(), &result);
  result.configuration.source = file;
  return result;
}

LoadResult load_run_text(const std::string& text, const std::string& name,
                         const std::vector<std::string>& sets) {
  LoadResult result;
  Node root;
  if (!load_tree_text(text, name, sets, &root, &result.diagnostics)) return result;
  finish(root, "", &result);
  result.configuration.source = name;
  return result;
}

}  // namespace strobe::config
