#include "sw/profile/streams/grammar.h"

namespace strobe::profile {

void Grammar::add_rule(const std::vector<uint32_t>& body) {
  symbols_.insert(symbols_.end(), body.begin(), body.end());
  ends_.push_back(symbols_.size());
}

std::vector<uint64_t> Grammar::lengths() const {
  std::vector<uint64_t> lengths(rules());
  for (size_t rule = rules(); rule-- > 0;) {
    for (const uint32_t symbol : body(rule)) {
      lengths[rule] += is_rule(symbol) ? lengths[symbol - kRule] : 1;
    }
  }
  return lengths;
}

std::vector<uint64_t> Grammar::uses() const {
  std::vector<uint64_t> uses(rules());
  if (!uses.empty()) uses[0] = 1;
  for (size_t rule = 0; rule < rules(); ++rule) {
    for (const uint32_t symbol : body(rule)) {
      if (is_rule(symbol)) uses[symbol - kRule] += uses[rule];
    }
  }
  return uses;
}

std::vector<uint32_t> Grammar::expansion(size_t rule) const {
  std::vector<uint32_t> trace;
  std::vector<Body> open = {body(rule)};
  while (!open.empty()) {
    if (open.back().size() == 0) {
      open.pop_back();
      continue;
    }
    const uint32_t symbol = *open.back().first++;
    if (is_rule(symbol)) {
      open.push_back(body(symbol - kRule));
    } else {
      trace.push_back(symbol);
    }
  }
  return trace;
}

}  // namespace strobe::profile
