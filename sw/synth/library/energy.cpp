#include "sw/synth/library/energy.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

namespace strobe::synth {
namespace {

/// A place between two points of an axis: `share` of the way from `low` to the next.
struct Place {
  size_t low = 0;
  double share = 0;
};

Place place_on(const std::vector<double>& axis, double value) {
  if (value <= axis.front() || axis.size() == 1) return {};
  if (value >= axis.back()) return {axis.size() - 2, 1};
  const auto above =
      static_cast<size_t>(std::upper_bound(axis.begin(), axis.end(), value) - axis.begin());
  return {above - 1, (value - axis[above - 1]) / (axis[above] - axis[above - 1])};
}

std::vector<double> numbers(const LibertyGroup& group) {
  std::vector<double> result;
  for (const std::string& row : group.arguments) {
    for (const char* at = row.c_str();;) {
      char* end = nullptr;
      const double value = std::strtod(at, &end);
      if (end == at) break;
      result.push_back(value);
      for (at = end; *at == ',' || *at == ' ' || *at == '\t';) ++at;
    }
  }
  return result;
}

// Whether the template's first axis is the load. When it has one axis, that axis may be either.
bool loads_first(const LibertyGroup& library, const std::string& name) {
  for (const LibertyGroup& group : library.groups) {
    if (group.type != "power_lut_template" || group.name() != name) continue;
    const std::string* variable = group.attribute("variable_1");
    return variable != nullptr && *variable == "total_output_net_capacitance";
  }
  return false;
}

EnergyTable read_table(const LibertyGroup& group, const LibertyGroup& library,
                       const std::string& where) {
  EnergyTable table;
  std::vector<double> axes[2];
  for (size_t i = 0; i < 2; ++i) {
    if (const LibertyGroup* index = group.group(fmt::format("index_{}", i + 1)))
      axes[i] = numbers(*index);
    if (axes[i].empty()) axes[i] = {0};
  }
  const bool first_is_load = loads_first(library, group.name());
  table.loads = axes[first_is_load ? 0 : 1];
  table.transitions = axes[first_is_load ? 1 : 0];
  const LibertyGroup* values = group.group("values");
  const std::vector<double> listed = values == nullptr ? std::vector<double>() : numbers(*values);
  const size_t expected = axes[0].size() * axes[1].size();
  if (listed.size() != expected) {
    throw std::runtime_error(fmt::format("{}: {}: expected {} values, one for each point, got {}",
                                         where, group.type, expected, listed.size()));
  }
  table.values.clear();
  for (size_t load = 0; load < table.loads.size(); ++load) {
    for (size_t transition = 0; transition < table.transitions.size(); ++transition) {
      table.values.push_back(listed[first_is_load ? load * axes[1].size() + transition
                                                  : transition * axes[1].size() + load]);
    }
  }
  return table;
}

}  // namespace

double EnergyTable::at(double load, double transition) const {
  const Place row = place_on(loads, load), column = place_on(transitions, transition);
  const auto along = [&](size_t r) {
    const double* values_of_row = &values[r * transitions.size()];
    const double low = values_of_row[column.low];
    return column.share == 0 ? low : low + column.share * (values_of_row[column.low + 1] - low);
  };
  const double low = along(row.low);
  return row.share == 0 ? low : low + row.share * (along(row.low + 1) - low);
}

double PinEnergy::at(double load, double transition) const {
  return (rise.at(load, transition) + fall.at(load, transition)) / 2;
}

std::vector<PinEnergy> read_energies(const LibertyGroup& pin, const LibertyGroup& library,
                                     const std::string& where) {
  std::vector<PinEnergy> energies;
  for (const LibertyGroup& group : pin.groups) {
    if (group.type != "internal_power") continue;
    PinEnergy energy;
    if (const std::string* related = group.attribute("related_pin")) energy.related_pin = *related;
    if (const LibertyGroup* rise = group.group("rise_power"))
      energy.rise = read_table(*rise, library, where);
    if (const LibertyGroup* fall = group.group("fall_power"))
      energy.fall = read_table(*fall, library, where);
    energies.push_back(std::move(energy));
  }
  return energies;
}

}  // namespace strobe::synth
