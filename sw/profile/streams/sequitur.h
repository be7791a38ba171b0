// Sequitur: a grammar of a trace, built while the trace comes in.
//
// C. Nevill-Manning and I. Witten, "Identifying Hierarchical Structure in Sequences: A Linear-Time
// Algorithm", JAIR 7, 1997. Two constraints hold after every terminal:
//
// - digram uniqueness: no pair of neighboring symbols occurs twice without overlapping itself;
// - rule utility: every rule except that of the whole trace is used at least twice.
//
// A repeated pair becomes a rule, or it is replaced by the rule whose whole body it is. A rule left
// with one use is dissolved: its body takes the place of the use. Every place where a new pair may
// have come up is put on a list and looked at later. Looking at a place that has changed meanwhile
// does no harm, so no operation has to know what another one undid, and the cascades need no
// recursion.
//
// docs/hot-streams.md has the argument for linear time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "sw/profile/streams/grammar.h"

namespace strobe::profile {

/// Nodes of doubly linked rule bodies and the index of pairs, in flat arrays. A grammar symbol
/// takes 12 bytes and its place in the index 16 to 32; both arrays grow by doubling.
class Sequitur {
 public:
  /// Terminals are below this limit: two bits of a word tell them from rules and ends of rules.
  static constexpr uint32_t kTerminalLimit = uint32_t{1} << 30;

  /// @param max_symbols  the bound on memory: the grammar takes no more terminals once it has this
  /// many symbols. It can be one symbol larger for each rule.
  explicit Sequitur(size_t max_symbols = size_t{1} << 29);

  /// Extends the trace. False when the grammar is full: then the terminal is not part of it.
  /// Throws std::invalid_argument at a terminal of kTerminalLimit or above.
  bool append(uint32_t terminal);

  /// The number of terminals appended.
  uint64_t length() const { return length_; }
  /// The grammar of the trace so far.
  Grammar grammar() const;
  /// The memory that the arrays occupy, in bytes.
  size_t bytes() const;

  /// Counts of the work, for the claim of linear time.
  struct Work {
    uint64_t checks = 0;   // places looked at
    uint64_t matches = 0;  // pairs replaced and rules dissolved: at most twice the terminals
    uint64_t probes = 0;   // slots of the index visited
  };
  const Work& work() const { return work_; }

 private:
  struct Node {
    uint32_t prev, next, symbol;
  };
  struct Rule {
    uint32_t guard;  // the node that closes the ring of the body
    uint32_t uses;
  };
  // The pairs that begin at an indexed node, by both symbols. Node 0 is a guard and marks an empty
  // slot.
  struct Slot {
    uint32_t node, hash;
  };

  static constexpr uint32_t kGuard = uint32_t{3} << 30;
  static constexpr uint32_t kNone = std::numeric_limits<uint32_t>::max();

  bool is_guard(uint32_t node) const { return nodes_[node].symbol >= kGuard; }
  bool is_pair(uint32_t node) const { return !is_guard(node) && !is_guard(nodes_[node].next); }
  bool same_symbol(uint32_t a, uint32_t b) const { return nodes_[a].symbol == nodes_[b].symbol; }
  uint32_t first_of(uint32_t rule) const { return nodes_[rules_[rule].guard].next; }
  uint32_t complete_rule(uint32_t node) const;

  uint32_t make_node(uint32_t symbol);
  void insert_before(uint32_t node, uint32_t symbol);
  uint32_t make_rule();
  void add_use(uint32_t symbol, uint32_t change);

  void check(uint32_t node);
  void match(uint32_t node, uint32_t other);
  void substitute(uint32_t node, uint32_t rule);
  void dissolve_if_used_once(uint32_t node);

  uint32_t hash(uint32_t node) const;
  size_t slot_of(uint32_t node, uint32_t hash);
  void index(uint32_t node);
  void unindex(uint32_t node);
  void grow_index();

  size_t max_symbols_;
  std::vector<Node> nodes_;
  std::vector<Rule> rules_;
  std::vector<uint32_t> free_nodes_, free_rules_;
  std::vector<uint32_t> unchecked_;  // the nodes where a pair may have come up
  std::vector<Slot> slots_;
  size_t indexed_ = 0;
  uint64_t length_ = 0;
  Work work_;
};

}  // namespace strobe::profile
