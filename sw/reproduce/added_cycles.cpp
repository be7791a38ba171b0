#include "sw/reproduce/added_cycles.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace strobe::reproduce {
namespace {

double& part_of(AddedCycles& added, const std::string& name) {
  if (name == "interrupt_entry" || name == "expansion") return added.entry;
  if (name == "handler") return added.handler;
  if (name == "branch") return added.branches;
  if (name == "ifetch" || name == "l1" || name == "l2" || name == "dram") return added.caches;
  return added.rest;
}

}  // namespace

AddedCycles& AddedCycles::operator+=(const AddedCycles& other) {
  entry += other.entry;
  handler += other.handler;
  branches += other.branches;
  caches += other.caches;
  rest += other.rest;
  return *this;
}

AddedCycles added_cycles(const result::CpiStack& run, const result::CpiStack& baseline) {
  const nlohmann::json by_class = result::overhead_by_class(run, baseline);
  if (by_class.is_null()) {
    throw std::invalid_argument("added_cycles: expected two runs with timing, got one without");
  }
  AddedCycles added;
  for (const auto& [name, more] : by_class.items()) {
    part_of(added, name) += more.at("cycles").get<double>();
  }
  return added;
}

std::string parts_text(const AddedCycles& added, uint64_t count) {
  const auto one = [&](double cycles) {
    const double each = cycles / static_cast<double>(count);
    return std::abs(each) < 0.05 ? 0 : each;  // no "-0.0"
  };
  return fmt::format("{:.1f}: {:.1f}, {:.1f}, {:.1f}, {:.1f}, {:.1f}", one(added.all()),
                     one(added.entry), one(added.handler), one(added.branches), one(added.caches),
                     one(added.rest));
}

}  // namespace strobe::reproduce
