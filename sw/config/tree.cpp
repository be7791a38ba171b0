#include "sw/config/tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <string_view>

namespace strobe::config {
namespace {

namespace fs = std::filesystem;

const std::string kInclude = "include";
constexpr size_t kMostIncludes = 100;  // files of one run
// What a replay may change: which profilers watch, and what is kept of them.
constexpr std::array<std::string_view, 5> kKeysOfReplays = {
    "profilers", "progress", "seed", "exhaustive_bytes", "exhaustive_profiles"};

/// Resolves the includes of one run.
class Includer {
 public:
  Includer(std::string directory, bool allowed, text::Diagnostics* diagnostics)
      : directory_(std::move(directory)), allowed_(allowed), diagnostics_(diagnostics) {}

  /// `stack`: the files being read, outermost first.
  void resolve(yaml::Node* node, const std::string& path, std::vector<std::string>* stack) {
    for (size_t i = 0; i < node->items.size(); ++i) {
      resolve(&node->items[i], yaml::join_path(path, std::to_string(i)), stack);
    }
    for (yaml::Entry& entry : node->entries) {
      if (entry.key != kInclude) resolve(&entry.value, yaml::join_path(path, entry.key), stack);
    }
    if (node->kind == yaml::Node::Kind::kMap && node->find(kInclude) != nullptr) {
      include(node, path, stack);
    }
  }

 private:
  void include(yaml::Node* node, const std::string& path, std::vector<std::string>* stack) {
    const yaml::Entry named = *node->find(kInclude);
    node->entries.erase(
        std::find_if(node->entries.begin(), node->entries.end(),
                     [](const yaml::Entry& entry) { return entry.key == kInclude; }));
    const std::string key_path = yaml::join_path(path, kInclude);
    const auto refuse = [&](const std::string& message) {
      diagnostics_->push_back(named.value.mark.error(key_path, message));
    };
    if (named.value.kind != yaml::Node::Kind::kScalar || named.value.scalar.empty()) {
      return refuse("wrong type, expected the path of a YAML file, got " + named.value.what());
    }
    if (!allowed_) return refuse("'include' is not allowed here, because this text is not a file");
    if (++count_ > kMostIncludes) {
      return refuse(fmt::format("too many includes, expected at most {}", kMostIncludes));
    }
    const fs::path target =
        (fs::path(named.value.mark.source->directory) / named.value.scalar).lexically_normal();
    const std::string identity = identify(target);
    if (std::find(stack->begin(), stack->end(), identity) != stack->end()) {
      return refuse(fmt::format("include cycle, {} includes itself through {}",
                                text::in_quotes(target.string()),
                                text::in_quotes(named.value.mark.source->name)));
    }
    yaml::Node included;
    if (!yaml::parse_yaml_file(target.string(), origin_of(target), &named.value.mark, key_path,
                               &included, diagnostics_)) {
      return;
    }
    if (included.kind != yaml::Node::Kind::kMap) {
      diagnostics_->push_back(
          included.mark.error(path, "wrong type, expected a map, got " + included.what()));
      return;
    }
    stack->push_back(identity);
    resolve(&included, path, stack);
    stack->pop_back();
    merge(std::move(included), node);
  }

  /// Adds to `node` what it does not say itself.
  static void merge(yaml::Node included, yaml::Node* node) {
    std::vector<yaml::Entry> own = std::move(node->entries);
    node->entries = std::move(included.entries);
    for (yaml::Entry& entry : own) {
      yaml::Entry* theirs = node->find(entry.key);
      if (theirs == nullptr) {
        node->entries.push_back(std::move(entry));
      } else if (theirs->value.kind == yaml::Node::Kind::kMap &&
                 entry.value.kind == yaml::Node::Kind::kMap) {
        merge(std::move(theirs->value), &entry.value);
        *theirs = std::move(entry);
      } else {
        *theirs = std::move(entry);
      }
    }
  }

  static std::string identify(const fs::path& path) {
    std::error_code code;
    const fs::path canonical = fs::weakly_canonical(path, code);
    return code ? path.string() : canonical.string();
  }

  std::string origin_of(const fs::path& target) const {
    if (fs::path(target).is_absolute() != fs::path(directory_).is_absolute()) {
      return target.string();
    }
    const fs::path base = directory_.empty() ? fs::path(".") : fs::path(directory_);
    const fs::path relative = target.lexically_relative(base.lexically_normal());
    return relative.empty() ? target.string() : relative.string();
  }

  std::string directory_;
  bool allowed_;
  text::Diagnostics* diagnostics_;
  size_t count_ = 0;
};

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
           text::Diagnostics* diagnostics) {
  std::vector<Change> overrides;
  for (const std::string& text : sets) {
    auto change = parse_override(text, directory, diagnostics);
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

bool resolve_includes(yaml::Node* node, const std::string& file, text::Diagnostics* diagnostics) {
  const size_t before = diagnostics->size();
  Includer includer(fs::path(file).parent_path().string(), true, diagnostics);
  std::vector<std::string> stack;
  includer.resolve(node, "", &stack);
  return diagnostics->size() == before;
}

bool load_tree(const std::string& file, const std::vector<std::string>& sets, yaml::Node* root,
               text::Diagnostics* diagnostics) {
  const fs::path path(file);
  if (!yaml::parse_yaml_file(file, path.filename().string(), nullptr, "", root, diagnostics)) {
    return false;
  }
  std::error_code code;
  const fs::path canonical = fs::weakly_canonical(path, code);
  build(root, path.parent_path().string(), true, code ? file : canonical.string(), sets,
        diagnostics);
  return true;
}

bool load_tree_text(const std::string& text, const std::string& name,
                    const std::vector<std::string>& sets, yaml::Node* root,
                    text::Diagnostics* diagnostics) {
  yaml::Source source;
  source.name = source.origin = name;
  if (!yaml::parse_yaml(text, source, root, diagnostics)) return false;
  build(root, "", false, name, sets, diagnostics);
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
  build(root, "", false, "recorded", sets, diagnostics);
  return true;
}

}  // namespace strobe::config
