#include "sw/synth/mapping/kept_cells.h"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "sw/files/temporary.h"
#include "sw/synth/design/cache.h"
#include "sw/synth/design/elaborated.h"
#include "sw/synth/timing/calibrate.h"
#include "sw/synth/tools/files.h"

namespace strobe::synth {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// The shares of the period that the blocks in a composed one are to meet. They are tried in order
/// until the whole meets the target.
constexpr double kShares[] = {1, 0.95, 0.9};

}  // namespace

KeptCells::KeptCells(CellSetup setup) : setup_(std::move(setup)), sram_(setup_.sram.coefficients) {
  flow_.library = load_cell_library(setup_.library.file);
}

void KeptCells::set_target() {
  flow_.calibration = cached(step_key("calibration"),
                             [&](const fs::path&) { return json(calibrate(flow_.library)); });
  flow_.target = of(whole_point({"strobe_yardstick", {}})).period;
}

std::string KeptCells::step_key(const std::string& what) const {
  std::string text = fmt::format("{}\n{}\n", what, flow_.library.sha256);
  for (const auto& [tool, version] : setup_.tools) text += fmt::format("{} {}\n", tool, version);
  return text;
}

Macro KeptCells::macro(MemorySize size) const {
  for (const Macro& user : setup_.user_macros) {
    if (user.size == size) return user;
  }
  if (setup_.library.feature_nm == 0 && !sram_.is_flip_flops(size)) {
    throw std::invalid_argument(
        fmt::format("a memory of {} x {} needs the feature size of {} for the SRAM model; give "
                    "--feature NM, or the macro's data with --macros FILE.csv",
                    size.width, size.depth, setup_.library.file));
  }
  return sram_.estimate(
      size, {setup_.library.feature_nm / 1000, flow_.library.voltage, flow_.calibration.fo4});
}

// The key of a point's cell synthesis: everything that decides its result.
std::string KeptCells::key_of(const Point& point) const {
  std::string text = step_key("cells") + rtl_hash(source_modules(point)) + point.text();
  for (const Recipe& recipe : flow_.recipes) text += recipe.name + "\n" + recipe.script;
  for (const auto& [name, value] : setup_.sram.coefficients)
    text += fmt::format("{} {}\n", name, value);
  for (const Macro& user : setup_.user_macros)
    text += fmt::format("{} {} {} {}\n", user.size.cell_name(), user.area, user.access, user.setup);
  text += fmt::format("{} {}", setup_.library.feature_nm, flow_.target);
  if (!is_composed(point)) return text;
  text += "\ncomposed";
  for (const double share : kShares) text += fmt::format(" {}", share);
  for (const std::string& module : source_modules(point)) {
    if (setup_.composed.count(module) != 0) text += " " + module;
  }
  return text;
}

CellFlow KeptCells::flow_for(const Design& design) const {
  CellFlow flow = flow_;
  for (const auto& [size, instances] : design.memories()) flow.macros[size] = macro(size);
  return flow;
}

CellResult KeptCells::of(const Point& point) {
  const std::vector<double> shares(std::begin(kShares), std::end(kShares));
  return is_composed(point) ? composed_cells(point, shares, key_of(point))
                            : cells_by(point, flow_.recipes, key_of(point));
}

CellResult KeptCells::cells_by(const Point& point, const std::vector<Recipe>& recipes,
                               const std::string& inputs) {
  return cells_of(point, inputs, [&](const Design& design, const std::string& netlist) {
    CellFlow flow = flow_for(design);
    flow.recipes = recipes;
    return synthesize_cells(point, design, flow, netlist);
  });
}

// Throws when the library changed, because the tools read the file again.
void KeptCells::require_same_library() const {
  if (sha256_of_text(read_file(setup_.library.file)) == flow_.library.sha256) return;
  throw std::runtime_error(fmt::format(
      "the cell library {} changed during the synthesis: start it again", setup_.library.file));
}

// Computes cells through the cache; an error names the point.
CellResult KeptCells::cells_of(
    const Point& point, const std::string& inputs,
    const std::function<CellResult(const Design& design, const std::string& netlist)>& compute)
    const {
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
CellResult KeptCells::composed_cells(const Point& point, const std::vector<double>& shares,
                                     const std::string& inputs) {
  return cells_of(point, inputs, [&](const Design& design, const std::string& netlist) {
    require_composable(design);
    CellFlow flow = flow_for(design);
    const files::Temporary attempt(netlist);
    CellResult best;
    for (const double share : shares) {
      flow.children = children_of(design, share);
      CellResult result = synthesize_cells(point, design, flow, attempt.path().string());
      if (best.recipe.empty() || result.period < best.period) {
        fs::rename(attempt.path(), netlist);
        best = std::move(result);
        best.child_share = share;
      }
      if (best.period <= flow.target) break;
    }
    return best;
  });
}

// Synthesizes the children of a composed block.
Children KeptCells::children_of(const Design& design, double share) {
  Children children;
  for (const auto& [instance, key] : design.modules.at(design.top).instances) {
    if (children.count(key) != 0) continue;
    const Module& module = design.modules.at(key);
    children[key] = child({module.name, module.parameters}, share);
  }
  return children;
}

// A block, mapped by the recipe that is best for a share of the target.
Child KeptCells::child(const Point& point, double share) {
  const std::string inputs = child_key(point, share);
  const std::string netlist = netlist_of(stem_of(inputs)).string();
  if (is_composed(point)) return {point, composed_cells(point, {share}, inputs), netlist};
  if (inputs == key_of(point)) return {point, of(point), netlist};
  std::vector<Recipe> recipes;
  for (const Recipe& recipe : flow_.recipes) {
    if (recipe.name == recipe_for(point, share)) recipes.push_back(recipe);
  }
  return {point, cells_by(point, recipes, inputs), netlist};
}

std::string KeptCells::recipe_for(const Point& point, double share) {
  return best_of(of(point).tried, share * flow_.target).recipe;
}

// The key of a child's cells: everything that decides them.
std::string KeptCells::child_key(const Point& point, double share) {
  if (is_composed(point)) return key_of(point) + fmt::format("\nin {}", share);
  const std::string recipe = recipe_for(point, share);
  return key_of(point) + (recipe == of(point).recipe ? "" : "\nby " + recipe);
}

// The netlist of a point whose cells are synthesized.
std::string KeptCells::netlist(const Point& point) const {
  const fs::path stem = stem_of(key_of(point));
  const fs::path file = netlist_of(stem);
  if (!fs::exists(file)) {
    throw std::runtime_error(
        fmt::format("{}: {} is in the cache without its netlist; remove {}.json to synthesize it "
                    "again",
                    point.text(), stem.filename().string(), stem.string()));
  }
  return file.string();
}

void KeptCells::require_macros(const Point& point) const {
  for (const auto& [size, instances] : elaborate(point).memories()) macro(size);
}

}  // namespace strobe::synth
