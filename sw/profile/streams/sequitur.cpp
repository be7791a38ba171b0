#include "sw/profile/streams/sequitur.h"

#include <stdexcept>
#include <string>

namespace strobe::profile {
namespace {

constexpr size_t kFirstDigramSlots = size_t{1} << 10;

}  // namespace

Sequitur::Sequitur(size_t max_symbols) : max_symbols_(max_symbols), slots_(kFirstDigramSlots) {
  make_rule();
}

bool Sequitur::append(uint32_t terminal) {
  if (terminal >= kTerminalLimit) {
    throw std::invalid_argument("Sequitur: expected a terminal below 2^30, got " +
                                std::to_string(terminal) + "; number the trace's symbols from 0");
  }
  if (nodes_.size() - free_nodes_.size() >= max_symbols_) return false;
  ++length_;
  const uint32_t end = rules_[0].guard;
  const uint32_t last = nodes_[end].prev;
  insert_before(end, terminal);
  unchecked_.push_back(last);
  while (!unchecked_.empty()) {
    const uint32_t node = unchecked_.back();
    unchecked_.pop_back();
    check(node);
  }
  return true;
}

/// The rule whose whole body is the pair at `node`; kNone if the pair is no whole body.
uint32_t Sequitur::complete_rule(uint32_t node) const {
  const uint32_t before = nodes_[node].prev, behind = nodes_[nodes_[node].next].next;
  return before == behind ? nodes_[before].symbol - kGuard : kNone;
}

uint32_t Sequitur::make_node(uint32_t symbol) {
  uint32_t node = static_cast<uint32_t>(nodes_.size());
  if (free_nodes_.empty()) {
    nodes_.push_back({node, node, symbol});
  } else {
    node = free_nodes_.back();
    free_nodes_.pop_back();
    nodes_[node] = {node, node, symbol};
  }
  return node;
}

void Sequitur::insert_before(uint32_t node, uint32_t symbol) {
  const uint32_t fresh = make_node(symbol);
  const uint32_t before = nodes_[node].prev;
  nodes_[fresh].prev = before;
  nodes_[fresh].next = node;
  nodes_[before].next = fresh;
  nodes_[node].prev = fresh;
}

uint32_t Sequitur::make_rule() {
  uint32_t rule = static_cast<uint32_t>(rules_.size());
  if (free_rules_.empty()) {
    rules_.push_back({});
  } else {
    rule = free_rules_.back();
    free_rules_.pop_back();
  }
  rules_[rule] = {make_node(kGuard + rule), 0};
  return rule;
}

void Sequitur::add_use(uint32_t symbol, uint32_t change) {
  if (Grammar::is_rule(symbol)) rules_[symbol - Grammar::kRule].uses += change;
}

/// Enforces digram uniqueness for the pair at `node`, if there is one.
void Sequitur::check(uint32_t node) {
  if (!is_pair(node)) return;
  ++work_.checks;
  const uint32_t other = slots_[slot_of(node, hash(node))].node;
  if (other == 0) {
    index(node);
    return;
  }
  if (other == node) return;
  // Two pairs that overlap are a run of three equal symbols, which stays as it is.
  if (nodes_[other].next == node || nodes_[node].next == other) return;
  match(node, other);
}

void Sequitur::match(uint32_t node, uint32_t other) {
  ++work_.matches;
  uint32_t rule = complete_rule(other);
  if (rule != kNone) {
    substitute(node, rule);
  } else {
    rule = make_rule();
    for (const uint32_t symbol : {nodes_[node].symbol, nodes_[nodes_[node].next].symbol}) {
      add_use(symbol, 1);
      insert_before(rules_[rule].guard, symbol);
    }
    substitute(other, rule);
    substitute(node, rule);
  }
  index(first_of(rule));
  dissolve_if_used_once(first_of(rule));
}

/// Replaces the pair at `node` by the rule.
void Sequitur::substitute(uint32_t node, uint32_t rule) {
  const uint32_t before = nodes_[node].prev, second = nodes_[node].next;
  const uint32_t behind = nodes_[second].next;
  unindex(before);
  unindex(node);
  unindex(second);
  // In a run of three, the first pair is the indexed one. When it goes, the other must come in.
  if (same_symbol(second, behind)) unchecked_.push_back(behind);
  add_use(nodes_[node].symbol, -1u);
  add_use(nodes_[second].symbol, -1u);
  add_use(Grammar::kRule + rule, 1);
  nodes_[node].symbol = Grammar::kRule + rule;
  nodes_[node].next = behind;
  nodes_[behind].prev = node;
  nodes_[second].symbol = kGuard;  // a free node begins no pair
  free_nodes_.push_back(second);
  unchecked_.push_back(before);
  unchecked_.push_back(node);
}

/// Enforces rule utility: a rule used at `node` alone is dissolved, and its body takes the node's
/// place.
void Sequitur::dissolve_if_used_once(uint32_t node) {
  if (!Grammar::is_rule(nodes_[node].symbol) || is_guard(node)) return;
  const uint32_t rule = nodes_[node].symbol - Grammar::kRule;
  if (rules_[rule].uses != 1) return;
  ++work_.matches;
  const uint32_t before = nodes_[node].prev, behind = nodes_[node].next;
  const uint32_t guard = rules_[rule].guard;
  const uint32_t first = nodes_[guard].next, last = nodes_[guard].prev;
  unindex(before);
  unindex(node);
  nodes_[before].next = first;
  nodes_[first].prev = before;
  nodes_[last].next = behind;
  nodes_[behind].prev = last;
  for (const uint32_t gone : {node, guard}) {
    nodes_[gone].symbol = kGuard;
    free_nodes_.push_back(gone);
  }
  free_rules_.push_back(rule);
  unchecked_.push_back(before);
  unchecked_.push_back(last);
}

uint32_t Sequitur::hash(uint32_t node) const {
  const uint64_t pair = uint64_t{nodes_[node].symbol} << 32 | nodes_[nodes_[node].next].symbol;
  const uint64_t product = (pair ^ pair >> 29) * 0x9e3779b97f4a7c15u;
  return static_cast<uint32_t>((product ^ product >> 32) * 0xd6e8feb86659fd93u >> 32);
}

/// The slot where the pair at `node` is, or would be.
size_t Sequitur::slot_of(uint32_t node, uint32_t hash) {
  const size_t mask = slots_.size() - 1;
  size_t slot = hash & mask;
  for (;; slot = (slot + 1) & mask) {
    ++work_.probes;
    const Slot& at = slots_[slot];
    if (at.node == 0) return slot;
    if (at.hash == hash && same_symbol(at.node, node) &&
        same_symbol(nodes_[at.node].next, nodes_[node].next)) {
      return slot;
    }
  }
}

/// Makes the pair at `node` the one that later look-ups find.
void Sequitur::index(uint32_t node) {
  const uint32_t hashed = hash(node);
  Slot& slot = slots_[slot_of(node, hashed)];
  indexed_ += slot.node == 0;
  slot = {node, hashed};
  if (indexed_ * 2 > slots_.size()) grow_index();
}

/// Must be called before the pair at `node` changes: takes the pair out if it is the indexed one of
/// its kind.
void Sequitur::unindex(uint32_t node) {
  if (!is_pair(node)) return;
  size_t hole = slot_of(node, hash(node));
  if (slots_[hole].node != node) return;
  --indexed_;
  // The following entries that were pushed past the hole move up, so that no probe ends early.
  const size_t mask = slots_.size() - 1;
  for (size_t slot = (hole + 1) & mask; slots_[slot].node != 0; slot = (slot + 1) & mask) {
    ++work_.probes;
    const size_t home = slots_[slot].hash & mask;
    if (((slot - home) & mask) < ((slot - hole) & mask)) continue;
    slots_[hole] = slots_[slot];
    hole = slot;
  }
  slots_[hole] = {};
}

void Sequitur::grow_index() {
  std::vector<Slot> old(slots_.size() * 2);
  old.swap(slots_);
  const size_t mask = slots_.size() - 1;
  for (const Slot& from : old) {
    if (from.node == 0) continue;
    size_t slot = from.hash & mask;
    while (slots_[slot].node != 0) slot = (slot + 1) & mask;
    slots_[slot] = from;
  }
}

Grammar Sequitur::grammar() const {
  // Computes a postorder without recursion: a rule is done when the walk along its body reaches the
  // guard.
  std::vector<uint32_t> postorder;
  std::vector<bool> seen(rules_.size());
  std::vector<uint32_t> walk = {first_of(0)};
  seen[0] = true;
  while (!walk.empty()) {
    const uint32_t node = walk.back();
    const uint32_t symbol = nodes_[node].symbol;
    if (is_guard(node)) {
      postorder.push_back(symbol - kGuard);
      walk.pop_back();
      continue;
    }
    walk.back() = nodes_[node].next;
    if (!Grammar::is_rule(symbol) || seen[symbol - Grammar::kRule]) continue;
    seen[symbol - Grammar::kRule] = true;
    walk.push_back(first_of(symbol - Grammar::kRule));
  }

  std::vector<uint32_t> number(rules_.size());
  for (size_t i = 0; i < postorder.size(); ++i) {
    number[postorder[i]] = static_cast<uint32_t>(postorder.size() - 1 - i);
  }
  Grammar grammar;
  std::vector<uint32_t> body;
  for (size_t i = postorder.size(); i-- > 0;) {
    body.clear();
    for (uint32_t node = first_of(postorder[i]); !is_guard(node); node = nodes_[node].next) {
      const uint32_t symbol = nodes_[node].symbol;
      body.push_back(Grammar::is_rule(symbol) ? Grammar::kRule + number[symbol - Grammar::kRule]
                                              : symbol);
    }
    grammar.add_rule(body);
  }
  return grammar;
}

size_t Sequitur::bytes() const {
  return nodes_.capacity() * sizeof(Node) + slots_.capacity() * sizeof(Slot) +
         rules_.capacity() * sizeof(Rule) +
         (free_nodes_.capacity() + free_rules_.capacity() + unchecked_.capacity()) *
             sizeof(uint32_t);
}

}  // namespace strobe::profile
