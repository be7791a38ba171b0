// The axes of a sweep file: `grid`, `zip`, `list`, and the values they take.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "sw/explore/sweep_file.h"

namespace strobe::explore {

class AxisReader {
 public:
  /// @param file  the sweep file, to which includes are relative
  AxisReader(std::string file, config::Diagnostics* diagnostics)
      : file_(std::move(file)), diagnostics_(diagnostics) {}

  /// A map: each key an axis.
  void read_grid(const config::Entry& entry);
  /// A map: keys with as many values each, which change together.
  void read_zip(const config::Entry& entry);
  /// A list of maps: each gives its keys a value.
  void read_list(const config::Entry& entry);

  /// The values of one key: a list, `{pow2: [FIRST, LAST]}` or `{linear: [FIRST, LAST, STEP]}`.
  std::vector<AxisValue> values(const config::Entry& entry, const std::string& path);

  std::vector<Axis> take() { return std::move(axes_); }

 private:
  bool is_map(const config::Node& node, const std::string& path);
  /// Refuses a key that is an axis already, or holds or is held by one.
  bool claim(const config::Entry& entry, const std::string& path);
  AxisValue value_of(const config::Node& node);
  std::vector<AxisValue> range(const config::Node& node, const std::string& path);
  void fault(const config::Mark& mark, const std::string& path, const std::string& message);

  std::string file_;
  config::Diagnostics* diagnostics_;
  std::map<std::string, config::Mark> keys_;  // of every axis so far
  std::vector<Axis> axes_;
};

}  // namespace strobe::explore
