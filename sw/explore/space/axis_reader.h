// The axes of a sweep file: `grid`, `zip`, `list`, and the values they take.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "sw/config/includer.h"
#include "sw/explore/space/sweep_file.h"
#include "sw/text/limits.h"

namespace strobe::explore {

class AxisReader {
 public:
  /// @param includer  of the sweep file
  AxisReader(config::Includer* includer, text::Diagnostics* diagnostics)
      : includer_(includer), diagnostics_(diagnostics) {}

  /// Reads a map in which each key is an axis.
  void read_grid(const yaml::Entry& entry);
  /// Reads a map whose keys have the same number of values each, which change together.
  void read_zip(const yaml::Entry& entry);
  /// Reads a list of maps, each of which gives its keys a value.
  void read_list(const yaml::Entry& entry);

  /// The values of one key: a list, `{pow2: [FIRST, LAST]}` or `{linear: [FIRST, LAST, STEP]}`.
  std::vector<AxisValue> values(const yaml::Entry& entry, const std::string& path);

  std::vector<Axis> take() { return std::move(axes_); }

 private:
  bool is_map(const yaml::Node& node, const std::string& path);
  /// Refuses a key that is an axis already, and a key that contains an axis or lies within one.
  bool claim(const yaml::Entry& entry, const std::string& path);
  /// The `name` of each entry of a list.
  void read_names(const yaml::Entry& list, Axis* axis);
  AxisValue value_of(const yaml::Node& node, const std::string& key);
  /// @return false with a diagnostic once the axes have too many values
  bool take_values(uint64_t count, const yaml::Mark& mark, const std::string& path);
  std::vector<AxisValue> range(const yaml::Node& node, const std::string& path);
  void fault(const yaml::Mark& mark, const std::string& path, const std::string& message);

  config::Includer* includer_;
  text::Diagnostics* diagnostics_;
  text::Budget values_{text::limits::kSweepValues};
  std::map<std::string, yaml::Mark> keys_;  // the keys of all axes read so far
  std::vector<Axis> axes_;
};

}  // namespace strobe::explore
