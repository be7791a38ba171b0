// A regular-expression engine: parser, Thompson construction, simulation of the automaton on a set
// of states, and a lazily built deterministic one with a bounded cache; a backtracking matcher on
// the same syntax tree must give the same answers. It searches generated log lines.
//
// The file is long because a workload is one file, so that its profile is read beside one text.
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "workload.h"

namespace {

// ---- syntax: literals, ., [a-z], [^...], \d \w \s, *, +, ?, |, () ----

struct CharacterSet {
  uint64_t words[4] = {};
  void add(unsigned char c) { words[c >> 6] |= uint64_t{1} << (c & 63); }
  void add_range(unsigned char from, unsigned char to) {
    for (unsigned c = from; c <= to; ++c) add(static_cast<unsigned char>(c));
  }
  bool has(unsigned char c) const { return (words[c >> 6] >> (c & 63) & 1) != 0; }
  void invert() {
    for (uint64_t& word : words) word = ~word;
  }
};

enum class Op { kEmpty, kSet, kJoin, kEither, kStar, kPlus, kMaybe };

struct Node {
  Op op = Op::kEmpty;
  CharacterSet set;
  std::unique_ptr<Node> left, right;
};

using NodePtr = std::unique_ptr<Node>;

NodePtr make_node(Op op, NodePtr left = nullptr, NodePtr right = nullptr) {
  auto node = std::make_unique<Node>();
  node->op = op;
  node->left = std::move(left);
  node->right = std::move(right);
  return node;
}

class Parser {
 public:
  explicit Parser(const char* pattern) : at_(pattern) {}
  NodePtr parse() {
    NodePtr tree = alternatives();
    if (*at_ != 0) throw std::runtime_error("an unmatched )");
    return tree;
  }

 private:
  NodePtr alternatives() {
    NodePtr left = sequence();
    while (*at_ == '|') {
      ++at_;
      left = make_node(Op::kEither, std::move(left), sequence());
    }
    return left;
  }

  NodePtr sequence() {
    NodePtr left = make_node(Op::kEmpty);
    while (*at_ != 0 && *at_ != '|' && *at_ != ')') {
      left = make_node(Op::kJoin, std::move(left), repeated());
    }
    return left;
  }

  NodePtr repeated() {
    NodePtr node = atom();
    for (;; ++at_) {
      if (*at_ == '*') {
        node = make_node(Op::kStar, std::move(node));
      } else if (*at_ == '+') {
        node = make_node(Op::kPlus, std::move(node));
      } else if (*at_ == '?') {
        node = make_node(Op::kMaybe, std::move(node));
      } else {
        return node;
      }
    }
  }

  NodePtr atom() {
    if (*at_ == '(') {
      ++at_;
      NodePtr inner = alternatives();
      if (*at_++ != ')') throw std::runtime_error("a missing )");
      return inner;
    }
    NodePtr node = make_node(Op::kSet);
    if (*at_ == '[') {
      ++at_;
      bracket(node->set);
    } else if (*at_ == '.') {
      ++at_;
      node->set.invert();
    } else if (*at_ == '\\') {
      escape(node->set, at_[1]);
      at_ += 2;
    } else {
      node->set.add(static_cast<unsigned char>(*at_++));
    }
    return node;
  }

  static void escape(CharacterSet& set, char c) {
    if (c == 'd' || c == 'w') set.add_range('0', '9');
    if (c == 'w') {
      set.add_range('a', 'z');
      set.add_range('A', 'Z');
      set.add('_');
    } else if (c == 's') {
      set.add(' ');
      set.add('\t');
    } else if (c != 'd') {
      set.add(static_cast<unsigned char>(c));
    }
  }

  void bracket(CharacterSet& set) {
    bool inverted = *at_ == '^';
    if (inverted) ++at_;
    while (*at_ != ']') {
      if (*at_ == 0) throw std::runtime_error("a missing ]");
      auto from = static_cast<unsigned char>(*at_++);
      if (*at_ == '-' && at_[1] != ']') {
        set.add_range(from, static_cast<unsigned char>(at_[1]));
        at_ += 2;
      } else {
        set.add(from);
      }
    }
    ++at_;
    if (inverted) set.invert();
  }

  const char* at_;
};

// ---- the automaton ----

struct State {
  enum Kind { kSplit, kSet, kMatch } kind;
  CharacterSet set;
  int next, other;  // split: both; set: next
};

class Automaton {
 public:
  explicit Automaton(const Node& tree) {
    int match = add(State::kMatch, -1, -1);
    start_ = build(tree, match);
  }
  const State& state(int i) const { return states_[static_cast<size_t>(i)]; }
  size_t size() const { return states_.size(); }
  int start() const { return start_; }

 private:
  int add(State::Kind kind, int next, int other) {
    states_.push_back({kind, {}, next, other});
    return static_cast<int>(states_.size()) - 1;
  }

  // Makes the states for `node`, which lead to `next`; returns the first one.
  int build(const Node& node, int next) {
    switch (node.op) {
      case Op::kEmpty:
        return next;
      case Op::kSet: {
        int state = add(State::kSet, next, -1);
        states_.back().set = node.set;
        return state;
      }
      case Op::kJoin:
        return build(*node.left, build(*node.right, next));
      case Op::kEither: {
        int left = build(*node.left, next);
        return add(State::kSplit, left, build(*node.right, next));
      }
      case Op::kMaybe:
        return add(State::kSplit, build(*node.left, next), next);
      default: {
        int split = add(State::kSplit, -1, next);
        int body = build(*node.left, split);
        states_[static_cast<size_t>(split)].next = body;
        return node.op == Op::kStar ? split : body;
      }
    }
  }

  std::vector<State> states_;
  int start_;
};

// Tests whether the pattern occurs in a text: runs the automaton on all its states at once.
class SetMatcher {
 public:
  explicit SetMatcher(const Automaton& automaton)
      : automaton_(automaton), mark_(automaton.size(), 0) {}

  bool search(const std::string& text) {
    current_.clear();
    for (char c : text) {
      if (add_start()) return true;
      next_.clear();
      ++generation_;
      bool matched = false;
      for (int i : current_) {
        const State& state = automaton_.state(i);
        if (state.set.has(static_cast<unsigned char>(c))) matched |= add(state.next, next_);
      }
      if (matched) return true;
      current_.swap(next_);
    }
    return add_start();
  }

 private:
  // A match may start at every position.
  bool add_start() {
    ++generation_;
    for (int known : current_) mark_[static_cast<size_t>(known)] = generation_;
    return add(automaton_.start(), current_);
  }

  // Adds the states reached without a character; true when the match state is one of them.
  bool add(int i, std::vector<int>& set) {
    if (mark_[static_cast<size_t>(i)] == generation_) return false;
    mark_[static_cast<size_t>(i)] = generation_;
    const State& state = automaton_.state(i);
    if (state.kind == State::kMatch) return true;
    if (state.kind == State::kSet) {
      set.push_back(i);
      return false;
    }
    bool matched = add(state.next, set);
    return add(state.other, set) || matched;
  }

  const Automaton& automaton_;
  std::vector<uint64_t> mark_;
  uint64_t generation_ = 0;
  std::vector<int> current_, next_;
};

// The same with a deterministic automaton, whose states are sets of states made when first met.
class LazyMatcher {
 public:
  explicit LazyMatcher(const Automaton& automaton) : automaton_(automaton) { reset(); }

  bool search(const std::string& text) {
    int at = 0;
    for (char c : text) {
      if (accepting_[static_cast<size_t>(at)]) return true;
      int next = table_[static_cast<size_t>(at) * 256 + static_cast<unsigned char>(c)];
      at = next >= 0 ? next : step(at, static_cast<unsigned char>(c));
    }
    return accepting_[static_cast<size_t>(at)];
  }

  size_t built() const { return built_; }

 private:
  static constexpr size_t kCache = 16;

  void reset() {
    numbers_.clear();
    sets_.clear();
    table_.clear();
    accepting_.clear();
    std::vector<bool> start(automaton_.size(), false);
    close(automaton_.start(), start);
    number(start);
  }

  void close(int i, std::vector<bool>& set) const {
    if (set[static_cast<size_t>(i)]) return;
    set[static_cast<size_t>(i)] = true;
    const State& state = automaton_.state(i);
    if (state.kind != State::kSplit) return;
    close(state.next, set);
    close(state.other, set);
  }

  int number(const std::vector<bool>& set) {
    auto [place, is_new] = numbers_.emplace(set, static_cast<int>(sets_.size()));
    if (is_new) {
      ++built_;
      sets_.push_back(set);
      table_.resize(table_.size() + 256, -1);
      accepting_.push_back(set[0]);  // state 0 is the match
    }
    return place->second;
  }

  int step(int at, unsigned char c) {
    std::vector<bool> next(automaton_.size(), false);
    const std::vector<bool>& from = sets_[static_cast<size_t>(at)];
    for (size_t i = 0; i < from.size(); ++i) {
      if (!from[i]) continue;
      const State& state = automaton_.state(static_cast<int>(i));
      if (state.kind == State::kSet && state.set.has(c)) close(state.next, next);
    }
    close(automaton_.start(), next);
    if (sets_.size() >= kCache) {
      reset();
      return number(next);
    }
    int to = number(next);
    table_[static_cast<size_t>(at) * 256 + c] = to;
    return to;
  }

  const Automaton& automaton_;
  std::map<std::vector<bool>, int> numbers_;
  std::vector<std::vector<bool>> sets_;
  std::vector<int> table_;
  std::vector<bool> accepting_;
  size_t built_ = 0;
};

// Backtracks over the automaton, depth first, with a set of the (state, position) that failed.
class Backtracker {
 public:
  explicit Backtracker(const Automaton& automaton) : automaton_(automaton) {}

  bool search(const std::string& text) {
    refused_.assign(automaton_.size() * (text.size() + 1), false);
    for (size_t from = 0; from <= text.size(); ++from) {
      if (match(automaton_.start(), text, from)) return true;
    }
    return false;
  }

 private:
  bool match(int i, const std::string& text, size_t at) {
    for (;;) {
      size_t visited = static_cast<size_t>(i) * (text.size() + 1) + at;
      if (refused_[visited]) return false;
      refused_[visited] = true;
      const State& state = automaton_.state(i);
      if (state.kind == State::kMatch) return true;
      if (state.kind == State::kSet) {
        if (at == text.size() || !state.set.has(static_cast<unsigned char>(text[at]))) return false;
        ++at;
      } else if (match(state.next, text, at)) {
        return true;
      } else {
        i = state.other;
        continue;
      }
      i = state.next;
    }
  }

  const Automaton& automaton_;
  std::vector<bool> refused_;
};

std::string log_line(uint64_t* random) {
  static const char* const levels[] = {"INFO", "WARN", "ERROR", "DEBUG"};
  static const char* const verbs[] = {"opened", "closed", "lost", "retried", "timed out on"};
  std::string line = "10." + std::to_string(random_below(random, 256)) + ".0." +
                     std::to_string(random_below(random, 256)) + " " +
                     levels[random_below(random, 4)] + " session " +
                     std::to_string(random_below(random, 100000)) + " " +
                     verbs[random_below(random, 5)] + " /";
  for (uint32_t part = 1 + random_below(random, 3); part > 0; --part) {
    for (uint32_t i = 2 + random_below(random, 6); i > 0; --i) {
      line += static_cast<char>('a' + random_below(random, 26));
    }
    line += part > 1 ? "/" : random_below(random, 2) == 0 ? ".html" : ".js";
  }
  if (random_below(random, 4) == 0) line += " user=" + std::to_string(random_below(random, 50));
  return line;
}

}  // namespace

int main(int argc, char** argv) {
  static const char* const patterns[] = {
      "ERROR .* lost",
      "session (1|3|5)\\d*7 ",
      "/[a-z]+/[a-z]*(q|x)[a-z]*/",
      "(INFO|DEBUG) session \\d\\d\\d [a-z]+ ",
      "user=(1|2)?5|user=4[0-4]",
      "([aeiou][^aeiou ]+)+\\.js",
      "10\\.(1\\d\\d|2[0-4]\\d)\\.0\\.\\d+ WARN",
      "(a|b)*c(d|e)+f?g",
  };
  static const uint32_t line_counts[] = {6, 100, 1100};
  workload_size_t which = workload_size(argc, argv);
  uint64_t random = 9, sum = CHECKSUM_START;
  std::vector<std::string> lines;
  for (uint32_t i = 0; i < line_counts[which]; ++i) lines.push_back(log_line(&random));

  printf("regex: %zu lines\n", lines.size());
  for (const char* pattern : patterns) {
    NodePtr tree = Parser(pattern).parse();
    Automaton automaton(*tree);
    SetMatcher by_sets(automaton);
    LazyMatcher lazy(automaton);
    Backtracker backtracker(automaton);
    int found = 0;
    for (size_t i = 0; i < lines.size(); ++i) {
      bool is_found = lazy.search(lines[i]);
      require(is_found == by_sets.search(lines[i]), "the lazy automaton and the sets differ");
      require(is_found == backtracker.search(lines[i]), "the automaton and backtracking differ");
      found += is_found;
      sum = checksum_word(sum, is_found ? i : ~uint64_t{0});
    }
    printf("%4d  %-40s %zu states, %zu sets\n", found, pattern, automaton.size(), lazy.built());
  }
  printf("checksum %016llx\n", static_cast<unsigned long long>(sum));
  return 0;
}
