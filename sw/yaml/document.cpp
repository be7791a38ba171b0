#include "sw/yaml/document.h"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <filesystem>
#include <sstream>

#include "sw/files/regular_file.h"

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
    check_decoration(mark, "", anchor);
    Node node;
    node.mark = convert(mark);
    add(std::move(node));
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t /*anchor*/) override {
    fault(mark, "anchors and aliases (&name, *name) are not supported; use 'include' instead");
    Node node;
    node.mark = convert(mark);
    add(std::move(node));
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    check_decoration(mark, tag, anchor);
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
    bool keep = true;  // false: the pending entry repeats a key
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

  void fault(const YAML::Mark& mark, const std::string& message) {
    diagnostics_->push_back(convert(mark).error(path(), message));
  }

  void check_decoration(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) {
    if (anchor != YAML::NullAnchor) {
      fault(mark, "anchors and aliases (&name, *name) are not supported; use 'include' instead");
    }
    if (!tag.empty() && tag != "?" && tag != "!") {
      fault(mark, "YAML tags are not supported, got " + text::in_quotes(tag));
    }
  }

  void start(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
             Node::Kind kind) {
    check_decoration(mark, tag, anchor);
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
    if (node.kind != Node::Kind::kScalar) {
      diagnostics_->push_back(
          node.mark.error(path(), "wrong key, expected a name, got " + node.what()));
      open.keep = false;
    } else if (node.scalar == "<<") {
      diagnostics_->push_back(
          node.mark.error(path(), "merge keys (<<) are not supported; use 'include' instead"));
      open.keep = false;
    } else if (const Entry* first = open.node.find(node.scalar)) {
      diagnostics_->push_back(
          node.mark.error(join_path(path(), node.scalar),
                          fmt::format("duplicate key, expected it once, first given in line {}",
                                      first->key_mark.line)));
      open.keep = false;
    }
    open.entry.key = node.scalar;
    open.entry.key_mark = node.mark;
    open.have_key = true;
  }

  std::shared_ptr<const Source> source_;
  text::Diagnostics* diagnostics_;
  std::vector<Open> stack_;
  Node root_;
};

std::vector<std::string> split_lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
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
    diagnostic.source_line = source->lines[static_cast<size_t>(line - 1)];
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

std::string join_path(const std::string& path, const std::string& key) {
  return path.empty() ? key : path + "." + key;
}

bool parse_yaml(const std::string& text, Source source, Node* root,
                text::Diagnostics* diagnostics) {
  if (text.size() > kLargestDocument) {
    text::Diagnostic diagnostic;
    diagnostic.file = source.name;
    diagnostic.message = fmt::format("the file is too large, expected at most {} bytes, got {}",
                                     kLargestDocument, text.size());
    diagnostics->push_back(diagnostic);
    return false;
  }
  source.lines = split_lines(text);
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
  if (!files::read_whole(path, kLargestDocument, &text, &why)) return refuse(why);
  Source source;
  source.name = path;
  source.origin = origin;
  source.directory = std::filesystem::path(path).parent_path().string();
  return parse_yaml(text, source, root, diagnostics);
}

}  // namespace strobe::yaml
