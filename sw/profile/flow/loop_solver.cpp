#include "sw/profile/flow/loop_solver.h"

#include <algorithm>
#include <utility>

namespace strobe::profile {

LoopSolver::LoopSolver(Chain* chain, const LoopNest& nest)
    : chain_(chain),
      nest_(nest),
      summaries_(nest.loops.size()),
      mass_(chain->size()),
      visits_(chain->size()),
      entering_(chain->size()),
      exit_slot_(chain->size() + 1, kOutside),
      weight_(chain->size()),
      member_(chain->size(), kOutside) {}

/// Adds to the exit to a block, which the list has at most once until close().
void LoopSolver::leave(uint32_t to, double mass, std::vector<Exit>* out) {
  uint32_t& slot = exit_slot_[std::min(to, chain_->size())];
  if (slot == kOutside) {
    slot = static_cast<uint32_t>(out->size());
    out->push_back({to, 0});
  }
  (*out)[slot].probability += mass;
}

void LoopSolver::close(const std::vector<Exit>& out) {
  for (const Exit& exit : out) exit_slot_[std::min(exit.to, chain_->size())] = kOutside;
}

void LoopSolver::deliver(uint32_t loop, uint32_t to, double mass, Arrived* arrived) {
  if (!nest_.stays(loop, to)) {
    leave(to, mass, &arrived->out);
  } else if (nest_.heads(loop, to)) {
    arrived->back[nest_.header[to]] += mass;
  } else {
    mass_[to] += mass;
  }
}

/// Follows what mass_ holds of the loop's headers through its body once.
LoopSolver::Arrived LoopSolver::walk(uint32_t loop) {
  Arrived arrived;
  arrived.back.resize(nest_.loops[loop].headers.size());
  for (const LoopPart& part : nest_.loops[loop].body) {
    if (!part.is_loop) {
      const double mass = std::exchange(mass_[part.index], 0);
      visits_[part.index] = mass;
      for (uint32_t i = chain_->first[part.index]; i < chain_->first[part.index + 1]; ++i) {
        deliver(loop, chain_->to[i], mass * chain_->probability[i], &arrived);
      }
      if (chain_->ends[part.index] > 0) {
        leave(kOutside, mass * chain_->ends[part.index], &arrived.out);
      }
      continue;
    }
    const std::vector<uint32_t>& headers = nest_.loops[part.index].headers;
    for (uint32_t i = 0; i < headers.size(); ++i) {
      const double mass = std::exchange(mass_[headers[i]], 0);
      entering_[headers[i]] = mass;
      for (const Exit& exit : summaries_[part.index].exits[i]) {
        deliver(loop, exit.to, mass * exit.probability, &arrived);
      }
    }
  }
  close(arrived.out);
  return arrived;
}

bool LoopSolver::summarize(uint32_t loop) {
  const std::vector<uint32_t>& headers = nest_.loops[loop].headers;
  const auto size = static_cast<uint32_t>(headers.size());
  std::vector<double> moves, leaves;
  std::vector<std::vector<Exit>> out;
  for (const uint32_t header : headers) {
    mass_[header] = 1;
    Arrived arrived = walk(loop);
    moves.insert(moves.end(), arrived.back.begin(), arrived.back.end());
    leaves.push_back(0);
    for (const Exit& exit : arrived.out) leaves.back() += exit.probability;
    out.push_back(std::move(arrived.out));
  }
  Summary& summary = summaries_[loop];
  summary.headers.assign(1, Elimination(size, std::move(moves), std::move(leaves)));
  summary.exits.assign(size, {});
  summary.iterations = 0;
  if (!summary.headers[0].ends()) return false;
  for (uint32_t i = 0; i < size; ++i) {
    std::vector<double> entering(size);
    entering[i] = 1;
    const std::vector<double> visits = summary.headers[0].visits(entering);
    double iterations = 0;
    for (uint32_t k = 0; k < size; ++k) {
      iterations += visits[k];
      for (const Exit& exit : out[k]) {
        leave(exit.to, visits[k] * exit.probability, &summary.exits[i]);
      }
    }
    close(summary.exits[i]);
    summary.iterations = std::max(summary.iterations, iterations);
  }
  return true;
}

uint32_t LoopSolver::summarize_all() {
  for (auto loop = static_cast<uint32_t>(nest_.loops.size()); loop-- > 1;) {
    if (!summarize(loop)) return nest_.loops[loop].headers[0];
  }
  return kOutside;
}

std::vector<double> LoopSolver::visits() {
  mass_[0] = 1;
  walk(0);
  // A loop comes after the one around it, whose walk says how its headers are entered.
  for (uint32_t loop = 1; loop < nest_.loops.size(); ++loop) {
    const std::vector<uint32_t>& headers = nest_.loops[loop].headers;
    std::vector<double> entering;
    for (const uint32_t header : headers) entering.push_back(entering_[header]);
    const std::vector<double> visits = summaries_[loop].headers[0].visits(entering);
    for (uint32_t i = 0; i < headers.size(); ++i) mass_[headers[i]] = visits[i];
    walk(loop);
  }
  return visits_;
}

}  // namespace strobe::profile
