#include "sw/synth/netlist/power.h"

#include <fmt/format.h>

#include <stdexcept>

#include "sw/synth/netlist/clock_gates.h"

namespace strobe::synth {
namespace {

class Estimator {
 public:
  Estimator(const GateNetlist& netlist, const Activity& activity, const PowerInputs& inputs)
      : netlist_(netlist), activity_(activity), inputs_(inputs) {}

  PowerEstimate estimate() {
    find_loads();
    for (const Instance& instance : netlist_.instances) add(instance);
    // The block that drives an input counts its energy; the clock, which nothing drives yet, counts
    // here.
    for (const std::string& net : netlist_.inputs) {
      if (net != inputs_.clock) loads_.erase(net);
    }
    const double volt2 = inputs_.library.voltage * inputs_.library.voltage;
    for (const auto& [net, load] : loads_) result_.switching += rate(net) * load * volt2 / 2;
    result_.leakage *= 1e-6;  // the library has nW
    result_.period = inputs_.period;
    result_.cycles = activity_.cycles;
    for (const auto& [net, seen] : activity_.nets) result_.toggles += rate(net);
    if (!activity_.nets.empty()) result_.toggles /= static_cast<double>(activity_.nets.size());
    return result_;
  }

 private:
  const Cell* cell_of(const Instance& instance) const {
    const auto cell = inputs_.library.cells.find(instance.cell);
    return cell == inputs_.library.cells.end() ? nullptr : &cell->second;
  }

  double flip_flop_load() const {
    const Cell& cell = inputs_.library.cells.at(inputs_.library.flip_flop);
    return cell.pin(cell.next_state)->capacitance;
  }

  // The net that drives `net` through assigns.
  std::string root_of(std::string net) const {
    for (auto source = sources_.find(net); source != sources_.end(); source = sources_.find(net))
      net = source->second;
    return net;
  }

  // Outputs go to flip-flops, and a macro's input loads its net as a flip-flop does; timing assumes
  // the same.
  void find_loads() {
    for (const auto& [net, source] : netlist_.assigns) sources_[net] = source;
    for (const Instance& instance : netlist_.instances) {
      if (instance.cell == kClockGate)
        gated_[instance.pins.at("clk_o").front()] = share_of_ones(instance, "enable_i");
      const Cell* cell = cell_of(instance);
      for (const auto& [pin, nets] : instance.pins) {
        const CellPin* known = cell == nullptr ? nullptr : cell->pin(pin);
        const bool input =
            cell == nullptr ? pin != "rdata_o" && pin != "clk_o" : known != nullptr && known->input;
        const double load = cell == nullptr ? flip_flop_load() : input ? known->capacitance : 0;
        for (const std::string& net : nets) {
          if (input) loads_[root_of(net)] += load;
        }
      }
    }
    for (const std::string& net : netlist_.outputs) loads_[root_of(net)] += flip_flop_load();
  }

  double load(const std::string& net) const {
    const auto found = loads_.find(root_of(net));
    return found == loads_.end() ? 0 : found->second;
  }

  // The number of changes in a cycle.
  double rate(const std::string& net) const {
    if (net == inputs_.clock) return 2;
    if (const auto gated = gated_.find(net); gated != gated_.end()) return 2 * gated->second;
    const auto found = activity_.nets.find(root_of(net));
    return found == activity_.nets.end() ? 0 : of_cycles(found->second.toggles);
  }

  double of_cycles(uint64_t count) const {
    return static_cast<double>(count) / static_cast<double>(activity_.cycles);
  }

  void add(const Instance& instance) {
    if (const Cell* cell = cell_of(instance)) {
      result_.leakage += cell->leakage;
      for (const CellPin& pin : cell->pins) result_.internal += energy(instance, pin);
      return;
    }
    if (instance.cell == kClockGate) {
      add_clock_gate();
      return;
    }
    const auto macro = inputs_.macros.find(instance.cell);
    if (macro == inputs_.macros.end())
      throw std::runtime_error(fmt::format("power: cell {} of {} is not in {}", instance.cell,
                                           instance.name, inputs_.library.name));
    result_.memory += share_of_ones(instance, "re_i") * macro->second.read_energy +
                      share_of_ones(instance, "we_i") * macro->second.write_energy;
  }

  // Adds what a flip-flop takes that gets a clock and no data.
  void add_clock_gate() {
    const Cell& cell = inputs_.library.cells.at(inputs_.library.flip_flop);
    result_.leakage += cell.leakage;
    const auto& groups = cell.pin(cell.clocked_on)->energies;
    for (const PinEnergy& group : groups)
      result_.internal += 2 * group.at(0, inputs_.transition) / static_cast<double>(groups.size());
  }

  double share_of_ones(const Instance& instance, const std::string& pin) const {
    const auto found = activity_.nets.find(root_of(instance.pins.at(pin).front()));
    // A constant counts as always 1.
    return found == activity_.nets.end() ? 1 : of_cycles(found->second.ones);
  }

  static std::string net_of(const Instance& instance, const std::string& pin) {
    const auto nets = instance.pins.find(pin);
    return nets == instance.pins.end() ? "" : nets->second.front();
  }

  // A pin's changes times the mean energy of its groups, each weighted by how often its related pin
  // changes.
  double energy(const Instance& instance, const CellPin& pin) const {
    const std::string net = net_of(instance, pin.name);
    const double changes = rate(net);
    if (changes == 0 || pin.energies.empty()) return 0;
    const double pin_load = pin.input ? 0 : load(net);
    double weighted = 0, weights = 0, plain = 0;
    for (const PinEnergy& group : pin.energies) {
      const double one = group.at(pin_load, inputs_.transition);
      const double weight =
          group.related_pin.empty() ? 1 : rate(net_of(instance, group.related_pin));
      weighted += weight * one;
      weights += weight;
      plain += one / static_cast<double>(pin.energies.size());
    }
    return changes * (weights > 0 ? weighted / weights : plain);
  }

  const GateNetlist& netlist_;
  const Activity& activity_;
  const PowerInputs& inputs_;
  std::map<std::string, std::string> sources_;
  std::map<std::string, double> gated_;  // by gated clock: its share of cycles with an edge
  std::map<std::string, double> loads_;  // pF, by the net that drives
  PowerEstimate result_;
};

}  // namespace

std::set<std::string> nets_of(const GateNetlist& netlist, const std::string& clock) {
  std::set<std::string> nets(netlist.inputs.begin(), netlist.inputs.end());
  for (const Instance& instance : netlist.instances) {
    for (const auto& [pin, connected] : instance.pins)
      nets.insert(connected.begin(), connected.end());
  }
  for (const Instance& instance : netlist.instances) {
    if (instance.cell == kClockGate) nets.erase(instance.pins.at("clk_o").front());
  }
  for (const auto& [net, source] : netlist.assigns) nets.insert(source);
  nets.erase("");
  nets.erase(clock);
  return nets;
}

PowerEstimate estimate_power(const GateNetlist& netlist, const Activity& activity,
                             const PowerInputs& inputs) {
  return Estimator(netlist, activity, inputs).estimate();
}

void to_json(nlohmann::json& json, const PowerEstimate& value) {
  json = {{"estimate", "before layout: no wires, no glitches, no clock tree"},
          {"internal_pj_per_cycle", value.internal},
          {"switching_pj_per_cycle", value.switching},
          {"memory_pj_per_cycle", value.memory},
          {"leakage_mw", value.leakage},
          {"period_ns", value.period},
          {"total_mw", value.total()},
          {"activity",
           {{"source", value.source},
            {"cycles", value.cycles},
            {"toggles_per_net_and_cycle", value.toggles}}}};
}

}  // namespace strobe::synth
