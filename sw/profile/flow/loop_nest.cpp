#include "sw/profile/flow/loop_nest.h"

#include <algorithm>
#include <utility>

namespace strobe::profile {
namespace {

/// Splits regions into strongly connected components (Tarjan, without recursion) until no component
/// has more than one block.
class Finder {
 public:
  explicit Finder(const Chain& chain)
      : chain_(chain),
        index_(chain.size(), 0),
        low_(chain.size(), 0),
        component_(chain.size(), kOutside) {
    nest_.loop_of.assign(chain.size(), kOutside);
    nest_.header.assign(chain.size(), kOutside);
  }

  LoopNest run() {
    const std::vector<bool> reachable = reached(chain_);
    for (uint32_t block = 0; block < chain_.size(); ++block) {
      if (reachable[block]) nest_.loop_of[block] = 0;
    }
    nest_.loops.emplace_back();
    split(0, {0});
    // A loop is split after it is found; those inside it follow it in the list.
    for (uint32_t loop = 1; loop < nest_.loops.size(); ++loop) {
      const std::vector<uint32_t> roots = nest_.loops[loop].headers;
      split(loop, roots);
    }
    return std::move(nest_);
  }

 private:
  struct Visit {
    uint32_t block, next;  // the next way to follow
  };

  /// Whether a way stays in the region, without those to its headers.
  bool inside(uint32_t loop, uint32_t to) const {
    return to != kOutside && nest_.loop_of[to] == loop && nest_.header[to] == kOutside;
  }

  void split(uint32_t loop, const std::vector<uint32_t>& roots) {
    components_.clear();
    next_index_ = 1;
    for (const uint32_t root : roots) visit(loop, root);
    std::vector<uint32_t> its_loop(components_.size(), kOutside);
    std::vector<LoopPart> body;
    for (uint32_t c = 0; c < components_.size(); ++c) {
      const uint32_t block = components_[c].front();
      if (components_[c].size() == 1 && !leads_to_itself(loop, block)) {
        body.push_back({block, false});
        continue;
      }
      its_loop[c] = static_cast<uint32_t>(nest_.loops.size());
      body.push_back({its_loop[c], true});
      nest_.loops.emplace_back();
      nest_.loops.back().parent = loop;
    }
    std::reverse(body.begin(), body.end());
    nest_.loops[loop].body = std::move(body);
    find_headers(loop, its_loop);
    for (uint32_t c = 0; c < components_.size(); ++c) {
      for (const uint32_t block : components_[c]) {
        if (its_loop[c] != kOutside) nest_.loop_of[block] = its_loop[c];
      }
    }
    for (const std::vector<uint32_t>& blocks : components_) {
      for (const uint32_t block : blocks) index_[block] = low_[block] = 0;
    }
  }

  bool leads_to_itself(uint32_t loop, uint32_t block) const {
    for (uint32_t i = chain_.first[block]; i < chain_.first[block + 1]; ++i) {
      if (chain_.to[i] == block && inside(loop, block)) return true;
    }
    return false;
  }

  /// The components of what a block leads to inside the region, the last ones first.
  void visit(uint32_t loop, uint32_t root) {
    if (index_[root] != 0) return;
    std::vector<Visit> path = {{root, chain_.first[root]}};
    open(root);
    while (!path.empty()) {
      const uint32_t block = path.back().block;
      if (path.back().next < chain_.first[block + 1]) {
        const uint32_t to = chain_.to[path.back().next++];
        if (!inside(loop, to)) continue;
        if (index_[to] == 0) {
          open(to);
          path.push_back({to, chain_.first[to]});
        } else if (component_[to] == kOutside) {
          low_[block] = std::min(low_[block], index_[to]);
        }
        continue;
      }
      path.pop_back();
      if (!path.empty()) {
        low_[path.back().block] = std::min(low_[path.back().block], low_[block]);
      }
      if (low_[block] == index_[block]) close(block);
    }
  }

  void open(uint32_t block) {
    index_[block] = low_[block] = next_index_++;
    component_[block] = kOutside;
    open_.push_back(block);
  }

  void close(uint32_t block) {
    components_.emplace_back();
    uint32_t member;
    do {
      member = open_.back();
      open_.pop_back();
      component_[member] = static_cast<uint32_t>(components_.size() - 1);
      components_.back().push_back(member);
    } while (member != block);
  }

  /// Blocks of the components that are loops are headers when another component of the region leads
  /// to them, and the function's entry is one.
  void find_headers(uint32_t loop, const std::vector<uint32_t>& its_loop) {
    std::vector<uint32_t> entered;
    if (loop == 0) entered.push_back(0);
    for (uint32_t c = 0; c < components_.size(); ++c) {
      for (const uint32_t block : components_[c]) {
        for (uint32_t i = chain_.first[block]; i < chain_.first[block + 1]; ++i) {
          const uint32_t to = chain_.to[i];
          if (inside(loop, to) && component_[to] != c) entered.push_back(to);
        }
      }
    }
    std::sort(entered.begin(), entered.end());
    entered.erase(std::unique(entered.begin(), entered.end()), entered.end());
    for (const uint32_t block : entered) {
      const uint32_t inner = its_loop[component_[block]];
      if (inner == kOutside) continue;
      std::vector<uint32_t>& headers = nest_.loops[inner].headers;
      nest_.header[block] = static_cast<uint32_t>(headers.size());
      headers.push_back(block);
    }
  }

  const Chain& chain_;
  LoopNest nest_;
  std::vector<uint32_t> index_, low_;  // 0: not visited in this region
  std::vector<uint32_t> component_;    // kOutside while it is open
  std::vector<uint32_t> open_;
  std::vector<std::vector<uint32_t>> components_;
  uint32_t next_index_ = 1;
};

}  // namespace

LoopNest find_loops(const Chain& chain) { return Finder(chain).run(); }

}  // namespace strobe::profile
