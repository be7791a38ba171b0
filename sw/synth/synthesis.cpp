// The order of the flow. The key of each step says everything that decides its result; each step's
// own work is in a file of its own.
#include "sw/synth/synthesis.h"

#include <fmt/format.h>

#include <fstream>
#include <map>
#include <stdexcept>

#include "sw/files/regular_file.h"
#include "sw/synth/design/cache.h"
#include "sw/synth/design/elaborated.h"
#include "sw/synth/library/libraries.h"
#include "sw/synth/mapping/fpga.h"
#include "sw/synth/mapping/kept_cells.h"
#include "sw/synth/netlist/cell_models.h"
#include "sw/synth/proof/equivalence.h"
#include "sw/synth/tools/files.h"
#include "sw/text/limits.h"

namespace strobe::synth {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// The transition time in FO4, from 20 to 80 %, at which power is estimated.
constexpr double kTransition = 2;

template <typename Read>
auto read_configuration(const char* name, Read read) {
  text::Diagnostics diagnostics;
  auto value = read((source_directory() / "configs/synth" / name).string(), &diagnostics);
  if (!diagnostics.empty()) throw std::invalid_argument(text::to_text(diagnostics));
  return value;
}

CellSetup setup_of(const Options& options) {
  CellSetup setup;
  setup.library =
      find_library(read_configuration("libraries.yaml", read_libraries), options.library);
  setup.sram = read_configuration("sram.yaml", read_sram);
  setup.composed = read_configuration("blocks.yaml", read_blocks).composed;
  if (setup.library.feature_nm == 0) setup.library.feature_nm = options.feature_nm;
  require_plain_path("the library", setup.library.file);
  if (!options.macros.empty()) {
    setup.user_macros =
        parse_macros(read_file(options.macros, text::limits::kYamlBytes), options.macros);
  }
  setup.tools = tool_versions();
  return setup;
}

class Synthesis {
 public:
  explicit Synthesis(const Options& options) : Synthesis(setup_of(options)) {
    report_.inputs = inputs_of(options);
  }

  // Elaborates first, because errors there show in a moment, while the yardstick takes a minute.
  // Areas and periods come next, because they are wanted most and take least.
  Report run(const std::vector<Subject>& subjects, const Options& options) {
    for (const Subject& subject : subjects) {
      BlockResult& block = report_.blocks.emplace_back();
      block.subject = subject;
      points_.push_back(whole_point(subject.point));
      for (const fs::path& file : rtl_sources(source_modules(points_.back())))
        block.sources.push_back(file.lexically_relative(source_directory()).string());
      if (feature_nm_ == 0) cells_.require_macros(subject.point);
    }
    if (!options.power.empty() && cells_.is_composed(points_.front())) {
      throw std::invalid_argument(fmt::format(
          "power: {} is composed of blocks with netlists of their own; give one of these",
          points_.front().module));
    }
    cells_.set_target();
    report_.calibration = cells_.calibration();
    report_.yardstick = cells_.target();
    for_each_block("cells", options,
                   [&](BlockResult& block, const Point& point) { block.cells = cells_.of(point); });
    if (feature_nm_ != 0) add_orders(report_, real_macros_, cells_.sram(), feature_nm_ / 1000);
    if (!options.netlists.empty()) {
      for (size_t i = 0; i < points_.size(); ++i)
        keep_netlist(report_.blocks[i], cells_.netlist(points_[i]), options.netlists);
    }
    if (!options.power.empty()) {
      BlockResult& block = report_.blocks.front();
      block.power = power(block, cells_.netlist(points_.front()), options.power);
    }
    if (options.cells_only || !options.netlists.empty() || !options.power.empty()) return report_;
    for_each_block("FPGA", options,
                   [&](BlockResult& block, const Point& point) { block.fpga = fpga(point); });
    for_each_block("proof", options, [&](BlockResult& block, const Point& point) {
      block.equivalence = equivalence(point, cells_.key_of(point), block.cells);
    });
    return report_;
  }

 private:
  explicit Synthesis(const CellSetup& setup)
      : feature_nm_(setup.library.feature_nm), real_macros_(setup.sram.real), cells_(setup) {
    report_.library = setup.library.name;
    report_.library_sha256 = cells_.library().sha256;
    report_.tools = setup.tools;
  }

  template <typename Step>
  void for_each_block(const char* name, const Options& options, Step step) {
    for (size_t i = 0; i < points_.size(); ++i) {
      step(report_.blocks[i], points_[i]);
      options.finished(name, i + 1, report_.blocks[i].subject);
    }
  }

  FpgaResult fpga(const Point& point) {
    return cached(fmt::format("{}{} {} s", cells_.step_key("fpga 2"),
                              rtl_hash(source_modules(point)) + point.text(), kRouteSeconds),
                  [&](const fs::path&) { return json(synthesize_fpga(point, elaborate(point))); });
  }

  // Proves the cells that have this key. A composed block equals its RTL if its children, in the
  // netlists that it contains, equal theirs and if the logic between them does.
  std::string equivalence(const Point& point, const std::string& inputs, const CellResult& cells) {
    Children children;
    if (cells_.is_composed(point)) {
      children = cells_.children_of(elaborate(point), cells.child_share);
      for (const auto& [key, part] : children) {
        const std::string result =
            equivalence(part.point, cells_.child_key(part.point, cells.child_share), part.cells);
        if (result != kProved) return fmt::format("{} in {}", result, part.point.module);
      }
    }
    const char* what = children.empty() ? "addresses reduced" : "between the parts";
    return cached(
        fmt::format("equivalence, {}, {} s{}", what, kProofSeconds, inputs), [&](const fs::path&) {
          const Design design = elaborate(point);
          CellFlow flow = cells_.flow_for(design);
          flow.children = children;
          return json(check_equivalence(point, design, flow, netlist_of(stem_of(inputs)).string()));
        });
  }

  void keep_netlist(const BlockResult& block, const std::string& netlist,
                    const fs::path& folder) const {
    const Point& point = block.subject.point;
    std::vector<MemorySize> macros;
    for (const MemoryUse& memory : block.cells.memories) {
      if (memory.macro.source != MemorySource::kFlipFlops) macros.push_back(memory.macro.size);
    }
    fs::create_directories(folder);
    write_file(folder / (point.module + ".sv"),
               netlist_source(read_file(netlist), point, macros, cells_.library()));
  }

  // The power of a block at its smallest period.
  PowerEstimate power(const BlockResult& block, const std::string& netlist,
                      const std::string& file) const {
    const GateNetlist gates = parse_netlist(read_file(netlist));
    PowerInputs inputs{
        cells_.library(), {}, kTransition * cells_.calibration().fo4, block.cells.period};
    for (const MemoryUse& memory : block.cells.memories)
      inputs.macros[memory.macro.size.cell_name()] = memory.macro;
    std::ifstream vcd(file);
    const Activity activity = read_activity(vcd, file, block.subject.point.module, inputs.clock,
                                            nets_of(gates, inputs.clock));
    PowerEstimate estimate = estimate_power(gates, activity, inputs);
    estimate.source = fs::path(file).filename().string();
    return estimate;
  }

  double feature_nm_;  // the library's; 0: unknown
  RealMacros real_macros_;
  KeptCells cells_;
  std::vector<Point> points_;  // the subjects' whole points
  Report report_;
};

// Every path of a script is in one of these folders, except for the library.
void require_plain_folders() {
  require_plain_path("the folder of temporary files", fs::temp_directory_path());
  require_plain_path("the cache", cache_directory());
  require_plain_path("the source tree", source_directory());
}

// A netlist replaces its module, so each module can have only one.
void require_one_point_a_module(const std::vector<Subject>& subjects) {
  std::map<std::string, Point> points;
  for (const Subject& subject : subjects) {
    const auto [first, added] = points.emplace(subject.point.module, subject.point);
    if (!added && !(first->second == subject.point)) {
      throw std::invalid_argument(
          fmt::format("netlists: {} and {} would be the same file; give each a folder of its own",
                      first->second.text(), subject.point.text()));
    }
  }
}

}  // namespace

json inputs_of(const Options& options) {
  const auto identity = [](const std::string& file) {
    return json{{"name", fs::path(file).filename().string()},
                {"sha256", sha256_of_text(read_file(file))}};
  };
  const auto known = read_configuration("libraries.yaml", read_libraries);
  return {{"library", identity(find_library(known, options.library).file)},
          {"rtl", {{"sha256", rtl_hash()}}},
          {"macros", options.macros.empty() ? json() : identity(options.macros)}};
}

std::vector<Point> blocks_of(const Point& point) {
  require_plain_folders();
  require_tools({"yosys"});
  return elaborated_blocks(point);
}

Report synthesize(const std::vector<Subject>& subjects, const Options& options) {
  for (const Subject& subject : subjects) require_module(subject.point.module);
  if (!options.power.empty() && subjects.size() != 1) {
    throw std::invalid_argument(fmt::format(
        "power: a waveform is of one netlist, got {} blocks; give one --block", subjects.size()));
  }
  if (!options.power.empty()) {
    const std::string why = files::why_unreadable(options.power);
    if (!why.empty()) {
      throw std::invalid_argument(fmt::format("power: cannot read {}: {}", options.power, why));
    }
  }
  if (!options.netlists.empty()) require_one_point_a_module(subjects);
  require_plain_folders();
  require_tools({"yosys", "sta", "berkeley-abc", "nextpnr-ice40", "icetime"});
  Report report = Synthesis(options).run(subjects, options);
  if (report.inputs != inputs_of(options)) {
    throw std::runtime_error(
        "the cell library, the memory macros or the RTL changed during the synthesis: start it "
        "again");
  }
  return report;
}

}  // namespace strobe::synth
