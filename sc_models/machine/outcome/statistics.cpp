#include "sc_models/machine/outcome/statistics.h"

#include <algorithm>

namespace strobe::platform {

Counters Statistics::read() const {
  Counters all;
  for (const Part& part : parts_) {
    for (const auto& [name, value] : part.read()) all[part.name + "." + name] = value;
  }
  return all;
}

void Statistics::reset() {
  for (const Part& part : parts_) part.reset();
  intervals_ = IntervalTable();
  before_.clear();
}

void Statistics::end_interval() {
  const Counters now = read();
  if (intervals_.names.empty()) {
    for (const auto& [name, value] : now) intervals_.names.push_back(name);
    before_.assign(now.size(), 0);
  }
  std::vector<uint64_t> row;
  row.reserve(now.size());
  size_t column = 0;
  for (const auto& [name, value] : now) {
    row.push_back(value - before_[column]);
    before_[column++] = value;
  }
  const bool anything = std::any_of(row.begin(), row.end(), [](uint64_t n) { return n != 0; });
  if (anything) intervals_.rows.push_back(std::move(row));
}

}  // namespace strobe::platform
