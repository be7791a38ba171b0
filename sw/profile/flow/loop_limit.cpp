// The part of LoopSolver that bounds the iterations of loops.
#include <algorithm>

#include "sw/profile/flow/loop_solver.h"

namespace strobe::profile {

void LoopSolver::limit(double most) {
  for (auto loop = static_cast<uint32_t>(nest_.loops.size()); loop-- > 1;) {
    if (!summarize(loop)) {
      end(loop, most);
      endless_.push_back(nest_.loops[loop].headers[0]);
    } else if (summaries_[loop].iterations > most) {
      shorten(loop, most);
      limited_.push_back(nest_.loops[loop].headers[0]);
    }
  }
}

/// The loop and all loops inside it, outer ones first.
std::vector<uint32_t> LoopSolver::inside(uint32_t loop) const {
  std::vector<uint32_t> loops = {loop};
  for (size_t i = 0; i < loops.size(); ++i) {
    for (const LoopPart& part : nest_.loops[loops[i]].body) {
      if (part.is_loop) loops.push_back(part.index);
    }
  }
  return loops;
}

/// An endless loop ends the function with the probability 1 / most whenever a header follows.
void LoopSolver::end(uint32_t loop, double most) {
  const std::vector<uint32_t> loops = inside(loop);
  for (const uint32_t each : loops) {
    for (const LoopPart& part : nest_.loops[each].body) {
      if (part.is_loop) continue;
      for (uint32_t i = chain_->first[part.index]; i < chain_->first[part.index + 1]; ++i) {
        if (chain_->to[i] == kOutside || !nest_.heads(loop, chain_->to[i])) continue;
        chain_->ends[part.index] += chain_->probability[i] / most;
        chain_->probability[i] *= 1 - 1 / most;
      }
    }
  }
  for (auto each = loops.rbegin(); each != loops.rend(); ++each) summarize(*each);
}

/// With x the probability to leave in an iteration, each path of an iteration that leaves becomes
/// w times as probable relative to one that comes back, with w such that w x / (w x + 1 - x) = 1 /
/// most. To do so, each way is multiplied by the expected weight of the path after it (Doob's
/// h-transform).
void LoopSolver::shorten(uint32_t loop, double most) {
  const std::vector<uint32_t> loops = inside(loop);
  for (const uint32_t each : loops) {
    for (const LoopPart& part : nest_.loops[each].body) {
      if (!part.is_loop) member_[part.index] = loop;
    }
  }
  const double weight = (summaries_[loop].iterations - 1) / (most - 1);
  for (const uint32_t each : loops) weigh(each, loop, weight);
  for (const uint32_t each : loops) {
    for (const LoopPart& part : nest_.loops[each].body) {
      if (part.is_loop) continue;
      double total = chain_->ends[part.index] *= weight;
      for (uint32_t i = chain_->first[part.index]; i < chain_->first[part.index + 1]; ++i) {
        total += chain_->probability[i] *= weight_of(chain_->to[i], loop, weight);
      }
      for (uint32_t i = chain_->first[part.index]; i < chain_->first[part.index + 1]; ++i) {
        chain_->probability[i] /= total;
      }
      chain_->ends[part.index] /= total;
    }
  }
  for (auto each = loops.rbegin(); each != loops.rend(); ++each) summarize(*each);
}

/// The weight of what happens after a way: it has left the outermost loop, has come back to one of
/// its headers, or goes on in a block.
double LoopSolver::weight_of(uint32_t to, uint32_t outermost, double weight) const {
  if (to == kOutside || member_[to] != outermost) return weight;
  return nest_.heads(outermost, to) ? 1 : weight_[to];
}

/// The expected weight of the paths from each block of a body, and from each header of the loops
/// directly inside. A loop is weighed after the one around it.
void LoopSolver::weigh(uint32_t loop, uint32_t outermost, double weight) {
  const std::vector<LoopPart>& body = nest_.loops[loop].body;
  for (auto part = body.rbegin(); part != body.rend(); ++part) {
    if (part->is_loop) {
      const std::vector<uint32_t>& headers = nest_.loops[part->index].headers;
      for (uint32_t i = 0; i < headers.size(); ++i) {
        weight_[headers[i]] = 0;
        for (const Exit& exit : summaries_[part->index].exits[i]) {
          weight_[headers[i]] += exit.probability * weight_of(exit.to, outermost, weight);
        }
      }
    } else if (loop == outermost || !nest_.heads(loop, part->index)) {
      double expected = chain_->ends[part->index] * weight;
      for (uint32_t i = chain_->first[part->index]; i < chain_->first[part->index + 1]; ++i) {
        expected += chain_->probability[i] * weight_of(chain_->to[i], outermost, weight);
      }
      weight_[part->index] = expected;
    }
  }
}

}  // namespace strobe::profile
