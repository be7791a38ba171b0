#include "sw/synth/library/cell_library.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <stdexcept>

#include "sw/synth/library/liberty.h"
#include "sw/synth/tools/files.h"
#include "sw/text/limits.h"

namespace strobe::synth {
namespace {

[[noreturn]] void refuse(const std::string& file, const std::string& what) {
  throw std::runtime_error(fmt::format("{}: {}", file, what));
}

double number(const LibertyGroup& group, const std::string& name, double fallback,
              const std::string& file) {
  const std::string* text = group.attribute(name);
  if (text == nullptr) return fallback;
  char* end = nullptr;
  const double value = std::strtod(text->c_str(), &end);
  if (end == text->c_str() || *end != 0)
    refuse(file, fmt::format("{} of {}: expected a number, got '{}'", name, group.name(), *text));
  return value;
}

std::string text_or_empty(const LibertyGroup& group, const std::string& name) {
  const std::string* text = group.attribute(name);
  return text == nullptr ? "" : *text;
}

// Delays are read as ns and capacitances as pF everywhere else.
void check_units(const LibertyGroup& library, const std::string& file) {
  const std::string time = text_or_empty(library, "time_unit");
  if (time != "1ns") refuse(file, fmt::format("time_unit: expected 1ns, got '{}'", time));
  const LibertyGroup* load = library.group("capacitive_load_unit");
  if (load == nullptr || load->arguments.size() != 2 ||
      std::strtod(load->arguments[0].c_str(), nullptr) != 1 || load->arguments[1] != "pf") {
    refuse(file, "capacitive_load_unit: expected (1,pf)");
  }
}

// Removes the blanks of a function and the parentheses around the whole of it: "(!(A B))" is "!(A
// B)".
std::string bare(std::string function) {
  for (;;) {
    if (function.size() < 2 || function.front() != '(' || function.back() != ')') return function;
    int depth = 0;
    for (size_t i = 0; i + 1 < function.size(); ++i) {
      depth += function[i] == '(' ? 1 : function[i] == ')' ? -1 : 0;
      if (depth == 0) return function;
    }
    function = function.substr(1, function.size() - 2);
  }
}

Cell read_cell(const LibertyGroup& group, const LibertyGroup& library, const std::string& file) {
  Cell cell;
  cell.name = group.name();
  cell.area = number(group, "area", 0, file);
  cell.leakage = number(group, "cell_leakage_power", 0, file);
  cell.latch = group.group("latch") != nullptr;
  if (const LibertyGroup* ff = group.group("ff")) {
    cell.sequential = true;
    cell.state = ff->name();
    cell.next_state = bare(text_or_empty(*ff, "next_state"));
    cell.clocked_on = bare(text_or_empty(*ff, "clocked_on"));
    cell.clear = text_or_empty(*ff, "clear");
    cell.preset = text_or_empty(*ff, "preset");
  }
  for (const LibertyGroup& child : group.groups) {
    if (child.type != "pin") continue;
    CellPin pin;
    pin.name = child.name();
    pin.input = text_or_empty(child, "direction") == "input";
    pin.capacitance = number(child, "capacitance", 0, file);
    pin.function = bare(text_or_empty(child, "function"));
    pin.three_state = child.attribute("three_state") != nullptr;
    pin.energies =
        read_energies(child, library, fmt::format("{}: {}.{}", file, cell.name, pin.name));
    cell.pins.push_back(std::move(pin));
  }
  return cell;
}

// Returns the output's function without blanks, with the inputs called a, b, c in the order of the
// pins.
std::string shape_of(const Cell& cell) {
  if (cell.sequential || cell.latch) return "";
  std::string function;
  std::vector<std::string> inputs;
  for (const CellPin& pin : cell.pins) {
    if (pin.three_state) return "";
    if (pin.input) inputs.push_back(pin.name);
    if (!pin.input && !function.empty()) return "";
    if (!pin.input) function = pin.function;
  }
  std::string shape;
  for (size_t i = 0; i < function.size();) {
    std::string name;
    while (i < function.size() &&
           (std::isalnum(static_cast<unsigned char>(function[i])) != 0 || function[i] == '_'))
      name += function[i++];
    if (name.empty()) {
      if (function[i] != ' ') shape += function[i] == '*' ? '&' : function[i];
      ++i;
      continue;
    }
    const auto input = std::find(inputs.begin(), inputs.end(), name);
    if (input == inputs.end()) return "";
    shape += static_cast<char>('a' + (input - inputs.begin()));
  }
  shape.erase(std::remove(shape.begin(), shape.end(), '&'), shape.end());
  return bare(shape);
}

// The names of the cells of one shape, smallest first.
std::vector<std::string> cells_of_shape(const CellLibrary& library, const std::string& shape) {
  std::vector<std::string> names;
  for (const auto& [name, cell] : library.cells) {
    if (shape_of(cell) == shape) names.push_back(name);
  }
  std::stable_sort(names.begin(), names.end(), [&](const std::string& a, const std::string& b) {
    return library.cells.at(a).area < library.cells.at(b).area;
  });
  return names;
}

std::string first_of(const std::vector<std::string>& names, const std::string& role,
                     const std::string& file) {
  if (names.empty()) refuse(file, fmt::format("no {} among its cells", role));
  return names.front();
}

void assign_roles(CellLibrary* library) {
  library->nand2 = first_of(cells_of_shape(*library, "!(ab)"), "2-input NAND", library->file);
  library->inverter = first_of(cells_of_shape(*library, "!a"), "inverter", library->file);
  const auto buffers = cells_of_shape(*library, "a");
  first_of(buffers, "buffer", library->file);
  library->buffer = buffers[std::min<size_t>(1, buffers.size() - 1)];

  std::vector<std::string> flip_flops;
  for (const auto& [name, cell] : library->cells) {
    const bool plain = cell.sequential && cell.clear.empty() && cell.preset.empty();
    if (plain && cell.pin(cell.clocked_on) != nullptr && cell.pin(cell.next_state) != nullptr)
      flip_flops.push_back(name);
  }
  library->flip_flop = first_of(flip_flops, "rising-edge D flip-flop without reset", library->file);
}

}  // namespace

const CellPin* Cell::pin(const std::string& pin_name) const {
  for (const CellPin& candidate : pins) {
    if (candidate.name == pin_name) return &candidate;
  }
  return nullptr;
}

const CellPin* Cell::output() const {
  for (const CellPin& candidate : pins) {
    if (!candidate.input && (!sequential || candidate.function == state)) return &candidate;
  }
  return nullptr;
}

CellLibrary load_cell_library(const std::string& file) {
  const std::string text = read_file(file, text::limits::kLibertyBytes);
  const LibertyGroup group = parse_liberty(text, file);
  check_units(group, file);
  CellLibrary library;
  library.name = group.name();
  library.file = file;
  library.sha256 = sha256_of_text(text);
  library.voltage = number(group, "nom_voltage", 0, file);
  for (const LibertyGroup& child : group.groups) {
    if (child.type != "cell") continue;
    Cell cell = read_cell(child, group, file);
    library.cells.emplace(cell.name, std::move(cell));
  }
  assign_roles(&library);
  return library;
}

}  // namespace strobe::synth
