// The counters of a platform's components as one: read together, reset together, cut into
// intervals.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace strobe::platform {

/// Counters by name, "core.branch.mispredicted".
using Counters = std::map<std::string, uint64_t>;

/// What each counter counted in each interval. Every sum over a column is the counter's total.
struct IntervalTable {
  std::vector<std::string> names;           // the columns', in alphabetical order
  std::vector<std::vector<uint64_t>> rows;  // one an interval; about 1 KB
};

class Statistics {
 public:
  /// Adds a component: anything with statistics() and reset_statistics(), which must live on.
  template <typename Component>
  void add(const std::string& name, Component& component) {
    parts_.push_back({name, [&component] { return component.statistics(); },
                      [&component] { component.reset_statistics(); }});
  }

  /// Every counter of every component.
  Counters read() const;

  /// Sets all of them to 0, and begins the intervals anew: no rows, the first interval starts now.
  void reset();

  /// Ends an interval here: a row of what has been counted since the last one ended. An interval
  /// in which nothing was counted at all makes none.
  void end_interval();
  const IntervalTable& intervals() const { return intervals_; }

 private:
  struct Part {
    std::string name;
    std::function<Counters()> read;
    std::function<void()> reset;
  };
  std::vector<Part> parts_;
  std::vector<uint64_t> before_;  // by column: at the end of the last interval
  IntervalTable intervals_;
};

}  // namespace strobe::platform
