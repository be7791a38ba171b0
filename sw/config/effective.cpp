#include "sw/config/effective.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "sw/config/keys/declarations.h"
#include "sw/files/guest_files.h"

namespace strobe::config {
namespace {

constexpr size_t kCommentColumn = 48;

enum class Paths {
  kFromRunFile,  // relative to the run file's directory, or as they were written
  kNames,        // without directories: the same wherever the run file is
};

/// The last part of a path; the path itself when it has none, as / and .. have.
std::string name_of(const std::string& path) {
  if (files::prefixed_path(path)) return path;
  std::filesystem::path normal = std::filesystem::path(path).lexically_normal();
  if (!normal.has_filename()) normal = normal.parent_path();
  return normal.has_filename() ? normal.filename().string() : path;
}

class Shower : public Visitor {
 public:
  Shower(const ReadResult& read, Paths paths, LoadResult* result)
      : read_(read), paths_(paths), result_(result) {}

  void real(const Key& key, double& value, double /*minimum*/, double /*maximum*/) override {
    show(key, yaml_real(value));
  }
  void flag(const Key& key, bool& value) override { show(key, value ? "true" : "false"); }

  void text(const Key& key, std::string& value, TextUse use) override {
    const bool null = value.empty() && (use == TextUse::kTextOrNull || use == TextUse::kPathOrNull);
    show(key, null ? "null" : yaml_text(written(full(key.name), value, use)));
  }

  void texts(const Key& key, std::vector<std::string>& values, TextUse use,
             const Names& /*names*/) override {
    std::string list;
    for (size_t i = 0; i < values.size(); ++i) {
      const std::string path = fmt::format("{}.{}", full(key.name), i);
      list += (i == 0 ? "" : ", ") + yaml_text(written(path, values[i], use));
    }
    show(key, "[" + list + "]");
  }

  void interval(const Key& key, uint64_t& lowest, uint64_t& highest) override {
    show(key, fmt::format("[{:#x}, {:#x}]", lowest, highest));
  }

  void section(const Key& key, const std::function<void(Visitor&)>& declare_keys) override {
    if (!key.applies) return;
    line(key.name + ":", "");
    nested(key.name, [&] { declare_keys(*this); });
  }

 protected:
  void visit_integer(const Key& key, uint64_t& value, Range /*range*/) override {
    show(key, std::to_string(value));
  }

  void visit_choice(const Key& key, std::string& value, const Names& /*names*/) override {
    show(key, value);
  }

  void visit_list(const Key& key, size_t size, const std::function<void(size_t)>& /*resize*/,
                  const std::function<void(Visitor&, size_t)>& declare_item) override {
    if (size == 0) return show(key, "[]");
    line(key.name + ":", "");
    nested(key.name, [&] {
      for (size_t i = 0; i < size; ++i) {
        item_ = true;
        nested(std::to_string(i), [&] { declare_item(*this, i); });
      }
    });
  }

 private:
  std::string full(const std::string& name) const { return yaml::join_path(path_, name); }

  template <class Body>
  void nested(const std::string& name, const Body& body) {
    const std::string outer = path_;
    path_ = full(name);
    ++depth_;
    body();
    --depth_;
    path_ = outer;
  }

  std::string written(const std::string& path, const std::string& value, TextUse use) const {
    if (use != TextUse::kPath && use != TextUse::kPathOrNull) return value;
    const auto found = read_.given.find(path);
    const std::string& shown = found == read_.given.end() ? value : found->second.written;
    return paths_ == Paths::kNames ? name_of(shown) : shown;
  }

  /// The key's own, or "derived" inside a list that the user did not give.
  std::string origin(const std::string& path) const {
    const auto found = read_.given.find(path);
    if (found != read_.given.end()) {
      const std::string origin = found->second.mark.origin();
      return paths_ == Paths::kNames ? name_of(origin) : origin;
    }
    return in_derived_list(path) ? "derived" : "default";
  }

  bool in_derived_list(const std::string& path) const {
    const size_t selectors = path.find(".selectors.");
    if (selectors == std::string::npos) return false;
    const std::string first_item = path.substr(0, selectors) + ".selectors.0";
    return read_.given.count(first_item) == 0;
  }

  void show(const Key& key, const std::string& value) {
    if (!key.applies) return;
    const std::string path = full(key.name);
    EffectiveValue shown;
    shown.path = path;
    shown.value = value;
    shown.origin = origin(path);
    shown.description =
        key.unit.empty() ? key.description : key.description + " [" + key.unit + "]";
    line(key.name + ": " + value, shown.origin);
    result_->values.push_back(std::move(shown));
  }

  void line(const std::string& text, const std::string& comment) {
    std::string out(2 * depth_, ' ');
    if (item_) {
      out.replace(out.size() - 2, 2, "- ");
      item_ = false;
    }
    out += text;
    if (!comment.empty()) {
      if (out.size() < kCommentColumn) out.resize(kCommentColumn, ' ');
      out += "  # " + comment;
    }
    result_->effective += out + "\n";
  }

  const ReadResult& read_;
  const Paths paths_;
  LoadResult* result_;
  std::string path_;
  size_t depth_ = 0;
  bool item_ = false;  // the next line is the first of a list item
};

}  // namespace

std::string yaml_text(const std::string& value) {
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '/' || c == '.' || c == '-' || c == ':' || c == '=' || c == '+';
  };
  const bool starts_well = !value.empty() && (std::isalpha(static_cast<unsigned char>(value[0])) ||
                                              value[0] == '/' || value[0] == '.');
  const bool keyword = value == "null" || value == "true" || value == "false";
  if (starts_well && !keyword && value.back() != ':' &&
      std::all_of(value.begin(), value.end(), plain)) {
    return value;
  }
  std::string out = "\"";
  for (const char c : value) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte < 0x20 || byte == 0x7f) {
      out += fmt::format("\\x{:02x}", byte);
    } else {
      out += c;
    }
  }
  return out + "\"";
}

std::string yaml_real(double value) { return fmt::format("{}", value); }

void show_effective(const ReadResult& read, const RunConfig& derived, LoadResult* result) {
  result->effective =
      "# The effective configuration: every value, and where it came from. Paths are relative to "
      "the "
      "run file.\n";
  RunConfig values = derived;
  Shower shower(read, Paths::kFromRunFile, result);
  declare(shower, values);

  LoadResult names;
  names.effective =
      "# The effective configuration: every value, and where it came from. Files are named without "
      "their directories.\n";
  Shower name_shower(read, Paths::kNames, &names);
  declare(name_shower, values);
  result->portable = names.effective;
}

}  // namespace strobe::config
