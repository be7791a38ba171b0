#include "sw/explore/space/sweep_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <iterator>
#include <set>

#include "sw/config/effective.h"
#include "sw/config/includer.h"
#include "sw/config/reader.h"
#include "sw/explore/space/axis_reader.h"
#include "sw/files/guest_files.h"
#include "sw/text/limits.h"
#include "sw/yaml/map_reader.h"
#include "sw/yaml/scalar.h"

namespace strobe::explore {
namespace {

using text::Diagnostics;
using yaml::Entry;
using yaml::MapReader;
using yaml::Node;

constexpr uint64_t kMost = uint64_t{1} << 62;
constexpr const char* kSearches[] = {"exhaustive", "random", "successive-halving", "nsga2"};

/// Reads the parts of a sweep file, with one function for each.
class FileReader {
 public:
  FileReader(const Node& root, SweepFile* file, Diagnostics* diagnostics)
      : map_(root, "", diagnostics),
        file_(file),
        diagnostics_(diagnostics),
        includer_(std::filesystem::path(file->path).parent_path().string(), true, diagnostics),
        axes_(&includer_, diagnostics) {}

  void read() {
    read_base();
    if (const Entry* grid = map_.find("grid")) axes_.read_grid(*grid);
    if (const Entry* zip = map_.find("zip")) axes_.read_zip(*zip);
    if (const Entry* list = map_.find("list")) axes_.read_list(*list);
    file_->axes = axes_.take();
    read_seeds();
    read_workloads();
    file_->where = read_conditions("where", Expression::Names::kKeys, &map_);
    read_objectives();
    file_->constraints = read_conditions("constraints", Expression::Names::kKeys, &map_);
    if (const Entry* question = map_.find("question")) {
      file_->question = read_question(question->value, diagnostics_);
    }
    read_search();
    read_limits();
    read_synthesis();
    read_launcher();
    map_.reject_unknown_keys();
  }

 private:
  void read_base() {
    const Entry* entry = map_.require("base");
    if (entry == nullptr) return;
    std::string why;
    const auto text = yaml::text_of(entry->value, &why);
    if (!text) return map_.error(entry->value.mark, "base", "wrong type, " + why);
    file_->base = config::resolve_path(*text, entry->value.mark.source->directory);
  }

  void read_seeds() {
    const Entry* entry = map_.find("seeds");
    if (entry == nullptr) return;
    std::set<uint64_t> known;
    for (const AxisValue& value : axes_.values(*entry, "seeds")) {
      std::string why;
      const auto seed = yaml::integer_of(value.node, &why);
      if (!seed) {
        map_.error(value.node.mark, "seeds", "wrong type, " + why);
      } else if (!known.insert(*seed).second) {
        map_.error(value.node.mark, "seeds",
                   fmt::format("expected each seed once, got {} again", *seed));
      } else {
        file_->seeds.push_back(*seed);
      }
    }
  }

  void read_workloads() {
    if (map_.find("workloads") == nullptr) {
      file_->workloads.push_back({"", Node()});
      return;
    }
    const std::vector<Node>* items = map_.list("workloads");
    if (items == nullptr) return;
    if (items->empty()) {
      map_.error(map_.find("workloads")->value.mark, "workloads",
                 "expected at least one workload, got none; leave the key out to use the run "
                 "file's workload");
    }
    text::Budget workloads(text::limits::kSweepWorkloads);
    for (const Node& item : *items) {
      if (!workloads.take()) {
        return map_.error(item.mark, "workloads", "too many workloads: " + workloads.excess());
      }
      read_workload(item);
    }
  }

  /// Reads the path of a YAML file, or a map that may include one and may have a name.
  void read_workload(const Node& item) {
    Workload workload;
    workload.node = item;
    std::string file;
    if (item.kind == Node::Kind::kScalar) {
      file = item.scalar;
      workload.node = Node();
      workload.node.kind = Node::Kind::kMap;
      workload.node.mark = item.mark;
      workload.node.entries.push_back({"include", item.mark, item});
    } else if (item.kind != Node::Kind::kMap) {
      return map_.error(item.mark, "workloads",
                        "wrong type, expected a file or a map, got " + item.what());
    } else if (const Entry* include = item.find("include")) {
      file = include->value.scalar;
    }
    workload.name = std::filesystem::path(file).stem().string();
    auto& entries = workload.node.entries;
    const auto name = std::find_if(entries.begin(), entries.end(),
                                   [](const Entry& entry) { return entry.key == "name"; });
    if (name != entries.end()) {
      workload.name = name->value.scalar;
      entries.erase(name);
    }
    const bool known = std::any_of(file_->workloads.begin(), file_->workloads.end(),
                                   [&](const Workload& w) { return w.name == workload.name; });
    if (workload.name.empty() || known) {
      map_.error(item.mark, "workloads",
                 fmt::format("expected a different name for each workload, got {}; give one "
                             "with 'name: ...'",
                             text::in_quotes(workload.name)));
    }
    includer_.resolve_part(&workload.node, "workload");
    file_->workloads.push_back(std::move(workload));
  }

  void read_objectives() {
    if (map_.find("objectives") == nullptr) return;
    const std::vector<Node>* items = map_.list("objectives");
    if (items == nullptr) return;
    for (const Node& item : *items) {
      const bool pair = item.kind == Node::Kind::kMap && item.entries.size() == 1 &&
                        (item.entries[0].key == "min" || item.entries[0].key == "max") &&
                        item.entries[0].value.kind == Node::Kind::kScalar;
      if (!pair) {
        map_.error(item.mark, "objectives",
                   "expected 'min: KEY' or 'max: KEY' of a result, got " + item.what());
        continue;
      }
      const Entry& entry = item.entries[0];
      const bool known =
          std::any_of(file_->objectives.begin(), file_->objectives.end(),
                      [&](const Objective& o) { return o.key == entry.value.scalar; });
      if (known) {
        map_.error(
            entry.value.mark, "objectives",
            "expected each objective once, got " + text::in_quotes(entry.value.scalar) + " again");
        continue;
      }
      file_->objectives.push_back({entry.value.scalar, entry.key == "max", entry.value.mark});
    }
  }

  void read_search() {
    const Entry* entry = map_.find("search");
    if (entry == nullptr) return;
    Node node = entry->value;
    if (node.kind == Node::Kind::kScalar) {
      node = Node();
      node.kind = Node::Kind::kMap;
      node.mark = entry->value.mark;
      node.entries.push_back({"kind", node.mark, entry->value});
    }
    MapReader map(node, "search", diagnostics_);
    Search& search = file_->search;
    const auto kind = map.text("kind");
    if (!kind) return;
    const auto found = std::find(std::begin(kSearches), std::end(kSearches), *kind);
    if (found == std::end(kSearches)) {
      return map.error(
          map.find("kind")->value.mark, "kind",
          fmt::format("unknown value, expected one of {}, got {}{}", fmt::join(kSearches, ", "),
                      text::in_quotes(*kind),
                      text::did_you_mean(*kind, {std::begin(kSearches), std::end(kSearches)})));
    }
    search.kind = static_cast<SearchKind>(found - std::begin(kSearches));
    if (search.kind != SearchKind::kExhaustive) {
      search.seed = map.integer_or("seed", 0, kMost, 1).value_or(1);
    }
    if (search.kind == SearchKind::kRandom || search.kind == SearchKind::kSuccessiveHalving) {
      search.points = map.integer("points", 1, 10'000'000).value_or(1);
    }
    if (search.kind == SearchKind::kSuccessiveHalving) {
      search.budget = map.text("budget").value_or("");
      search.from = map.integer("from", 1, kMost).value_or(1);
      search.to = map.integer("to", search.from, kMost).value_or(search.from);
      search.eta = map.integer_or("eta", 2, 100, 3).value_or(3);
    }
    if (search.kind == SearchKind::kNsga2) {
      search.population = map.integer_or("population", 8, 100'000, 24).value_or(24);
      search.generations = map.integer_or("generations", 1, 100'000, 10).value_or(10);
      if (search.population % 4 != 0) {
        map.error(node.mark, "population",
                  fmt::format("expected a multiple of 4, got {}", search.population));
      }
    }
    if (search.kind >= SearchKind::kSuccessiveHalving && file_->objectives.empty()) {
      map.error(node.mark, "kind", fmt::format("{} needs objectives, got none", *kind));
    }
    map.reject_unknown_keys();
  }

  void read_limits() {
    const Entry* entry = map_.find("limits");
    if (entry == nullptr) return;
    MapReader map(entry->value, "limits", diagnostics_);
    file_->limits.memory = map.integer_or("memory", 1 << 24, kMost, 0).value_or(0);
    file_->limits.seconds = map.integer_or("seconds", 1, 100'000'000, 0).value_or(0);
    file_->limits.runs = map.integer_or("runs", 1, kMost, 1000).value_or(1000);
    map.reject_unknown_keys();
  }

  void read_synthesis() {
    const Entry* entry = map_.find("synthesis");
    if (entry == nullptr) return;
    MapReader map(entry->value, "synthesis", diagnostics_);
    file_->synthesis.library = map.text_or("library", "osu018").value_or("osu018");
    file_->synthesis.macros = map.text_or("macros", "").value_or("");
    map.reject_unknown_keys();
  }

  void read_launcher() {
    const Entry* entry = map_.find("launcher");
    if (entry == nullptr) return;
    MapReader map(entry->value, "launcher", diagnostics_);
    file_->launcher.command = map.text_or("command", "").value_or("");
    if (map.find("sbatch") != nullptr) {
      if (const std::vector<Node>* options = map.list("sbatch")) {
        for (const Node& option : *options) file_->launcher.sbatch.push_back(option.scalar);
      }
    }
    const std::string& command = file_->launcher.command;
    if (!command.empty() && command.find("{command}") == std::string::npos) {
      map.error(map.find("command")->value.mark, "command",
                "expected {command} in it, where the run's command goes, got " +
                    text::in_quotes(command));
    }
    map.reject_unknown_keys();
  }

  MapReader map_;
  SweepFile* file_;
  Diagnostics* diagnostics_;
  config::Includer includer_;
  AxisReader axes_;
};

/// Whether the scalar reads back as itself inside a list or a map on one line.
bool is_plain(const std::string& scalar) {
  return !scalar.empty() && scalar.back() != ':' &&
         std::all_of(scalar.begin(), scalar.end(), [](char c) {
           return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' ||
                  c == '/' || c == '+' || c == '-' || c == ':';
         });
}

}  // namespace

SweepFile read_sweep_file(const std::string& path, Diagnostics* diagnostics) {
  SweepFile file;
  file.path = path;
  Node root;
  const std::string name = std::filesystem::path(path).filename().string();
  if (!yaml::parse_yaml_file(path, name, nullptr, "", &root, diagnostics)) return file;
  file.text = root.mark.source->text;
  if (root.kind != Node::Kind::kMap) {
    diagnostics->push_back(root.mark.error("", "wrong type, expected a map, got " + root.what()));
    return file;
  }
  const yaml::Entry* workload = root.find("workload");
  if (workload != nullptr && root.find("base") == nullptr) {
    diagnostics->push_back(workload->key_mark.error(
        "workload",
        "this is a run file: expected a sweep file, whose key base names one; start it "
        "with 'strobe run FILE --out DIR'"));
    return file;
  }
  FileReader(root, &file, diagnostics).read();
  return file;
}

std::string flow_text(const Node& node) {
  switch (node.kind) {
    case Node::Kind::kNull:
      return "null";
    case Node::Kind::kScalar:
      return node.quoted || !is_plain(node.scalar) ? config::yaml_text(node.scalar) : node.scalar;
    case Node::Kind::kSequence: {
      std::string text;
      for (const Node& item : node.items) text += (text.empty() ? "" : ", ") + flow_text(item);
      return "[" + text + "]";
    }
    case Node::Kind::kMap:
      break;
  }
  std::string text;
  for (const Entry& entry : node.entries) {
    text += (text.empty() ? "" : ", ") + entry.key + ": " + flow_text(entry.value);
  }
  return "{" + text + "}";
}

}  // namespace strobe::explore
