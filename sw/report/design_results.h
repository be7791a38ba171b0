// The settings and results of each design of a sweep, for a query by name.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sw/explore/space/expression.h"
#include "sw/explore/store/database.h"

namespace strobe::report {

/// A result of a point of a design.
struct PointValue {
  std::string seed;
  double value = 0;
};

struct DesignResults {
  int64_t id = 0;
  std::string label;
  bool feasible = true;  // false: it violates a constraint
  size_t points = 0;     // that are stored
  size_t done = 0;
  std::map<std::string, nlohmann::json> settings;  // by axis; null: as the run file has it
  std::map<std::string, std::vector<PointValue>> by_result;  // the points of each key that was read
};

/// What the database of a sweep has of each design with the full budget, in the order of designs.
class SweepResults {
 public:
  explicit SweepResults(explore::Database& database);

  /// Reads a result of all points. A key that is none has no values.
  void read(const std::string& key);

  const std::vector<DesignResults>& designs() const { return designs_; }
  bool is_axis(const std::string& key) const;
  size_t programs() const { return programs_; }
  size_t seeds() const { return seeds_; }
  size_t points() const { return points_; }

  /// Whether each program and seed has a point of the design that is done.
  bool is_whole(const DesignResults& design) const {
    return design.done == programs_ * seeds_ && design.points == design.done;
  }
  /// A setting or a result. A key of results is the mean over the points that have it.
  explore::Value value(const DesignResults& design, const std::string& name) const;
  /// Half of the width of the confidence interval of a mean over seeds; none: there is one seed, or
  /// a point has no such result.
  std::optional<double> half_width(const DesignResults& design, const std::string& key) const;

 private:
  explore::Database& database_;
  std::vector<DesignResults> designs_;
  std::map<int64_t, size_t> places_;
  size_t programs_ = 0, seeds_ = 0, points_ = 0;
};

}  // namespace strobe::report
