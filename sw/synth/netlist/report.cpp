// A synthesis report as JSON, as text and as a page.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sw/synth/netlist/result.h"

namespace strobe::synth {
namespace {

using nlohmann::json;

constexpr int kSchema = 1;

/// The resolution of the report: a period within this of the yardstick's period counts as equal.
constexpr double kResolution = 0.005;  // ns

bool meets(const Report& report, const BlockResult& block) {
  return block.cells.period <= report.yardstick + kResolution;
}

double gates(double area, const CellResult& cells) { return area / cells.gate_area; }

json block_json(const Report& report, const BlockResult& block) {
  const CellResult& cells = block.cells;
  json result;
  const Subject& subject = block.subject;
  result["module"] = subject.point.module;
  result["parameters"] = subject.point.parameters;
  if (!subject.configuration.empty()) {
    result["configuration"] = subject.configuration;
    result["storage_bits"] = subject.storage_bits;
  }
  result["cells"] = cells;
  result["cells"]["area_um2"] = cells.area();
  result["cells"]["logic_ge"] = gates(cells.logic_area, cells);
  result["cells"]["flip_flop_ge"] = gates(cells.flip_flop_area, cells);
  result["cells"]["memory_ge"] = gates(cells.memory_area, cells);
  for (json& memory : result["cells"]["memories"]) {
    const auto order = report.orders.find({memory["width"], memory["depth"]});
    if (order == report.orders.end()) continue;
    for (const auto& [macro, number] : order->second.macros)
      memory["orderable"].push_back(
          {{"width", macro.width}, {"depth", macro.depth}, {"number", number}});
    memory["orderable_um2"] = {order->second.area.low, order->second.area.high};
  }
  const Band real = real_memory_area(report, cells);
  result["cells"]["memory_orderable_ge"] = {gates(real.low, cells), gates(real.high, cells)};
  result["cells"]["period_fo4"] = cells.period / report.calibration.fo4;
  result["cells"]["of_yardstick"] = cells.period / report.yardstick;
  result["cells"]["meets_yardstick"] = meets(report, block);
  if (block.fpga) result["ice40_hx8k"] = *block.fpga;
  if (!block.equivalence.empty()) result["equivalence"] = block.equivalence;
  if (block.power) result["power"] = *block.power;
  result["sources"] = block.sources;
  return result;
}

// Makes columns as wide as their widest cell; the first column is left-aligned.
std::string table(const std::vector<std::vector<std::string>>& rows) {
  std::vector<size_t> widths(rows.front().size());
  for (const auto& row : rows) {
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (size_t i = 0; i < row.size(); ++i)
      line += i == 0 ? fmt::format("{:<{}}", row[i], widths[i])
                     : fmt::format("  {:>{}}", row[i], widths[i]);
    text += line + "\n";
  }
  return text;
}

const std::vector<std::string> kColumns = {"block", "logic GE", "flop GE",      "memory GE", "um2",
                                           "ns",    "FO4",      "of yardstick", "hold ns",   "LUT",
                                           "FF",    "BRAM",     "iCE40 MHz"};

constexpr size_t kYardstickColumn = 7;

std::string markdown_row(const std::vector<std::string>& cells) {
  std::string line = "|";
  for (const std::string& cell : cells) line += " " + cell + " |";
  return line + "\n";
}

// The first column is text, the others are numbers unless they are among the last `texts`.
std::string markdown_table(const std::vector<std::string>& columns, size_t texts,
                           const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::string> rule(columns.size(), "---:");
  rule.front() = "---";
  std::fill(rule.end() - static_cast<std::ptrdiff_t>(texts), rule.end(), "---");
  std::string text = markdown_row(columns) + markdown_row(rule);
  for (const auto& row : rows) text += markdown_row(row);
  return text;
}

// The part of a row that a page shows: the columns in kColumns.
std::vector<std::string> picked(const std::vector<std::string>& row,
                                const std::vector<size_t>& columns) {
  std::vector<std::string> cells;
  for (const size_t column : columns) cells.push_back(row[column]);
  return cells;
}

std::vector<std::string> row_of(const Report& report, const BlockResult& block) {
  const CellResult& cells = block.cells;
  const auto whole = [](double value) { return fmt::format("{:.0f}", value); };
  std::vector<std::string> row = {block.subject.text(),
                                  whole(gates(cells.logic_area, cells)),
                                  whole(gates(cells.flip_flop_area, cells)),
                                  whole(gates(cells.memory_area, cells)),
                                  whole(cells.area()),
                                  fmt::format("{:.2f}", cells.period),
                                  fmt::format("{:.1f}", cells.period / report.calibration.fo4),
                                  fmt::format("{:.2f}", cells.period / report.yardstick),
                                  fmt::format("{:.2f}", cells.hold_slack)};
  row.resize(kColumns.size(), "-");
  if (!block.fpga) return row;
  const FpgaResult& fpga = *block.fpga;
  auto column = row.end() - 4;
  for (const int count : {fpga.luts, fpga.flip_flops, fpga.block_rams})
    *column++ = std::to_string(count);
  if (fpga.fmax) *column = fmt::format("{:.0f}", *fpga.fmax);
  return row;
}

std::string order_text(const MemoryOrder& order) {
  std::string text = "to be ordered as";
  const char* separator = " ";
  for (const auto& [macro, number] : order.macros) {
    text += fmt::format("{}{} of {} x {}", separator, number, macro.width, macro.depth);
    separator = " and ";
  }
  return text + fmt::format(", {:.0f} to {:.0f} um2", order.area.low, order.area.high);
}

// The area of each block's memories as real macros, for a reader who does not trust the model's
// areas.
std::string bands_text(const Report& report) {
  if (report.orders.empty()) return "";
  std::string text = fmt::format(
      "\nmemories as macros that can be ordered: published ones have {:.1f} to {:.1f} times the "
      "model's area\n",
      report.real_over_model.low, report.real_over_model.high);
  for (const BlockResult& block : report.blocks) {
    const CellResult& cells = block.cells;
    const Band real = real_memory_area(report, cells);
    if (real.high == 0) continue;
    text += fmt::format("  {}: {:.0f} to {:.0f} GE, by the model {:.0f}\n", block.subject.text(),
                        gates(real.low, cells), gates(real.high, cells),
                        gates(cells.memory_area, cells));
  }
  return text;
}

std::string memories_text(const Report& report) {
  std::map<MemorySize, Macro> macros;
  for (const BlockResult& block : report.blocks) {
    for (const MemoryUse& use : block.cells.memories) macros[use.macro.size] = use.macro;
  }
  std::string text;
  for (const auto& [size, macro] : macros) {
    text += fmt::format("  {} x {}: {}", size.width, size.depth, name_of(macro.source));
    if (macro.source != MemorySource::kFlipFlops)
      text += fmt::format(
          ", {:.0f} um2, access {:.2f} ns, setup {:.2f} ns, read {:.1f} pJ, write {:.1f} pJ",
          macro.area, macro.access, macro.setup, macro.read_energy, macro.write_energy);
    const auto order = report.orders.find(size);
    if (order != report.orders.end()) text += ";\n    " + order_text(order->second);
    text += "\n";
  }
  return text.empty() ? text : "\nmemories (width x depth)\n" + text + bands_text(report);
}

// The blocks in a composed one, and the logic between them.
std::string parts_text(const BlockResult& block) {
  const CellResult& cells = block.cells;
  std::vector<std::vector<std::string>> rows = {
      {"instance", "block", "logic GE", "flop GE", "memory GE"}};
  const auto add = [&](const std::string& instance, const std::string& module, double logic,
                       double flip_flops, double memory) {
    rows.push_back({instance, module});
    for (const double area : {logic, flip_flops, memory})
      rows.back().push_back(fmt::format("{:.0f}", gates(area, cells)));
  };
  double logic = cells.logic_area, flip_flops = cells.flip_flop_area;
  for (const Part& part : cells.parts) {
    add(part.instance, part.point.module, part.logic_area, part.flip_flop_area, part.memory_area);
    logic -= part.logic_area;
    flip_flops -= part.flip_flop_area;
  }
  add("between them", "", logic, flip_flops, 0);
  return fmt::format("\nparts of {}\n", block.subject.text()) + table(rows);
}

std::string power_text(const Report& report, const BlockResult& block) {
  const PowerEstimate& power = *block.power;
  return fmt::format(
      "\npower, an estimate before layout: {} tables, {} cycles of {} ({:.3f} changes a net and "
      "cycle), "
      "no wires, no glitches, no clock tree\n  {}: {:.2f} pJ a cycle (cells {:.2f}, nets {:.2f}, "
      "memories {:.2f}), {:.2f} mW at {:.2f} ns, {:.6f} of it leakage\n",
      report.library, power.cycles, power.source, power.toggles, block.subject.text(),
      power.energy(), power.internal, power.switching, power.memory, power.total(), power.period,
      power.leakage);
}

}  // namespace

json report_json(const Report& report) {
  json result;
  result["schema"] = kSchema;
  result["library"] = {{"name", report.library}, {"sha256", report.library_sha256}};
  result["inputs"] = report.inputs;
  result["tools"] = json::object();
  for (const auto& [tool, version] : report.tools) result["tools"][tool] = version;
  result["calibration"] = report.calibration;
  result["yardstick_ns"] = report.yardstick;
  result["wires"] = "none: before layout";
  result["blocks"] = json::array();
  for (const BlockResult& block : report.blocks)
    result["blocks"].push_back(block_json(report, block));
  return result;
}

std::string report_text(const Report& report) {
  std::string text = fmt::format("{} ({}), before layout, no wires\n", report.library,
                                 report.library_sha256.substr(0, 12));
  for (const auto& [tool, version] : report.tools) text += fmt::format("{} {}\n", tool, version);
  const Calibration& cell = report.calibration;
  text += fmt::format("FO4 {:.3f} ns, flip-flop clock to output {:.3f} ns, setup {:.3f} ns\n",
                      cell.fo4, cell.clock_to_q, cell.setup);
  text += fmt::format("yardstick (64-bit add and bypass) {:.2f} ns, {:.1f} FO4\n\n",
                      report.yardstick, report.yardstick / cell.fo4);

  std::vector<std::vector<std::string>> rows = {kColumns};
  for (const BlockResult& block : report.blocks) rows.push_back(row_of(report, block));
  text += table(rows) + memories_text(report);
  for (const BlockResult& block : report.blocks) {
    if (!block.cells.parts.empty()) text += parts_text(block);
  }

  text += "\ncritical paths\n";
  for (const BlockResult& block : report.blocks) {
    const CriticalPath& path = block.cells.path;
    if (block.cells.period == 0) {
      text += fmt::format("  {}: none, its outputs are constant\n", block.subject.text());
      continue;
    }
    text += fmt::format("  {}: {} {} to {} {}{}\n", block.subject.text(), path.from.block,
                        path.from.signal, path.to.block, path.to.signal,
                        meets(report, block) ? "" : "  MISSES THE YARDSTICK");
  }
  for (const BlockResult& block : report.blocks) {
    if (block.power) text += power_text(report, block);
  }
  text += "\nnetlist equals RTL\n";
  for (const BlockResult& block : report.blocks)
    text += fmt::format("  {}: {}\n", block.subject.text(),
                        block.equivalence.empty() ? "not asked for" : block.equivalence);
  for (const BlockResult& block : report.blocks) {
    if (block.fpga && !block.fpga->why_not.empty())
      text += fmt::format("\n{} on an iCE40 HX8K: {}\n", block.subject.text(), block.fpga->why_not);
  }
  return text;
}

std::string failed_recipes_text(const Report& report) {
  std::string text;
  for (const BlockResult& block : report.blocks) {
    for (const std::string& recipe : block.cells.failed_recipes)
      text += fmt::format("strobe: warning: {}: abc failed on recipe {}, which is left out\n",
                          block.subject.text(), recipe);
  }
  return text;
}

std::string report_markdown(const Report& report) {
  std::string text =
      "# Synthesis results\n\nWritten by `strobe synth --all --format markdown`; "
      "[synthesis](../synthesis.md) says what the figures mean.\n\n";
  text += fmt::format("{} ({}), before layout, no wires.\n", report.library,
                      report.library_sha256.substr(0, 12));
  for (const auto& [tool, version] : report.tools) text += fmt::format("{} {}.\n", tool, version);
  text += fmt::format("FO4 {:.3f} ns; the yardstick is {:.2f} ns ({:.1f} FO4).\n\n",
                      report.calibration.fo4, report.yardstick,
                      report.yardstick / report.calibration.fo4);

  const std::vector<size_t> in_cells = {0, 1, 2, 3, 5, kYardstickColumn},
                            in_fpga = {0, 9, 10, 11, 12};
  std::vector<std::vector<std::string>> blocks, configurations, fpga;
  for (const BlockResult& block : report.blocks) {
    std::vector<std::string> row = row_of(report, block);
    if (!meets(report, block)) row[kYardstickColumn] = "**" + row[kYardstickColumn] + "**";
    std::vector<std::string> cells = picked(row, in_cells);
    cells.push_back(block.equivalence);
    (block.subject.configuration.empty() ? blocks : configurations).push_back(cells);
    if (block.fpga) fpga.push_back(picked(row, in_fpga));
  }
  std::vector<std::string> columns = picked(kColumns, in_cells);
  columns.push_back("netlist");
  text +=
      "What misses the yardstick is in bold.\n\n## Blocks\n\n" + markdown_table(columns, 1, blocks);
  text += "\n## Named profiler configurations\n\n" + markdown_table(columns, 1, configurations) +
          "\n## On an iCE40 HX8K\n\n" + markdown_table(picked(kColumns, in_fpga), 0, fpga);

  text += "\n## Blocks that miss the yardstick\n\n" +
          markdown_row({"block", "of yardstick", "from", "to"}) +
          markdown_row({"---", "---", "---", "---"});
  for (const BlockResult& block : report.blocks) {
    const CriticalPath& path = block.cells.path;
    if (!meets(report, block))
      text += markdown_row({block.subject.text(),
                            fmt::format("{:.2f}", block.cells.period / report.yardstick),
                            fmt::format("{} `{}`", path.from.block, path.from.signal),
                            fmt::format("{} `{}`", path.to.block, path.to.signal)});
  }
  text += "\n## Not on an iCE40 HX8K\n\n";
  for (const BlockResult& block : report.blocks) {
    if (block.fpga && !block.fpga->why_not.empty())
      text += fmt::format("- {}: {}\n", block.subject.text(), block.fpga->why_not);
  }
  return text;
}

}  // namespace strobe::synth
