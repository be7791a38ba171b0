// The frequencies of a chain, loop by loop (Wu and Larus, "Static Branch Frequency and Program
// Profile Analysis", MICRO 1994).
//
// From the inside out, each loop is replaced by what it does: entered at a header, it leaves by
// each of its exits with some probability. In a body, one execution of a header is followed along
// the ways in order. What comes back to the header is the cyclic probability c, and what leaves is
// 1 - c, summed up and not subtracted. A loop is executed 1 / (1 - c) times. With several headers,
// elimination.h takes the place of this division. Then, from the outside in, the frequencies of the
// headers give those of the bodies.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sw/profile/flow/chain.h"
#include "sw/profile/flow/elimination.h"
#include "sw/profile/flow/loop_nest.h"

namespace strobe::profile {

class LoopSolver {
 public:
  /// The chain and the nest are to outlive the solver. limit() changes the chain.
  LoopSolver(Chain* chain, const LoopNest& nest);

  /// Bounds the iterations of every loop; MarkovOptions::loop_limit, without the value
  /// kNoLoopLimit. An iteration is an execution of a header. A loop that iterates more often keeps
  /// the relative frequencies of its paths that leave and of its paths that come back; only the
  /// share of those that leave rises. So flow is conserved. The bound of a loop with several
  /// headers is met approximately.
  void limit(double most);
  /// To be called without limit(). @return a header of a loop that never ends; kOutside: all end
  uint32_t summarize_all();

  /// After one of the two. Executions of each block for one of block 0.
  std::vector<double> visits();

  const std::vector<uint32_t>& endless() const { return endless_; }  // headers of such loops
  const std::vector<uint32_t>& limited() const { return limited_; }

 private:
  struct Exit {
    uint32_t to;
    double probability;
  };
  /// What a loop does when it is entered at a header.
  struct Summary {
    std::vector<Elimination> headers;      // one: how headers lead to headers
    std::vector<std::vector<Exit>> exits;  // by header
    double iterations = 0;                 // the most of any header
  };
  /// What arrives at the end of a walk through a body.
  struct Arrived {
    std::vector<double> back;  // at each header
    std::vector<Exit> out;
  };

  Arrived walk(uint32_t loop);
  void deliver(uint32_t loop, uint32_t to, double mass, Arrived* arrived);
  void leave(uint32_t to, double mass, std::vector<Exit>* out);
  void close(const std::vector<Exit>& out);
  /// @return whether the loop ends
  bool summarize(uint32_t loop);

  void end(uint32_t loop, double most);
  void shorten(uint32_t loop, double most);
  std::vector<uint32_t> inside(uint32_t loop) const;
  void weigh(uint32_t loop, uint32_t outermost, double weight);
  double weight_of(uint32_t to, uint32_t outermost, double weight) const;

  Chain* chain_;
  const LoopNest& nest_;
  std::vector<Summary> summaries_;  // by loop
  std::vector<double> mass_;        // by block: arrived and not yet passed on
  std::vector<double> visits_;      // by block, of the last walk
  std::vector<double> entering_;    // of headers, of the last walk
  std::vector<uint32_t>
      exit_slot_;                 // by block and, last, outside: its place in a list, or kOutside
  std::vector<double> weight_;    // by block, in shorten()
  std::vector<uint32_t> member_;  // by block: the last loop of which shorten() marked it as part
  std::vector<uint32_t> endless_, limited_;
};

}  // namespace strobe::profile
