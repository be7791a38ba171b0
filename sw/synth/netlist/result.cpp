#include "sw/synth/netlist/result.h"

namespace strobe::synth {
namespace {

using nlohmann::json;

json macro_json(const Macro& macro) {
  return {{"width", macro.size.width},
          {"depth", macro.size.depth},
          {"source", name_of(macro.source)},
          {"banks", macro.banks},
          {"rows", macro.rows},
          {"columns", macro.columns},
          {"area_um2", macro.area},
          {"access_ns", macro.access},
          {"setup_ns", macro.setup},
          {"read_pj", macro.read_energy},
          {"write_pj", macro.write_energy}};
}

MemorySource source_of(const std::string& name) {
  for (const MemorySource source :
       {MemorySource::kModel, MemorySource::kUser, MemorySource::kFlipFlops}) {
    if (name == name_of(source)) return source;
  }
  throw std::invalid_argument("unknown source of a memory: " + name);
}

Macro macro_of(const json& source) {
  Macro macro;
  macro.size = {source.at("width"), source.at("depth")};
  macro.source = source_of(source.at("source"));
  macro.banks = source.at("banks");
  macro.rows = source.at("rows");
  macro.columns = source.at("columns");
  macro.area = source.at("area_um2");
  macro.access = source.at("access_ns");
  macro.setup = source.at("setup_ns");
  macro.read_energy = source.at("read_pj");
  macro.write_energy = source.at("write_pj");
  return macro;
}

json name_json(const SignalName& name) { return {{"block", name.block}, {"signal", name.signal}}; }

json part_json(const Part& part) {
  return {{"instance", part.instance},
          {"module", part.point.module},
          {"parameters", part.point.parameters},
          {"logic_um2", part.logic_area},
          {"flip_flop_um2", part.flip_flop_area},
          {"memory_um2", part.memory_area},
          {"period_ns", part.period}};
}

Part part_from(const json& source) {
  return {source.at("instance"),
          {source.at("module"), source.at("parameters").get<std::map<std::string, long>>()},
          source.at("logic_um2"),
          source.at("flip_flop_um2"),
          source.at("memory_um2"),
          source.at("period_ns")};
}

SignalName name_from(const json& source) { return {source.at("block"), source.at("signal")}; }

}  // namespace

void add_orders(Report& report, const RealMacros& real, const SramModel& model, double feature) {
  report.real_over_model = real_over_model(real, model);
  for (const BlockResult& block : report.blocks) {
    for (const MemoryUse& use : block.cells.memories) {
      const MemorySize size = use.macro.size;
      if (use.macro.source == MemorySource::kModel)
        report.orders[size] = order_of(size, real, model, feature);
    }
  }
}

Band real_memory_area(const Report& report, const CellResult& cells) {
  Band sum;
  for (const MemoryUse& use : cells.memories) {
    const auto order = report.orders.find(use.macro.size);
    const Band one =
        order == report.orders.end() ? Band{use.macro.area, use.macro.area} : order->second.area;
    sum.low += use.instances * one.low;
    sum.high += use.instances * one.high;
  }
  return sum;
}

void to_json(json& target, const Calibration& value) {
  target = {{"fo4_ns", value.fo4}, {"clock_to_q_ns", value.clock_to_q}, {"setup_ns", value.setup}};
}

void from_json(const json& source, Calibration& value) {
  value.fo4 = source.at("fo4_ns");
  value.clock_to_q = source.at("clock_to_q_ns");
  value.setup = source.at("setup_ns");
}

void to_json(json& target, const CellResult& value) {
  json memories = json::array();
  for (const MemoryUse& use : value.memories) {
    memories.push_back(macro_json(use.macro));
    memories.back()["instances"] = use.instances;
  }
  target = {{"logic_um2", value.logic_area},
            {"flip_flop_um2", value.flip_flop_area},
            {"memory_um2", value.memory_area},
            {"gate_um2", value.gate_area},
            {"flip_flops", value.flip_flops},
            {"period_ns", value.period},
            {"setup_slack_ns", value.setup_slack},
            {"hold_slack_ns", value.hold_slack},
            {"from", name_json(value.path.from)},
            {"to", name_json(value.path.to)},
            {"recipe", value.recipe},
            {"tried", json::array()},
            {"failed_recipes", value.failed_recipes},
            {"memories", memories}};
  for (const Tried& one : value.tried) {
    target["tried"].push_back(
        {{"recipe", one.recipe}, {"period_ns", one.period}, {"um2", one.area}});
  }
  if (value.parts.empty()) return;
  for (const Part& part : value.parts) target["parts"].push_back(part_json(part));
  target["child_share"] = value.child_share;
}

void from_json(const json& source, CellResult& value) {
  value.logic_area = source.at("logic_um2");
  value.flip_flop_area = source.at("flip_flop_um2");
  value.memory_area = source.at("memory_um2");
  value.gate_area = source.at("gate_um2");
  value.flip_flops = source.at("flip_flops");
  value.period = source.at("period_ns");
  value.setup_slack = source.at("setup_slack_ns");
  value.hold_slack = source.at("hold_slack_ns");
  value.path = {name_from(source.at("from")), name_from(source.at("to"))};
  value.recipe = source.at("recipe");
  value.failed_recipes = source.at("failed_recipes").get<std::vector<std::string>>();
  value.tried.clear();
  for (const json& one : source.at("tried"))
    value.tried.push_back({one.at("recipe"), one.at("period_ns"), one.at("um2")});
  value.memories.clear();
  for (const json& memory : source.at("memories"))
    value.memories.push_back({macro_of(memory), memory.at("instances")});
  value.parts.clear();
  for (const json& part : source.value("parts", json::array()))
    value.parts.push_back(part_from(part));
  value.child_share = source.value("child_share", 0.0);
}

void to_json(json& target, const FpgaResult& value) {
  target = {{"luts", value.luts},
            {"flip_flops", value.flip_flops},
            {"block_rams", value.block_rams},
            {"fmax_mhz", value.fmax ? json(*value.fmax) : json()},
            {"why_not", value.why_not}};
}

void from_json(const json& source, FpgaResult& value) {
  value.luts = source.at("luts");
  value.flip_flops = source.at("flip_flops");
  value.block_rams = source.at("block_rams");
  value.why_not = source.at("why_not");
  value.fmax.reset();
  if (!source.at("fmax_mhz").is_null()) value.fmax = source.at("fmax_mhz").get<double>();
}

}  // namespace strobe::synth
