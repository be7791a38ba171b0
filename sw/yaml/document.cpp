#include "sw/yaml/document.h"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <filesystem>
#include <sstream>
#include <unordered_map>

#include "sw/files/regular_file.h"
#include "sw/text/limits.h"

namespace strobe::yaml {
namespace {

/// Builds the tree from the parser's events.
class Builder : public YAML::EventHandler {
 public:
  Builder(std::shared_ptr<const Source> source, text::Diagnostics* diagnostics)
      : source_(std::move(source)), diagnostics_(diagnostics) {}

  void OnDocumentStart(const YAML::Mark& /*mark*/) override {}
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    begin_value(mark, "", anchor);
    Node node;
    node.mark = convert(mark);
    add(std::move(node));
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    begin_value(mark, "", anchor);
    Node node;
    node.mark = convert(mark);
    add(std::move(node));
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    begin_value(mark, tag, anchor);
    Node node;
    node.kind = Node::Kind::kScalar;
    node.mark = convert(mark);
    node.scalar = value;
    node.quoted = tag == "!";
    if (!node.quoted && (value.empty() || value == "null" || value == "~")) {
      node.kind = Node::Kind::kNull;
    }
    add(std::move(node));
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value /*style*/) override {
    start(mark, tag, anchor, Node::Kind::kSequence);
  }
  void OnSequenceEnd() override { finish(); }

  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value /*style*/) override {
    start(mark, tag, anchor, Node::Kind::kMap);
  }
  void OnMapEnd() override { finish(); }

  Node take_root() { return std::move(root_); }

 private:
  struct Open {
    Node node;
    bool have_key = false;
    Entry entry;
    bool keep = true;                            // false: the pending entry repeats a key
    std::unordered_map<std::string, int> lines;  // where each key is
  };

  Mark convert(const YAML::Mark& mark) const {
    return Mark{source_, mark.line + 1, mark.column + 1};
  }

  std::string path() const {
    std::string out;
    for (const Open& open : stack_) {
      if (open.node.kind == Node::Kind::kSequence) {
        out = join_path(out, std::to_string(open.node.items.size()));
      } else if (open.have_key) {
        out = join_path(out, open.entry.key);
      }
    }
    return out;
  }

  void fault(const Mark& mark, const std::string& key, const std::string& message) {
    if (diagnostics_->only_count()) return;
    diagnostics_->push_back(mark.error(key.empty() ? path() : join_path(path(), key), message));
  }
  void fault(const YAML::Mark& mark, const std::string& message) {
    fault(convert(mark), "", message);
  }

  void begin_value(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) {
    if (!values_.take()) throw YAML::ParserException(mark, "too large: " + values_.excess());
    if (anchor != YAML::NullAnchor) {
      fault(mark, "anchors and aliases (&name, *name) are not supported; use 'include' instead");
    }
    if (!tag.empty() && tag != "?" && tag != "!") {
      fault(mark, "YAML tags are not supported, got " + text::in_quotes(tag));
    }
  }

  void start(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
             Node::Kind kind) {
    begin_value(mark, tag, anchor);
    if (static_cast<int>(stack_.size()) >= kDeepestNesting) {
      // Unwinds the parser; parse_yaml turns it into a diagnostic.
      throw YAML::ParserException(
          mark, fmt::format("nested too deeply, expected at most {} levels", kDeepestNesting));
    }
    Open open;
    open.node.kind = kind;
    open.node.mark = convert(mark);
    stack_.push_back(std::move(open));
  }

  void finish() {
    Node node = std::move(stack_.back().node);
    stack_.pop_back();
    add(std::move(node));
  }

  void add(Node node) {
    if (stack_.empty()) {
      root_ = std::move(node);
      return;
    }
    Open& open = stack_.back();
    if (open.node.kind == Node::Kind::kSequence) {
      open.node.items.push_back(std::move(node));
    } else if (!open.have_key) {
      add_key(open, node);
    } else {
      open.entry.value = std::move(node);
      if (open.keep) open.node.entries.push_back(std::move(open.entry));
      open.entry = Entry{};
      open.have_key = false;
    }
  }

  void add_key(Open& open, const Node& node) {
    open.keep = true;
    if (node.scalar.size() > kLongestKey) {
      fault(node.mark, "",
            fmt::format("wrong key, expected at most {} characters, got {}", kLongestKey,
                        node.scalar.size()));
      open.keep = false;
    } else if (node.kind != Node::Kind::kScalar) {
      fault(node.mark, "", "wrong key, expected a name, got " + node.what());
      open.keep = false;
    } else if (node.scalar == "<<") {
      fault(node.mark, "", "merge keys (<<) are not supported; use 'include' instead");
      open.keep = false;
    } else {
      const auto [first, is_new] = open.lines.try_emplace(node.scalar, node.mark.line);
      open.keep = is_new;
      if (!is_new) {
        fault(
            node.mark, node.scalar,
            fmt::format("duplicate key, expected it once, first given in line {}", first->second));
      }
    }
    open.entry.key = node.scalar;
    open.entry.key_mark = node.mark;
    open.have_key = true;
  }

  std::shared_ptr<const Source> source_;
  text::Diagnostics* diagnostics_;
  text::Budget values_{text::limits::kYamlValues};
  std::vector<Open> stack_;
  Node root_;
};

std::vector<size_t> lines_of(const std::string& text) {
  std::vector<size_t> lines = {0};
  for (size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at + 1)) {
    lines.push_back(at + 1);
  }
  return lines;
}

}  // namespace

text::Diagnostic Mark::error(const std::string& path, const std::string& message) const {
  text::Diagnostic diagnostic;
  diagnostic.path = path;
  diagnostic.message = message;
  if (source == nullptr) return diagnostic;
  diagnostic.file = source->name;
  if (source->is_override) return diagnostic;
  diagnostic.line = line;
  diagnostic.column = column;
  if (line >= 1 && static_cast<size_t>(line) <= source->lines.size()) {
    const size_t begin = source->lines[static_cast<size_t>(line - 1)];
    const size_t end = std::min(source->text.find('\n', begin), source->text.size());
    diagnostic.source_line = text::shown_line(source->text, begin, end);
  }
  return diagnostic;
}

std::string Mark::origin() const {
  if (source == nullptr) return "";
  return source->is_override ? source->origin : fmt::format("{}:{}", source->origin, line);
}

const Entry* Node::find(const std::string& key) const {
  for (const Entry& entry : entries) {
    if (entry.key == key) return &entry;
  }
  return nullptr;
}

Entry* Node::find(const std::string& key) {
  return const_cast<Entry*>(static_cast<const Node*>(this)->find(key));
}

std::string Node::what() const {
  switch (kind) {
    case Kind::kNull:
      return "nothing";
    case Kind::kSequence:
      return "a list";
    case Kind::kMap:
      return "a map";
    case Kind::kScalar:
      break;
  }
  return text::in_quotes(scalar);
}

size_t values_in(const Node& node) {
  size_t count = 1;
  for (const Node& item : node.items) count += values_in(item);
  for (const Entry& entry : node.entries) count += 1 + values_in(entry.value);
  return count;
}

std::string join_path(const std::string& path, const std::string& key) {
  return path.empty() ? key : path + "." + key;
}

bool parse_yaml(const std::string& text, Source source, Node* root,
                text::Diagnostics* diagnostics) {
  const text::Limit& most = text::limits::kYamlBytes;
  if (text::exceeds(most, text.size())) {
    text::Diagnostic diagnostic;
    diagnostic.file = source.name;
    diagnostic.message = "the file is too large: " + text::excess(most, text.size());
    diagnostics->push_back(diagnostic);
    return false;
  }
  source.text = text;
  source.lines = lines_of(text);
  const auto shared = std::make_shared<const Source>(std::move(source));
  *root = Node{};
  root->mark = Mark{shared, 1, 1};
  Builder builder(shared, diagnostics);
  try {
    std::istringstream stream(text);
    YAML::Parser parser(stream);
    if (parser.HandleNextDocument(builder)) {
      *root = builder.take_root();
      if (root->mark.source == nullptr) root->mark = Mark{shared, 1, 1};
    }
    text::Diagnostics ignored;
    Builder rest(shared, &ignored);
    if (parser.HandleNextDocument(rest)) {
      diagnostics->push_back(
          rest.take_root().mark.error("", "a second YAML document, expected one document a file"));
    }
  } catch (const YAML::ParserException& error) {
    const Mark mark{shared, error.mark.line + 1, error.mark.column + 1};
    diagnostics->push_back(mark.error("", error.msg));
    return false;
  } catch (const YAML::Exception& error) {
    diagnostics->push_back(Mark{shared, 1, 1}.error("", error.msg));
    return false;
  }
  return true;
}

bool parse_yaml_file(const std::string& path, const std::string& origin, const Mark* from,
                     const std::string& from_path, Node* root, text::Diagnostics* diagnostics) {
  const auto refuse = [&](const std::string& why) {
    if (from != nullptr) {
      diagnostics->push_back(from->error(
          from_path,
          fmt::format("cannot read the included file {}: {}", text::in_quotes(path), why)));
    } else {
      text::Diagnostic diagnostic;
      diagnostic.file = path;
      diagnostic.message = "cannot read the file: " + why;
      diagnostics->push_back(diagnostic);
    }
    return false;
  };
  std::string text, why;
  if (!files::read_whole(path, text::limits::kYamlBytes, &text, &why)) return refuse(why);
  Source source;
  source.name = path;
  source.origin = origin;
  source.directory = std::filesystem::path(path).parent_path().string();
  return parse_yaml(text, source, root, diagnostics);
}

}  // namespace strobe::yaml
