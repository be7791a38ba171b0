// The designs of a sweep: every combination of the axes' values that `where` admits.
//
// A design is a number with one digit for each axis. The axes that only a passive observer sees are
// the last digits, so that designs which one run can answer have neighboring numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sw/config/load.h"
#include "sw/config/tree.h"
#include "sw/explore/space/sweep_file.h"

namespace strobe::explore {

/// A design on a workload with a seed; both are indices.
struct Point {
  uint64_t design = 0;
  uint32_t workload = 0, seed = 0;
  uint64_t budget = 0;  // the value of the search's budget key; 0: none
};

class Space {
 public:
  /// Reads the run file and checks the axes against it. Returns nullopt after an error, which is in
  /// the diagnostics.
  static std::optional<Space> make(SweepFile file, text::Diagnostics* diagnostics);

  const SweepFile& file() const { return file_; }
  /// The axes in the order of the digits.
  const std::vector<Axis>& axes() const { return file_.axes; }
  /// The number of all designs, including those that `where` excludes.
  uint64_t size() const { return size_; }
  /// Designs with the same quotient by this number differ only in what a passive observer sees.
  uint64_t observer_designs() const { return observer_designs_; }
  bool admits(uint64_t design) const;
  /// The row of each axis.
  std::vector<uint32_t> digits(uint64_t design) const;
  uint64_t number(const std::vector<uint32_t>& digits) const;

  size_t workloads() const { return file_.workloads.size(); }
  size_t seeds() const { return seeds_.size(); }
  uint64_t seed(size_t index) const { return seeds_[index]; }

  /// The label for people: "profilers.0.strata=64 profilers.0.rate=16".
  std::string label(uint64_t design) const;
  /// The same text with whole values, including the contents of included files, so that it tells
  /// designs apart.
  std::string identity(uint64_t design) const;
  /// Whether one recorded stream answers all designs with the same quotient by observer_designs().
  bool is_recordable() const;
  /// The run file of a point.
  yaml::Node tree(const Point& point) const;
  /// The run file on a workload, with no axis applied.
  const yaml::Node& base(size_t workload) const { return bases_[workload]; }
  /// The run file on the first workload, checked.
  const config::LoadResult& loaded() const { return base_; }
  /// The directory of the run file.
  std::string directory() const;

  /// A sentence for each error of an admitted design: at most the first ten errors of the first
  /// `most` designs.
  text::Diagnostics check_designs(const std::vector<uint64_t>& designs, size_t most) const;

 private:
  std::string settings(uint64_t design, std::string AxisValue::*form, bool named) const;
  bool read_bases(text::Diagnostics* diagnostics);
  bool is_observer_key(const Axis& axis, size_t key) const;
  void tell_values_apart();
  void order_axes();
  bool bind_conditions(text::Diagnostics* diagnostics);
  bool check_axes(text::Diagnostics* diagnostics) const;
  std::optional<uint64_t> first_design() const;

  /// The source of a name's value in a condition: an axis, or a value that is the same for every
  /// design.
  struct Binding {
    std::optional<size_t> axis;
    size_t key = 0;
    Value::Kind kind = Value::Kind::kNothing;
    double number = 0;
    std::string text;
  };

  SweepFile file_;
  std::vector<yaml::Node> bases_;  // by workload
  config::LoadResult base_;        // for the first workload
  std::vector<uint64_t> seeds_;
  std::vector<std::vector<Binding>> bindings_;  // by condition of `where`
  uint64_t size_ = 1, observer_designs_ = 1;
  size_t profilers_ = 0;
};

}  // namespace strobe::explore
