#include "sw/explore/space/space.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <set>

#include "sw/text/limits.h"

namespace strobe::explore {

using text::Diagnostics;
using yaml::Node;

namespace {

constexpr uint64_t kMostDesigns = uint64_t{1} << 62;
constexpr size_t kMostCheckedRows = 1000;       // for each axis
constexpr size_t kMostCheckedValues = 200'000;  // values of run files, of all axes
constexpr uint64_t kMostTried = 10'000'000;     // the designs tried to find one that `where` admits

void set_key(const std::string& path, const Node& value, const yaml::Mark& mark, Node* root,
             Diagnostics* diagnostics) {
  config::apply({config::split_path(path), value, mark}, root, diagnostics);
}

/// Applies row `rows[a]` of each axis.
void set_axes(const std::vector<Axis>& axes, const std::vector<uint32_t>& rows, Node* root,
              Diagnostics* diagnostics) {
  for (size_t a = 0; a < axes.size(); ++a) {
    for (size_t key = 0; key < axes[a].keys.size(); ++key) {
      const auto& value = axes[a].rows[rows[a]][key];
      if (value) set_key(axes[a].keys[key], value->node, axes[a].marks[key], root, diagnostics);
    }
  }
}

Node number_node(uint64_t value, const yaml::Mark& mark) {
  Node node;
  node.kind = Node::Kind::kScalar;
  node.mark = mark;
  node.scalar = std::to_string(value);
  return node;
}

}  // namespace

std::optional<Space> Space::make(SweepFile file, Diagnostics* diagnostics) {
  Space space;
  space.file_ = std::move(file);
  if (!space.read_bases(diagnostics)) return std::nullopt;
  space.tell_values_apart();
  space.order_axes();
  for (const Axis& axis : space.axes()) {
    if (axis.rows.size() > kMostDesigns / space.size_) {
      diagnostics->push_back(axis.marks[0].error(
          axis.keys[0], fmt::format("too many designs, expected at most {}", kMostDesigns)));
      return std::nullopt;
    }
    space.size_ *= axis.rows.size();
  }
  if (!space.bind_conditions(diagnostics) || !space.check_axes(diagnostics)) return std::nullopt;
  return space;
}

bool Space::read_bases(Diagnostics* diagnostics) {
  Node root;
  if (!config::load_tree(file_.base, {}, &root, diagnostics)) return false;
  if (!diagnostics->empty()) return false;
  text::Budget values(text::limits::kSweepBases);
  const size_t own_values = yaml::values_in(root);
  for (const Workload& workload : file_.workloads) {
    if (!values.take(own_values + yaml::values_in(workload.node))) {
      diagnostics->push_back(root.mark.error(
          "workloads", "the run files of all workloads are too large: " + values.excess()));
      return false;
    }
    Node& base = bases_.emplace_back(root);
    if (workload.node.kind != Node::Kind::kNull) {
      set_key("workload", workload.node, workload.node.mark, &base, diagnostics);
    }
    const config::LoadResult loaded = config::load_run_tree(base, directory());
    diagnostics->append(loaded.diagnostics);
    if (bases_.size() == 1) base_ = loaded;
  }
  if (!diagnostics->empty()) return false;
  Workload& own = file_.workloads[0];
  if (own.name.empty()) {
    own.name = std::filesystem::path(base_.configuration.workload.elf).stem().string();
  }
  seeds_ = file_.seeds;
  if (seeds_.empty()) seeds_.push_back(base_.configuration.seed);
  profilers_ = base_.configuration.profilers.size();
  return true;
}

/// Whether the key belongs to a profiler that only watches, so that it changes nothing else in the
/// run.
bool Space::is_observer_key(const Axis& axis, size_t key) const {
  const std::vector<std::string> path = config::split_path(axis.keys[key]);
  if (path.size() < 2 || path[0] != "profilers") return false;
  for (size_t i = 0; i < profilers_; ++i) {
    if (path[1] != std::to_string(i)) continue;
    if (base_.configuration.profilers[i].active) return false;
    const std::string active = fmt::format("profilers.{}.active", i);
    for (const Axis& other : file_.axes) {
      if (std::count(other.keys.begin(), other.keys.end(), active) != 0) return false;
    }
    if (path.size() > 2) return true;
    return std::none_of(axis.rows.begin(), axis.rows.end(), [key](const auto& row) {
      return row[key] && row[key]->node.find("active") != nullptr;
    });
  }
  return false;
}

/// Shows values whole when two of them, such as two files of one name, would otherwise look the
/// same.
void Space::tell_values_apart() {
  for (Axis& axis : file_.axes) {
    for (size_t key = 0; key < axis.keys.size(); ++key) {
      std::map<std::string, std::string> texts;  // by the shown text
      bool apart = true;
      for (const auto& row : axis.rows) {
        if (!row[key]) continue;
        const auto known = texts.try_emplace(row[key]->shown, row[key]->text).first;
        apart = apart && known->second == row[key]->text;
      }
      for (auto& row : axis.rows) {
        if (!apart && row[key]) row[key]->shown = row[key]->text;
      }
    }
  }
}

/// One recorded stream answers all designs when no profiler is active and all profilers select the
/// same in every design.
bool Space::is_recordable() const {
  const config::RunConfig& run = base_.configuration;
  if (run.mode == config::Mode::kSampled || run.profilers.empty()) return false;
  const auto& selectors = run.profilers[0].selectors;
  for (const config::SelectorConfig& selector : selectors) {
    if (selector.in_burst) return false;  // a recording has no decode engine
  }
  for (const config::ProfilerConfig& profiler : run.profilers) {
    if (profiler.active || profiler.selectors != selectors) return false;
  }
  for (const Axis& axis : axes()) {
    for (const std::string& key : axis.keys) {
      const std::vector<std::string> path = config::split_path(key);
      const bool whole = path[0] == "profilers" && path.size() < 3;
      if (whole || key == "mode" || (path.size() > 2 && path[2] == "selectors")) return false;
    }
  }
  return true;
}

void Space::order_axes() {
  const auto observed = [this](const Axis& axis) {
    for (size_t key = 0; key < axis.keys.size(); ++key) {
      if (!is_observer_key(axis, key)) return false;
    }
    return true;
  };
  std::vector<Axis> run_axes, observer_axes;
  for (const Axis& axis : file_.axes) (observed(axis) ? observer_axes : run_axes).push_back(axis);
  for (const Axis& axis : observer_axes) observer_designs_ *= axis.rows.size();
  run_axes.insert(run_axes.end(), observer_axes.begin(), observer_axes.end());
  file_.axes = std::move(run_axes);
}

bool Space::bind_conditions(Diagnostics* diagnostics) {
  std::vector<std::string> known;
  for (const config::EffectiveValue& value : base_.values) known.push_back(value.path);
  for (const Condition& condition : file_.where) {
    auto& bindings = bindings_.emplace_back();
    for (const std::string& name : condition.expression.names()) {
      Binding& binding = bindings.emplace_back();
      for (size_t a = 0; a < axes().size(); ++a) {
        const auto& keys = axes()[a].keys;
        const auto found = std::find(keys.begin(), keys.end(), name);
        if (found == keys.end()) continue;
        binding.axis = a;
        binding.key = static_cast<size_t>(found - keys.begin());
      }
      const auto value =
          std::find_if(base_.values.begin(), base_.values.end(),
                       [&name](const config::EffectiveValue& v) { return v.path == name; });
      if (value == base_.values.end() && !binding.axis) {
        diagnostics->push_back(condition.mark.error(
            "where", fmt::format("{} is neither an axis nor a key of the run file{}",
                                 text::in_quotes(name), text::did_you_mean(name, known))));
      }
      if (value == base_.values.end()) continue;
      const std::string& text = value->value;
      const auto [end, error] =
          std::from_chars(text.data(), text.data() + text.size(), binding.number);
      const bool number = error == std::errc() && end == text.data() + text.size();
      const bool flag = text == "true" || text == "false";
      if (flag) binding.number = text == "true" ? 1 : 0;
      binding.kind = number || flag ? Value::Kind::kNumber : Value::Kind::kText;
      binding.text = text;
    }
  }
  return diagnostics->empty();
}

bool Space::admits(uint64_t design) const {
  if (file_.where.empty()) return true;
  const std::vector<uint32_t> rows = digits(design);
  std::vector<Value> values;
  for (size_t i = 0; i < file_.where.size(); ++i) {
    values.clear();
    for (const Binding& binding : bindings_[i]) {
      const std::optional<AxisValue>* given =
          binding.axis ? &axes()[*binding.axis].rows[rows[*binding.axis]][binding.key] : nullptr;
      values.push_back(given != nullptr && given->has_value()
                           ? (*given)->value()
                           : Value{binding.kind, binding.number, &binding.text});
    }
    if (!file_.where[i].expression.holds(values)) return false;
  }
  return true;
}

std::vector<uint32_t> Space::digits(uint64_t design) const {
  std::vector<uint32_t> rows(axes().size());
  for (size_t a = axes().size(); a-- > 0;) {
    rows[a] = static_cast<uint32_t>(design % axes()[a].rows.size());
    design /= axes()[a].rows.size();
  }
  return rows;
}

uint64_t Space::number(const std::vector<uint32_t>& rows) const {
  uint64_t design = 0;
  for (size_t a = 0; a < axes().size(); ++a) design = design * axes()[a].rows.size() + rows[a];
  return design;
}

std::string Space::label(uint64_t design) const {
  return settings(design, &AxisValue::shown, true);
}
std::string Space::identity(uint64_t design) const {
  return settings(design, &AxisValue::text, false);
}

std::string Space::directory() const {
  return std::filesystem::path(file_.base).parent_path().string();
}

std::string Space::settings(uint64_t design, std::string AxisValue::*form, bool named) const {
  const std::vector<uint32_t> rows = digits(design);
  std::string text;
  for (size_t a = 0; a < axes().size(); ++a) {
    const Axis& axis = axes()[a];
    if (named && !axis.names.empty()) {
      text += (text.empty() ? "" : " ") + axis.names[rows[a]];
      continue;
    }
    for (size_t key = 0; key < axis.keys.size(); ++key) {
      const auto& value = axis.rows[rows[a]][key];
      if (!value) continue;
      if (!text.empty()) text += ' ';
      text += axis.keys[key];
      text += '=';
      text += (*value).*form;
    }
  }
  return text;
}

Node Space::tree(const Point& point) const {
  Node root = bases_[point.workload];
  Diagnostics faults;  // check_axes has shown that there are none
  set_axes(axes(), digits(point.design), &root, &faults);
  if (!file_.seeds.empty()) {
    set_key("seed", number_node(seeds_[point.seed], root.mark), {}, &root, &faults);
  }
  if (point.budget != 0) {
    set_key(file_.search.budget, number_node(point.budget, root.mark), {}, &root, &faults);
  }
  return root;
}

std::optional<uint64_t> Space::first_design() const {
  const uint64_t most = std::min(size_, kMostTried);
  for (uint64_t design = 0; design < most; ++design) {
    if (admits(design)) return design;
  }
  return std::nullopt;
}

/// Checks every value of every axis together with the first design's values of the others.
bool Space::check_axes(Diagnostics* diagnostics) const {
  const std::vector<uint32_t> first = digits(first_design().value_or(0));
  std::set<std::string> said;
  size_t values = 0;  // those in the run files that have been checked
  const size_t base_values = yaml::values_in(bases_[0]);
  const auto report = [&](const Diagnostics& faults) {
    for (const text::Diagnostic& fault : faults) {
      if (said.insert(fault.text()).second) diagnostics->push_back(fault);
    }
  };
  for (size_t a = 0; a < axes().size(); ++a) {
    const Axis& axis = axes()[a];
    for (size_t key = 0; key < axis.keys.size(); ++key) {
      const std::string& name = axis.keys[key];
      const bool program = name == "workload" || name == "workload.elf";
      const bool own = name == "seed" && !file_.seeds.empty();
      if (!program && !own && name != file_.search.budget) continue;
      diagnostics->push_back(axis.marks[key].error(
          name, program
                    ? "the program cannot be an axis: list the programs under 'workloads'"
                    : "two axes set the same key: the sweep file's seeds or search set it, too"));
    }
    if (!diagnostics->empty()) return false;
    std::vector<uint32_t> rows = first;
    for (uint32_t row = 0; row < std::min(axis.rows.size(), kMostCheckedRows); ++row) {
      if ((values += base_values) > kMostCheckedValues) break;
      rows[a] = row;
      Node root = bases_[0];
      Diagnostics faults;
      set_axes(axes(), rows, &root, &faults);
      report(faults.empty() ? config::check_keys(root) : faults);
    }
  }
  return diagnostics->empty();
}

Diagnostics Space::check_designs(const std::vector<uint64_t>& designs, size_t most) const {
  constexpr size_t kMostFaults = 10;
  Diagnostics result;
  std::set<std::string> said;
  for (size_t i = 0; i < std::min(designs.size(), most) && result.size() < kMostFaults; ++i) {
    Point point;
    point.design = designs[i];
    for (text::Diagnostic fault : config::load_run_tree(tree(point), directory()).diagnostics) {
      if (!said.insert(fault.text()).second) continue;
      fault.message += fmt::format("; in the design {}: exclude it with 'where'",
                                   text::in_quotes(label(point.design)));
      result.push_back(std::move(fault));
    }
  }
  return result;
}

}  // namespace strobe::explore
