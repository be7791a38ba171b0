#include "sw/config/reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "sw/config/keys/declarations.h"
#include "sw/files/guest_files.h"
#include "sw/text/limits.h"
#include "sw/yaml/map_reader.h"
#include "sw/yaml/scalar.h"

namespace strobe::config {
namespace {

namespace fs = std::filesystem;

bool is_path(TextUse use) { return use == TextUse::kPath || use == TextUse::kPathOrNull; }
bool may_be_null(TextUse use) { return use == TextUse::kTextOrNull || use == TextUse::kPathOrNull; }

std::string with_unit(const Key& key) { return key.unit.empty() ? "" : " " + key.unit; }

class Reader : public Visitor {
 public:
  Reader(yaml::MapReader* map, const std::string& directory, Extent extent,
         text::Diagnostics* diagnostics, ReadResult* result)
      : map_(map),
        directory_(directory),
        extent_(extent),
        diagnostics_(diagnostics),
        result_(result) {}

  void real(const Key& key, double& value, double minimum, double maximum) override {
    const yaml::Entry* entry = take(key);
    if (entry == nullptr) return;
    std::string why;
    const auto read = yaml::real_of(entry->value, &why);
    if (!read) return fault(key.name, entry->value, "wrong type, " + why);
    if (*read < minimum || *read > maximum) {
      return fault(key.name, entry->value,
                   fmt::format("out of range, expected {} to {}{}, got {}", minimum, maximum,
                               with_unit(key), entry->value.scalar));
    }
    value = *read;
  }

  void flag(const Key& key, bool& value) override {
    const yaml::Entry* entry = take(key);
    if (entry == nullptr) return;
    std::string why;
    const auto read = yaml::flag_of(entry->value, &why);
    if (!read) return fault(key.name, entry->value, "wrong type, " + why);
    value = *read;
  }

  void text(const Key& key, std::string& value, TextUse use) override {
    const yaml::Entry* entry = take(key);
    if (entry == nullptr) return;
    if (entry->value.kind == yaml::Node::Kind::kNull && may_be_null(use)) {
      value.clear();
      return;
    }
    read_text(key.name, entry->value, use, {}, &value);
  }

  void texts(const Key& key, std::vector<std::string>& values, TextUse use,
             const Names& names) override {
    const std::vector<yaml::Node>* items = take_list(key);
    if (items == nullptr) return;
    values.clear();
    for (size_t i = 0; i < items->size(); ++i) {
      const std::string name = yaml::join_path(key.name, std::to_string(i));
      result_->given[full(name)] = Given{(*items)[i].mark, ""};
      std::string value;
      if (read_text(name, (*items)[i], use, names, &value)) values.push_back(std::move(value));
    }
  }

  void interval(const Key& key, uint64_t& lowest, uint64_t& highest) override {
    const std::vector<yaml::Node>* items = take_list(key);
    if (items == nullptr) return;
    if (items->size() != 2) {
      return fault(
          key.name, map_->find(key.name)->value,
          fmt::format("wrong length, expected [lowest, highest], got {} items", items->size()));
    }
    uint64_t ends[2] = {lowest, highest};
    for (size_t i = 0; i < 2; ++i) {
      std::string why;
      const auto read = yaml::integer_of((*items)[i], &why);
      if (!read) {
        fault(key.name, (*items)[i], "wrong type, " + why);
      } else {
        ends[i] = *read;
      }
    }
    if (ends[0] > ends[1]) {
      return fault(key.name, (*items)[0],
                   fmt::format("empty interval, expected lowest <= highest, got [{:#x}, {:#x}]",
                               ends[0], ends[1]));
    }
    lowest = ends[0];
    highest = ends[1];
  }

  void section(const Key& key, const std::function<void(Visitor&)>& declare_keys) override {
    const yaml::Entry* entry = take(key);
    if (entry != nullptr) read_map(key.name, entry->value, declare_keys);
  }

 protected:
  void visit_integer(const Key& key, uint64_t& value, Range range) override {
    const yaml::Entry* entry = take(key);
    if (entry == nullptr) return;
    std::string why;
    const auto read = yaml::integer_of(entry->value, &why);
    if (!read) return fault(key.name, entry->value, "wrong type, " + why);
    if (*read < range.minimum || *read > range.maximum) {
      return fault(key.name, entry->value,
                   fmt::format("out of range, expected {} to {}{}, got {}", range.minimum,
                               range.maximum, with_unit(key), *read));
    }
    value = *read;
  }

  void visit_choice(const Key& key, std::string& value, const Names& names) override {
    const yaml::Entry* entry = take(key);
    if (entry == nullptr) return;
    read_text(key.name, entry->value, TextUse::kText, names, &value);
  }

  void visit_list(const Key& key, size_t /*size*/, const std::function<void(size_t)>& resize,
                  const std::function<void(Visitor&, size_t)>& declare_item) override {
    const std::vector<yaml::Node>* items = take_list(key);
    if (items == nullptr) return;
    const text::Limit& most = text::limits::kYamlItems;
    if (text::exceeds(most, items->size())) {
      return fault(key.name, map_->find(key.name)->value,
                   "the list is too long: " + text::excess(most, items->size()));
    }
    resize(items->size());
    for (size_t i = 0; i < items->size(); ++i) {
      const std::string name = yaml::join_path(key.name, std::to_string(i));
      result_->given[full(name)] = Given{(*items)[i].mark, ""};
      read_map(name, (*items)[i], [&](Visitor& visitor) { declare_item(visitor, i); });
    }
  }

 private:
  std::string full(const std::string& name) const { return yaml::join_path(map_->path(), name); }

  void fault(const std::string& name, const yaml::Node& node, const std::string& message) {
    result_->faulty.insert(full(name));
    map_->error(node.mark, name, message);
  }

  const yaml::Entry* take(const Key& key) {
    const bool required = key.required && extent_ == Extent::kRun;
    const yaml::Entry* entry = required ? map_->require(key.name) : map_->find(key.name);
    if (entry == nullptr) return nullptr;
    result_->given[full(key.name)] = Given{entry->value.mark, ""};
    if (!key.applies) {
      result_->faulty.insert(full(key.name));
      map_->error(entry->key_mark, key.name, "has no meaning here: " + key.applies_when);
      return nullptr;
    }
    return entry;
  }

  const std::vector<yaml::Node>* take_list(const Key& key) {
    const yaml::Entry* entry = take(key);
    if (entry == nullptr) return nullptr;
    if (entry->value.kind != yaml::Node::Kind::kSequence) {
      fault(key.name, entry->value, "wrong type, expected a list, got " + entry->value.what());
      return nullptr;
    }
    return &entry->value.items;
  }

  void read_map(const std::string& name, const yaml::Node& node,
                const std::function<void(Visitor&)>& declare_keys) {
    yaml::MapReader map(node, full(name), diagnostics_);
    if (node.kind != yaml::Node::Kind::kMap) {
      result_->faulty.insert(full(name));
      return;  // MapReader has said so
    }
    Reader reader(&map, directory_, extent_, diagnostics_, result_);
    declare_keys(reader);
    map.reject_unknown_keys();
  }

  bool read_text(const std::string& name, const yaml::Node& node, TextUse use, const Names& names,
                 std::string* value) {
    std::string why;
    const auto read = yaml::text_of(node, &why);
    if (!read) {
      fault(name, node, "wrong type, " + why);
      return false;
    }
    if (!names.empty() && std::find(names.begin(), names.end(), *read) == names.end()) {
      fault(name, node,
            fmt::format("unknown value, expected one of {}, got {}{}", fmt::join(names, ", "),
                        text::in_quotes(*read), text::did_you_mean(*read, names)));
      return false;
    }
    if (read->find('\0') != std::string::npos) {
      fault(name, node, "expected text without zero bytes, got one");
      return false;
    }
    if (is_path(use)) {
      if (read->empty()) {
        fault(name, node, "expected a path, got an empty text");
        return false;
      }
      *value = resolve_path(*read, node.mark.source->directory);
      result_->given[full(name)].written = from_run_file(*read, node.mark.source->directory);
    } else {
      *value = *read;
    }
    return true;
  }

  /// The path as it would be written in the run file itself.
  std::string from_run_file(const std::string& written, const std::string& directory) const {
    if (directory == directory_ || fs::path(written).is_absolute() ||
        files::prefixed_path(written)) {
      return written;
    }
    fs::path base = directory_.empty() ? fs::path(".") : fs::path(directory_);
    fs::path there = (directory.empty() ? fs::path(".") : fs::path(directory)) / written;
    if (base.is_absolute() != there.is_absolute()) {
      base = fs::absolute(base);
      there = fs::absolute(there);
    }
    return there.lexically_normal().lexically_relative(base.lexically_normal()).string();
  }

  yaml::MapReader* map_;
  const std::string& directory_;
  Extent extent_;
  text::Diagnostics* diagnostics_;
  ReadResult* result_;
};

}  // namespace

std::string resolve_path(const std::string& written, const std::string& directory) {
  if (const std::optional<std::string> path = files::prefixed_path(written)) return *path;
  return (fs::path(directory) / written).lexically_normal().string();
}

ReadResult read_run(const yaml::Node& root, const std::string& directory, Extent extent,
                    text::Diagnostics* diagnostics) {
  ReadResult result;
  yaml::MapReader map(root, "", diagnostics);
  if (root.kind != yaml::Node::Kind::kMap) return result;
  Reader reader(&map, directory, extent, diagnostics, &result);
  declare(reader, result.configuration);
  map.reject_unknown_keys();
  return result;
}

}  // namespace strobe::config
