#include "sw/synth/memory/sram.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <sstream>
#include <stdexcept>

#include "sw/synth/memory/real_macros.h"
#include "sw/yaml/map_reader.h"
#include "sw/yaml/scalar.h"

namespace strobe::synth {
namespace {

const std::vector<std::string> kCoefficients = {"flip_flop_bits",
                                                "cell_width",
                                                "cell_height",
                                                "port_area",
                                                "row_strip",
                                                "column_strip",
                                                "bank_rows",
                                                "column_multiplex",
                                                "access_base",
                                                "access_doubling",
                                                "setup",
                                                "bitline_capacitance",
                                                "wordline_capacitance",
                                                "output_capacitance",
                                                "bitline_swing"};

const std::vector<std::string> kSramColumns = {"width",    "depth",   "area_um2", "access_ns",
                                               "setup_ns", "read_pj", "write_pj"};
constexpr size_t kRequiredColumns = 5;

std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> fields;
  std::istringstream stream(line);
  for (std::string field; std::getline(stream, field, ',');) {
    const size_t first = field.find_first_not_of(" \t\r");
    const size_t last = field.find_last_not_of(" \t\r");
    fields.push_back(first == std::string::npos ? "" : field.substr(first, last - first + 1));
  }
  return fields;
}

// The value of a column. Widths and depths are whole numbers from 1.
double field_value(const std::string& text, size_t column, const std::string& where) {
  const char* start = text.c_str();
  char* end = nullptr;
  const double value = std::strtod(start, &end);
  const bool whole = column >= 2 || (value >= 1 && value == std::floor(value) && value < 1e6);
  if (end == start || *end != 0 || !std::isfinite(value) || value < 0 || !whole) {
    throw std::runtime_error(fmt::format("{}: {}: expected {}, got {}", where, kSramColumns[column],
                                         column < 2 ? "a whole number from 1" : "a number from 0",
                                         text::in_quotes(text)));
  }
  return value;
}

}  // namespace

std::string MemorySize::cell_name() const { return fmt::format("strobe_sram_{}x{}", width, depth); }

const char* name_of(MemorySource source) {
  if (source == MemorySource::kModel) return "model";
  return source == MemorySource::kUser ? "user" : "flip-flops";
}

SramModel::SramModel(std::map<std::string, double> coefficients)
    : coefficients_(std::move(coefficients)) {
  for (const std::string& name : kCoefficients) {
    if (coefficients_.count(name) == 0)
      throw std::invalid_argument("SRAM model: no coefficient " + name);
  }
}

bool SramModel::is_flip_flops(MemorySize size) const {
  return static_cast<double>(size.bits()) <= (*this)["flip_flop_bits"];
}

// Takes as few column-multiplexed words as keep a bank low enough, and then more banks.
SramModel::Bank SramModel::organize(MemorySize size) const {
  Bank bank;
  int multiplex = 1;
  const auto rows_at = [&](int m, int banks) { return (size.depth + m * banks - 1) / (m * banks); };
  while (multiplex < (*this)["column_multiplex"] && rows_at(multiplex, 1) > (*this)["bank_rows"])
    multiplex *= 2;
  while (rows_at(multiplex, bank.banks) > (*this)["bank_rows"]) bank.banks *= 2;
  bank.rows = rows_at(multiplex, bank.banks);
  bank.columns = size.width * multiplex;
  return bank;
}

double SramModel::area_of(MemorySize size, double feature) const {
  const Bank bank = organize(size);
  const double growth = std::sqrt(1 + (*this)["port_area"]);  // the growth of each side
  const double width = bank.columns * (*this)["cell_width"] * growth + (*this)["row_strip"];
  const double height = bank.rows * (*this)["cell_height"] * growth + (*this)["column_strip"];
  return bank.banks * width * height * feature * feature;
}

Macro SramModel::estimate(MemorySize size, const Technology& technology) const {
  Macro macro;
  macro.size = size;
  if (is_flip_flops(size)) {
    macro.source = MemorySource::kFlipFlops;
    return macro;
  }
  const Bank bank = organize(size);
  macro.banks = bank.banks;
  macro.rows = bank.rows;
  macro.columns = bank.columns;
  const double f = technology.feature;
  macro.area = area_of(size, f);

  const double bits = static_cast<double>(size.bits());
  macro.access =
      technology.fo4 * ((*this)["access_base"] + (*this)["access_doubling"] * std::log2(bits));
  macro.setup = technology.fo4 * (*this)["setup"];

  // Capacitances in fF times V2 are fJ.
  const double v2 = technology.voltage * technology.voltage;
  const double bitlines = macro.columns * macro.rows * (*this)["bitline_capacitance"] * f;
  const double wordline = macro.columns * (*this)["wordline_capacitance"] * f;
  const double outputs = size.width * (*this)["output_capacitance"];
  const double written = bitlines * size.width / macro.columns;
  macro.read_energy = v2 * (wordline + bitlines * (*this)["bitline_swing"] + outputs) / 1000;
  macro.write_energy = v2 * (wordline + written) / 1000;
  return macro;
}

SramData read_sram(const std::string& file, text::Diagnostics* diagnostics) {
  SramData data;
  std::map<std::string, double>& values = data.coefficients;
  yaml::Node root;
  if (!yaml::parse_yaml_file(file, file, nullptr, "", &root, diagnostics)) return data;
  yaml::MapReader document(root, "", diagnostics);
  const auto* items = document.list("coefficients");
  for (size_t i = 0; items != nullptr && i < items->size(); ++i) {
    yaml::MapReader reader((*items)[i], fmt::format("coefficients.{}", i), diagnostics);
    const std::string name = reader.text("name").value_or("");
    reader.text("unit");
    reader.text("meaning");
    reader.text("source");
    std::string why;
    const yaml::Entry* entry = reader.require("value");
    const auto value = entry == nullptr ? std::nullopt : yaml::real_of(entry->value, &why);
    if (entry != nullptr && !value) reader.error(entry->value.mark, "value", why);
    if (std::find(kCoefficients.begin(), kCoefficients.end(), name) == kCoefficients.end()) {
      reader.error((*items)[i].mark, "name",
                   fmt::format("no coefficient of the model is called {}{}", text::in_quotes(name),
                               text::did_you_mean(name, kCoefficients)));
    } else if (!values.emplace(name, value.value_or(0)).second) {
      reader.error((*items)[i].mark, "name", fmt::format("{} is given twice", name));
    }
    reader.reject_unknown_keys();
  }
  for (const std::string& name : kCoefficients) {
    if (values.count(name) == 0)
      document.error(root.mark, "coefficients", fmt::format("the coefficient {} is missing", name));
  }
  data.real = read_real_macros(document, diagnostics);
  document.reject_unknown_keys();
  return data;
}

std::vector<Macro> parse_macros(const std::string& csv, const std::string& file) {
  std::vector<Macro> macros;
  std::set<MemorySize> seen;
  std::istringstream lines(csv);
  std::string line;
  std::getline(lines, line);
  const std::vector<std::string> header = split(line);
  if (header.size() < kRequiredColumns || header.size() > kSramColumns.size() ||
      !std::equal(header.begin(), header.end(), kSramColumns.begin())) {
    throw std::runtime_error(
        fmt::format("{}:1: expected the header {} (the last two may be left out), got {}", file,
                    fmt::join(kSramColumns, ","), text::in_quotes(line)));
  }
  for (int number = 2; std::getline(lines, line); ++number) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    const std::string where = fmt::format("{}:{}", file, number);
    const std::vector<std::string> fields = split(line);
    if (fields.size() != header.size()) {
      throw std::runtime_error(
          fmt::format("{}: expected {} fields, got {}", where, header.size(), fields.size()));
    }
    double values[7] = {};
    for (size_t i = 0; i < fields.size(); ++i) values[i] = field_value(fields[i], i, where);
    Macro macro;
    macro.size = {static_cast<int>(values[0]), static_cast<int>(values[1])};
    macro.source = MemorySource::kUser;
    macro.area = values[2];
    macro.access = values[3];
    macro.setup = values[4];
    macro.read_energy = values[5];
    macro.write_energy = values[6];
    if (!seen.insert(macro.size).second)
      throw std::runtime_error(
          fmt::format("{}: {} x {} is given twice", where, macro.size.width, macro.size.depth));
    macros.push_back(macro);
  }
  return macros;
}

}  // namespace strobe::synth
