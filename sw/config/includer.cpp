#include "sw/config/includer.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "sw/config/named_files.h"

namespace strobe::config {
namespace {

namespace fs = std::filesystem;

constexpr size_t kDeepestInclude = 32;

std::string identify(const fs::path& path) {
  std::error_code code;
  const fs::path canonical = fs::weakly_canonical(path, code);
  return code ? path.string() : canonical.string();
}

/// Adds to `node` what it does not say itself.
void merge(yaml::Node included, yaml::Node* node) {
  std::vector<yaml::Entry> own = std::move(node->entries);
  node->entries = std::move(included.entries);
  std::unordered_map<std::string, size_t> places;
  for (const yaml::Entry& entry : node->entries) places.emplace(entry.key, places.size());
  for (yaml::Entry& entry : own) {
    const auto place = places.find(entry.key);
    if (place == places.end()) {
      node->entries.push_back(std::move(entry));
      continue;
    }
    yaml::Entry& theirs = node->entries[place->second];
    if (theirs.value.kind == yaml::Node::Kind::kMap && entry.value.kind == yaml::Node::Kind::kMap) {
      merge(std::move(theirs.value), &entry.value);
    }
    theirs = std::move(entry);
  }
}

}  // namespace

void Includer::resolve(yaml::Node* node, const std::string& path, std::vector<std::string>* stack) {
  const std::string folder = folder_of_names(path);
  if (node->kind == yaml::Node::Kind::kScalar && !folder.empty()) {
    return include_named(node, path, folder, stack);
  }
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

void Includer::include(yaml::Node* node, const std::string& path, std::vector<std::string>* stack) {
  const yaml::Entry named = *node->find(kInclude);
  node->entries.erase(std::find_if(node->entries.begin(), node->entries.end(),
                                   [](const yaml::Entry& entry) { return entry.key == kInclude; }));
  const std::string key_path = yaml::join_path(path, kInclude);
  if (!take_file(named.value.mark, key_path)) return;
  if (named.value.kind != yaml::Node::Kind::kScalar || named.value.scalar.empty()) {
    diagnostics_->push_back(named.value.mark.error(
        key_path, "wrong type, expected the path of a YAML file, got " + named.value.what()));
    return;
  }
  if (!allowed_) {
    diagnostics_->push_back(named.value.mark.error(
        key_path, "'include' is not allowed here, because this text is not a file"));
    return;
  }
  const fs::path target =
      (fs::path(named.value.mark.source->directory) / named.value.scalar).lexically_normal();
  yaml::Node included;
  if (!read({target, origin_of(target), named.value.mark, key_path}, path, stack, &included)) {
    return;
  }
  merge(std::move(included), node);
}

void Includer::include_named(yaml::Node* node, const std::string& path, const std::string& folder,
                             std::vector<std::string>* stack) {
  const std::string name = std::move(node->scalar);
  node->kind = yaml::Node::Kind::kMap;  // what a faulty name stands for is not said to be wrong too
  if (!take_file(node->mark, path)) return;
  if (!allowed_) {
    diagnostics_->push_back(node->mark.error(
        path, fmt::format("wrong type, expected a map, got {}; a name of configs/{} is not allowed "
                          "here, because this text is not a file",
                          text::in_quotes(name), folder)));
    return;
  }
  const std::vector<std::string> names = names_in(folder);
  if (std::find(names.begin(), names.end(), name) == names.end()) {
    diagnostics_->push_back(node->mark.error(
        path,
        fmt::format("no such name, expected a map or one of {}, which configs/{} has, got {}{}; "
                    "{}: {{ include: FILE }} names another file",
                    fmt::join(names, ", "), folder, text::in_quotes(name),
                    text::did_you_mean(name, names), path)));
    return;
  }
  const File file = {named_file(folder, name), fmt::format("configs/{}/{}.yaml", folder, name),
                     node->mark, path};
  yaml::Node included;
  if (read(file, path, stack, &included)) *node = std::move(included);
}

bool Includer::take_file(const yaml::Mark& named_at, const std::string& key_path) {
  if (files_.take()) return true;
  if (!diagnostics_->only_count()) {
    diagnostics_->push_back(named_at.error(key_path, "too many includes: " + files_.excess()));
  }
  return false;
}

bool Includer::read(const File& file, const std::string& path, std::vector<std::string>* stack,
                    yaml::Node* included) {
  const auto refuse = [&](const std::string& message) {
    diagnostics_->push_back(file.named_at.error(file.key_path, message));
    return false;
  };
  if (stack->size() > kDeepestInclude) {
    return refuse(fmt::format("expected files that include each other at most {} deep, got more",
                              kDeepestInclude));
  }
  const std::string identity = identify(file.path);
  if (std::find(stack->begin(), stack->end(), identity) != stack->end()) {
    return refuse(fmt::format("include cycle, {} includes itself through {}",
                              text::in_quotes(file.path.string()),
                              text::in_quotes(file.named_at.source->name)));
  }
  std::error_code code;
  const auto size = fs::file_size(file.path, code);
  if (!code && !bytes_.take(size)) {
    return refuse("the included files are too large: " + bytes_.excess());
  }
  if (!yaml::parse_yaml_file(file.path.string(), file.origin, &file.named_at, file.key_path,
                             included, diagnostics_)) {
    return false;
  }
  if (included->kind != yaml::Node::Kind::kMap) {
    diagnostics_->push_back(
        included->mark.error(path, "wrong type, expected a map, got " + included->what()));
    return false;
  }
  stack->push_back(identity);
  resolve(included, path, stack);
  stack->pop_back();
  return true;
}

std::string Includer::origin_of(const fs::path& target) const {
  if (fs::path(target).is_absolute() != fs::path(directory_).is_absolute()) {
    return target.string();
  }
  const fs::path base = directory_.empty() ? fs::path(".") : fs::path(directory_);
  const fs::path relative = target.lexically_relative(base.lexically_normal());
  return relative.empty() ? target.string() : relative.string();
}

}  // namespace strobe::config
