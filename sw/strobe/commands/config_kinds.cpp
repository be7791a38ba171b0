#include "sw/strobe/commands/config_kinds.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "sw/config/json_schema.h"
#include "sw/config/load.h"
#include "sw/config/tree.h"
#include "sw/explore/space/sweep_file.h"
#include "sw/explore/space/sweep_schema.h"
#include "sw/synth/synth_files.h"

namespace strobe {
namespace {

std::vector<FileKind> all_kinds() {
  std::vector<FileKind> kinds = {{"run", "runs", true,
                                  [](const std::string& file, const Sets& sets) {
                                    return config::load_run_config(file, sets).diagnostics;
                                  },
                                  [] { return config::json_schema(); }}};
  for (const config::Part& part : config::parts()) {
    kinds.push_back({part.name, part.folder, true,
                     [&part](const std::string& file, const Sets& sets) {
                       return config::check_part(file, part, sets);
                     },
                     [&part] { return config::json_schema(part); }});
  }
  kinds.push_back({"sweep", "sweeps", false,
                   [](const std::string& file, const Sets&) {
                     text::Diagnostics diagnostics;
                     explore::read_sweep_file(file, &diagnostics);
                     return diagnostics;
                   },
                   explore::sweep_schema});
  kinds.push_back(
      {"synth", "synth", false,
       [](const std::string& file, const Sets&) { return synth::check_synth_file(file); },
       synth::synth_schema});
  return kinds;
}

/// How many of the keys of a map, or of the maps of a list, a schema knows.
size_t known_keys(const nlohmann::json& schema, const yaml::Node& node) {
  if (node.kind == yaml::Node::Kind::kSequence) {
    size_t known = 0;
    for (const yaml::Node& item : node.items) {
      if (schema.contains("items")) known += known_keys(schema.at("items"), item);
    }
    return known;
  }
  if (!schema.contains("properties")) return 0;
  const auto is_known = [&schema](const yaml::Entry& entry) {
    return schema.at("properties").contains(entry.key);
  };
  return static_cast<size_t>(std::count_if(node.entries.begin(), node.entries.end(), is_known));
}

}  // namespace

const std::vector<FileKind>& file_kinds() {
  static const std::vector<FileKind> kKinds = all_kinds();
  return kKinds;
}

std::vector<std::string> kind_names() {
  std::vector<std::string> names;
  for (const FileKind& kind : file_kinds()) names.push_back(kind.name);
  return names;
}

const FileKind& kind_named(const std::string& name) {
  return *std::find_if(file_kinds().begin(), file_kinds().end(),
                       [&name](const FileKind& kind) { return kind.name == name; });
}

const FileKind& kind_of(const std::string& file) {
  text::Diagnostics ignored;
  yaml::Node root;
  config::load_tree(file, {}, &root, &ignored);
  const std::string folder = std::filesystem::path(file).parent_path().filename().string();
  const FileKind* best = &file_kinds().front();
  size_t most = 0;
  for (const FileKind& kind : file_kinds()) {
    const size_t known = known_keys(nlohmann::json::parse(kind.schema()), root);
    if (known > most || (known == most && kind.folder == folder)) best = &kind;
    most = std::max(most, known);
  }
  return *best;
}

}  // namespace strobe
