// The order of the flow, and which of its results are kept. The key of each step says everything
// that decides its result. The flow is one class, because every step uses the same cache and the
// same settings; each step's own work is in a file of its own.
#include "sw/synth/synthesis.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <set>
#include <stdexcept>

#include "sw/files/regular_file.h"
#include "sw/files/temporary.h"
#include "sw/synth/design/cache.h"
#include "sw/synth/design/elaborated.h"
#include "sw/synth/library/libraries.h"
#include "sw/synth/mapping/cells.h"
#include "sw/synth/mapping/fpga.h"
#include "sw/synth/netlist/cell_models.h"
#include "sw/synth/proof/equivalence.h"
#include "sw/synth/timing/calibrate.h"
#include "sw/synth/tools/files.h"

namespace strobe::synth {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// The transition time in FO4, from 20 to 80 %, at which power is estimated.
constexpr double kTransition = 2;

/// The shares of the period that the blocks in a composed one are to meet. They are tried in order
/// until the whole meets the target.
constexpr double kShares[] = {1, 0.95, 0.9};

template <typename Read>
auto read_configuration(const char* name, Read read) {
  text::Diagnostics diagnostics;
  auto value = read((source_directory() / "configs/synth" / name).string(), &diagnostics);
  if (!diagnostics.empty()) throw std::invalid_argument(text::to_text(diagnostics));
  return value;
}

class Synthesis {
 public:
  explicit Synthesis(const Options& options)
      : entry_(find_library(read_configuration("libraries.yaml", read_libraries), options.library)),
        sram_data_(read_configuration("sram.yaml", read_sram)),
        sram_(sram_data_.coefficients),
        composed_(read_configuration("blocks.yaml", read_blocks).composed) {
    if (entry_.feature_nm == 0) entry_.feature_nm = options.feature_nm;
    require_plain_path("the library", entry_.file);
    flow_.library = load_cell_library(entry_.file);
    if (!options.macros.empty())
      user_macros_ = parse_macros(read_file(options.macros), options.macros);
    report_.inputs = inputs_of(options);
    report_.library = entry_.name;
    report_.library_sha256 = flow_.library.sha256;
    report_.tools = tool_versions();
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
      if (entry_.feature_nm == 0) require_macros(subject.point);
    }
    if (!options.power.empty() && is_composed(points_.front())) {
      throw std::invalid_argument(fmt::format(
          "power: {} is composed of blocks with netlists of their own; give one of these",
          points_.front().module));
    }
    set_target();
    for_each_block("cells", options,
                   [&](BlockResult& block, const Point& point) { block.cells = cells(point); });
    if (entry_.feature_nm != 0)
      add_orders(report_, sram_data_.real, sram_, entry_.feature_nm / 1000);
    if (!options.netlists.empty()) {
      for (size_t i = 0; i < points_.size(); ++i)
        keep_netlist(report_.blocks[i], netlist(points_[i]), options.netlists);
    }
    if (!options.power.empty()) {
      BlockResult& block = report_.blocks.front();
      block.power = power(block, netlist(points_.front()), options.power);
    }
    if (options.cells_only || !options.netlists.empty() || !options.power.empty()) return report_;
    for_each_block("FPGA", options,
                   [&](BlockResult& block, const Point& point) { block.fpga = fpga(point); });
    for_each_block("proof", options, [&](BlockResult& block, const Point& point) {
      block.equivalence = equivalence(point, cell_key(point), block.cells);
    });
    return report_;
  }

 private:
  template <typename Step>
  void for_each_block(const char* name, const Options& options, Step step) {
    for (size_t i = 0; i < points_.size(); ++i) {
      step(report_.blocks[i], points_[i]);
      options.finished(name, i + 1, report_.blocks[i].subject);
    }
  }

  void set_target() {
    flow_.calibration =
        cached(key("calibration"), [&](const fs::path&) { return json(calibrate(flow_.library)); });
    report_.calibration = flow_.calibration;
    report_.yardstick = cells(whole_point({"strobe_yardstick", {}})).period;
    flow_.target = report_.yardstick;
  }

  void require_macros(const Point& point) const {
    for (const auto& [size, instances] : elaborate(point).memories()) macro(size);
  }

  std::string key(const std::string& what) const {
    std::string text = fmt::format("{}\n{}\n", what, flow_.library.sha256);
    for (const auto& [tool, version] : report_.tools) text += fmt::format("{} {}\n", tool, version);
    return text;
  }

  Macro macro(MemorySize size) const {
    for (const Macro& user : user_macros_) {
      if (user.size == size) return user;
    }
    if (entry_.feature_nm == 0 && !sram_.is_flip_flops(size)) {
      throw std::invalid_argument(
          fmt::format("a memory of {} x {} needs the feature size of {} for the SRAM model; give "
                      "--feature NM, or the macro's data with --macros FILE.csv",
                      size.width, size.depth, entry_.file));
    }
    return sram_.estimate(size,
                          {entry_.feature_nm / 1000, flow_.library.voltage, flow_.calibration.fo4});
  }

  // The key of a point's cell synthesis: everything that decides its result.
  std::string cell_key(const Point& point) const {
    std::string text = key("cells") + source_key(point) + point.text();
    for (const Recipe& recipe : flow_.recipes) text += recipe.name + "\n" + recipe.script;
    for (const auto& [name, value] : sram_data_.coefficients)
      text += fmt::format("{} {}\n", name, value);
    for (const Macro& user : user_macros_)
      text +=
          fmt::format("{} {} {} {}\n", user.size.cell_name(), user.area, user.access, user.setup);
    text += fmt::format("{} {}", entry_.feature_nm, flow_.target);
    if (!is_composed(point)) return text;
    text += "\ncomposed";
    for (const double share : kShares) text += fmt::format(" {}", share);
    for (const std::string& module : source_modules(point)) {
      if (composed_.count(module) != 0) text += " " + module;
    }
    return text;
  }

  bool is_composed(const Point& point) const { return composed_.count(point.module) != 0; }

  // The hash of the point's own sources, so that a change of another block costs nothing.
  static std::string source_key(const Point& point) { return rtl_hash(source_modules(point)); }

  CellFlow flow_for(const Design& design) const {
    CellFlow flow = flow_;
    for (const auto& [size, instances] : design.memories()) flow.macros[size] = macro(size);
    return flow;
  }

  CellResult cells(const Point& point) {
    const std::vector<double> shares(std::begin(kShares), std::end(kShares));
    return is_composed(point) ? composed_cells(point, shares, cell_key(point))
                              : cells_by(point, flow_.recipes, cell_key(point));
  }

  CellResult cells_by(const Point& point, const std::vector<Recipe>& recipes,
                      const std::string& inputs) {
    return cells_of(point, inputs, [&](const Design& design, const std::string& netlist) {
      CellFlow flow = flow_for(design);
      flow.recipes = recipes;
      return synthesize_cells(point, design, flow, netlist);
    });
  }

  // Throws when the library changed, because the tools read the file again.
  void require_same_library() const {
    if (sha256_of_text(read_file(entry_.file)) == flow_.library.sha256) return;
    throw std::runtime_error(fmt::format(
        "the cell library {} changed during the synthesis: start it again", entry_.file));
  }

  // Computes cells through the cache; an error names the point.
  CellResult cells_of(const Point& point, const std::string& inputs,
                      const std::function<CellResult(const Design& design,
                                                     const std::string& netlist)>& compute) const {
    return cached(inputs, [&](const fs::path& stem) {
      const Design design = elaborate(point);
      try {
        json result = compute(design, netlist_of(stem).string());
        require_same_library();
        return result;
      } catch (const std::runtime_error& error) {
        throw std::runtime_error(fmt::format("{}: {}", point.text(), error.what()));
      }
    });
  }

  // A child drives more than the flip-flop that its synthesis assumed. Where the whole misses the
  // target, its children are therefore made faster, one share after another.
  CellResult composed_cells(const Point& point, const std::vector<double>& shares,
                            const std::string& inputs) {
    return cells_of(point, inputs, [&](const Design& design, const std::string& netlist) {
      require_composable(design);
      CellFlow flow = flow_for(design);
      const std::string attempt = files::temporary_of(netlist).string();
      CellResult best;
      for (const double share : shares) {
        flow.children = children_of(design, share);
        CellResult result = synthesize_cells(point, design, flow, attempt);
        if (best.recipe.empty() || result.period < best.period) {
          fs::rename(attempt, netlist);
          best = std::move(result);
          best.child_share = share;
        }
        if (best.period <= flow.target) break;
      }
      fs::remove(attempt);
      return best;
    });
  }

  // Synthesizes the children of a composed block.
  Children children_of(const Design& design, double share) {
    Children children;
    for (const auto& [instance, key] : design.modules.at(design.top).instances) {
      if (children.count(key) != 0) continue;
      const Module& module = design.modules.at(key);
      children[key] = child({module.name, module.parameters}, share);
    }
    return children;
  }

  // A block, mapped by the recipe that is best for a share of the target.
  Child child(const Point& point, double share) {
    const std::string inputs = child_key(point, share);
    const std::string netlist = netlist_of(stem_of(inputs)).string();
    if (is_composed(point)) return {point, composed_cells(point, {share}, inputs), netlist};
    if (inputs == cell_key(point)) return {point, cells(point), netlist};
    std::vector<Recipe> recipes;
    for (const Recipe& recipe : flow_.recipes) {
      if (recipe.name == recipe_for(point, share)) recipes.push_back(recipe);
    }
    return {point, cells_by(point, recipes, inputs), netlist};
  }

  std::string recipe_for(const Point& point, double share) {
    return best_of(cells(point).tried, share * flow_.target).recipe;
  }

  // The key of a child's cells: everything that decides them.
  std::string child_key(const Point& point, double share) {
    if (is_composed(point)) return cell_key(point) + fmt::format("\nin {}", share);
    const std::string recipe = recipe_for(point, share);
    return cell_key(point) + (recipe == cells(point).recipe ? "" : "\nby " + recipe);
  }

  FpgaResult fpga(const Point& point) {
    return cached(
        fmt::format("{}{} {} s", key("fpga 2"), source_key(point) + point.text(), kRouteSeconds),
        [&](const fs::path&) { return json(synthesize_fpga(point, elaborate(point))); });
  }

  // Proves the cells that have this key. A composed block equals its RTL if its children, in the
  // netlists that it contains, equal theirs and if the logic between them does.
  std::string equivalence(const Point& point, const std::string& inputs, const CellResult& cells) {
    Children children;
    if (is_composed(point)) {
      children = children_of(elaborate(point), cells.child_share);
      for (const auto& [key, part] : children) {
        const std::string result =
            equivalence(part.point, child_key(part.point, cells.child_share), part.cells);
        if (result != kProved) return fmt::format("{} in {}", result, part.point.module);
      }
    }
    const char* what = children.empty() ? "addresses reduced" : "between the parts";
    return cached(
        fmt::format("equivalence, {}, {} s{}", what, kProofSeconds, inputs), [&](const fs::path&) {
          const Design design = elaborate(point);
          CellFlow flow = flow_for(design);
          flow.children = children;
          return json(check_equivalence(point, design, flow, netlist_of(stem_of(inputs)).string()));
        });
  }

  // The netlist of a point whose cells are synthesized.
  std::string netlist(const Point& point) const {
    const fs::path stem = stem_of(cell_key(point));
    const fs::path file = netlist_of(stem);
    if (!fs::exists(file)) {
      throw std::runtime_error(
          fmt::format("{}: {} is in the cache without its netlist; remove {}.json to synthesize it "
                      "again",
                      point.text(), stem.filename().string(), stem.string()));
    }
    return file.string();
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
               netlist_source(read_file(netlist), point, macros, flow_.library));
  }

  // The power of a block at its smallest period.
  PowerEstimate power(const BlockResult& block, const std::string& netlist,
                      const std::string& file) const {
    const GateNetlist gates = parse_netlist(read_file(netlist));
    PowerInputs inputs{flow_.library, {}, kTransition * flow_.calibration.fo4, block.cells.period};
    for (const MemoryUse& memory : block.cells.memories)
      inputs.macros[memory.macro.size.cell_name()] = memory.macro;
    std::ifstream vcd(file);
    const Activity activity = read_activity(vcd, file, block.subject.point.module, inputs.clock,
                                            nets_of(gates, inputs.clock));
    PowerEstimate estimate = estimate_power(gates, activity, inputs);
    estimate.source = fs::path(file).filename().string();
    return estimate;
  }

  LibraryEntry entry_;
  SramData sram_data_;
  SramModel sram_;
  std::set<std::string> composed_;  // modules
  CellFlow flow_;
  std::vector<Macro> user_macros_;
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
