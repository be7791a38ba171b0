#include "sw/config/tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <string_view>

#include "sw/config/includer.h"

namespace strobe::config {
namespace {

namespace fs = std::filesystem;

// What a replay may change: which profilers watch, and what is kept of them.
constexpr std::array<std::string_view, 5> kKeysOfReplays = {
    "profilers", "progress", "seed", "exhaustive_bytes", "exhaustive_profiles"};

std::optional<Change> parse_override(const std::string& text, const std::string& directory,
                                     text::Diagnostics* diagnostics) {
  yaml::Source source;
  source.name = "--set " + text::in_quotes(text);
  source.origin = "--set";
  source.directory = directory;
  source.is_override = true;
  const yaml::Mark mark{std::make_shared<const yaml::Source>(source), 0, 0};
  const size_t equals = text.find('=');
  const std::string path = text.substr(0, equals);
  if (equals == std::string::npos || path.empty() || path.front() == '.' || path.back() == '.' ||
      path.find("..") != std::string::npos) {
    diagnostics->push_back(mark.error("", "wrong form, expected a.b.0.c=VALUE"));
    return std::nullopt;
  }
  Change result;
  result.path = split_path(path);
  if (result.path.size() > static_cast<size_t>(yaml::kDeepestNesting)) {
    diagnostics->push_back(mark.error("", "the key path is too long"));
    return std::nullopt;
  }
  if (!yaml::parse_yaml(text.substr(equals + 1), source, &result.value, diagnostics))
    return std::nullopt;
  return result;
}

void build(yaml::Node* root, const std::string& directory, bool includes_allowed,
           const std::string& identity, const std::vector<std::string>& sets,
           const std::string& sets_directory, text::Diagnostics* diagnostics) {
  std::vector<Change> overrides;
  for (const std::string& text : sets) {
    auto change = parse_override(text, sets_directory, diagnostics);
    if (change) overrides.push_back(std::move(*change));
  }
  // `--set core.include=x` names another file in place of the first one, so it comes before the
  // includes are read; every other override has the last word.
  for (const Change& change : overrides) {
    if (change.path.back() == kInclude) apply(change, root, diagnostics);
  }
  Includer includer(directory, includes_allowed, diagnostics);
  std::vector<std::string> stack = {identity};
  includer.resolve(root, "", &stack);
  for (Change& change : overrides) {
    if (change.path.back() == kInclude) continue;
    std::string path;
    for (const std::string& step : change.path) path = yaml::join_path(path, step);
    includer.resolve(&change.value, path, &stack);
    apply(change, root, diagnostics);
  }
}

}  // namespace

std::vector<std::string> split_path(const std::string& path) {
  std::vector<std::string> steps;
  for (size_t start = 0; start <= path.size();) {
    const size_t dot = std::min(path.find('.', start), path.size());
    steps.push_back(path.substr(start, dot - start));
    start = dot + 1;
  }
  return steps;
}

void apply(const Change& change, yaml::Node* root, text::Diagnostics* diagnostics) {
  yaml::Node* node = root;
  std::string path;
  const yaml::Mark& mark = change.key_mark.source == nullptr ? change.value.mark : change.key_mark;
  for (const std::string& step : change.path) {
    if (node->kind == yaml::Node::Kind::kSequence) {
      const bool digits =
          !step.empty() && step.size() < 7 &&
          std::all_of(step.begin(), step.end(), [](char c) { return c >= '0' && c <= '9'; });
      if (!digits || std::stoul(step) >= node->items.size()) {
        diagnostics->push_back(
            mark.error(yaml::join_path(path, step),
                       fmt::format("no such list item, expected an index below {}, got {}",
                                   node->items.size(), text::in_quotes(step))));
        return;
      }
      node = &node->items[std::stoul(step)];
    } else if (node->kind == yaml::Node::Kind::kScalar) {
      diagnostics->push_back(
          mark.error(yaml::join_path(path, step),
                     "no such key, " + text::in_quotes(path) + " is a value, not a map"));
      return;
    } else {
      if (node->kind == yaml::Node::Kind::kNull) {
        node->kind = yaml::Node::Kind::kMap;
        node->mark = mark;
      }
      if (node->find(step) == nullptr) {
        yaml::Entry entry;
        entry.key = step;
        entry.key_mark = mark;
        entry.value.mark = mark;
        node->entries.push_back(std::move(entry));
      }
      yaml::Entry* entry = node->find(step);
      entry->key_mark = mark;
      node = &entry->value;
    }
    path = yaml::join_path(path, step);
  }
  *node = change.value;
}

bool load_tree(const std::string& file, const std::vector<std::string>& sets, yaml::Node* root,
               text::Diagnostics* diagnostics, const std::string& sets_directory) {
  const fs::path path(file);
  if (!yaml::parse_yaml_file(file, path.filename().string(), nullptr, "", root, diagnostics)) {
    return false;
  }
  std::error_code code;
  const fs::path canonical = fs::weakly_canonical(path, code);
  build(root, path.parent_path().string(), true, code ? file : canonical.string(), sets,
        sets_directory, diagnostics);
  return true;
}

bool load_tree_text(const std::string& text, const std::string& name,
                    const std::vector<std::string>& sets, yaml::Node* root,
                    text::Diagnostics* diagnostics) {
  yaml::Source source;
  source.name = source.origin = name;
  if (!yaml::parse_yaml(text, source, root, diagnostics)) return false;
  build(root, "", false, name, sets, "", diagnostics);
  return true;
}

bool load_replay_tree(const std::string& recorded, const std::string& profilers_file,
                      const std::vector<std::string>& sets, yaml::Node* root,
                      text::Diagnostics* diagnostics) {
  yaml::Node profilers;
  if (!load_tree(profilers_file, {}, &profilers, diagnostics)) return false;
  if (profilers.kind != yaml::Node::Kind::kSequence) {
    diagnostics->push_back(profilers.mark.error(
        "", "wrong type, expected a list of profilers, as under 'profilers' in a run file, got " +
                profilers.what()));
    return false;
  }
  if (profilers.items.empty()) {
    diagnostics->push_back(profilers.mark.error("", "expected at least one profiler, got none"));
    return false;
  }
  for (const std::string& text : sets) {
    const auto change = parse_override(text, "", diagnostics);
    if (!change) continue;
    const std::string& key = change->path.front();
    if (std::find(kKeysOfReplays.begin(), kKeysOfReplays.end(), key) != kKeysOfReplays.end()) {
      continue;
    }
    diagnostics->push_back(change->value.mark.error(
        "",
        "a replay cannot change the recorded run: expected a key of profilers, progress, seed, "
        "exhaustive_bytes or exhaustive_profiles, got " +
            text::in_quotes(key)));
  }
  if (!diagnostics->empty()) return false;
  yaml::Source source;
  source.name = source.origin = "recorded";
  if (!yaml::parse_yaml(recorded, source, root, diagnostics)) return false;
  yaml::Entry* entry = root->find("profilers");
  if (entry == nullptr) {
    diagnostics->push_back(root->mark.error("profilers", "missing key"));
    return false;
  }
  entry->value = std::move(profilers);
  build(root, "", false, "recorded", sets, "", diagnostics);
  return true;
}

}  // namespace strobe::config
