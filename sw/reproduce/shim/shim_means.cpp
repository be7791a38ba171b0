#include "sw/reproduce/shim/shim_means.h"

#include <algorithm>
#include <utility>

#include "sw/reproduce/shim/shim_limits.h"

namespace strobe::reproduce::shim {

Table overhead_table(const std::vector<Setting>& settings, const std::vector<Program>& programs) {
  Table table{
      "Means over the programs",
      {"observer", "cycles from sample to sample", "overhead", "error of the method's share"},
      {}};
  for (size_t i = 0; i < settings.size(); ++i) {
    table.rows.push_back({settings[i].name, fmt::format("{:.0f}", mean_period(programs, i)),
                          percent_interval(overheads(programs, i)),
                          percents_of(values_of(programs, i, &Observed::tag_error))});
  }
  return table;
}

std::vector<Table> programs_tables(const std::vector<Setting>& settings,
                                   const std::vector<Program>& programs) {
  constexpr size_t kColumns = 6;  // beside the program
  std::vector<Table> tables;
  for (size_t first = 0; first < settings.size(); first += kColumns) {
    const size_t end = std::min(first + kColumns, settings.size());
    Table table{first == 0 ? "Overhead by program" : "Overhead by program, further observers",
                {"program"},
                {}};
    for (size_t i = first; i < end; ++i) table.header.emplace_back(settings[i].name);
    for (const Program& program : programs) {
      std::vector<std::string> cells = {program.name};
      for (size_t i = first; i < end; ++i) cells.push_back(percent(program.by[i].overhead()));
      table.rows.push_back(std::move(cells));
    }
    tables.push_back(std::move(table));
  }
  return tables;
}

Figure overhead_figure(const std::string& name, const std::vector<Setting>& settings,
                       const std::vector<Program>& programs) {
  Figure figure{name, "Overhead by program, in the table's order", "program", "%", {}};
  for (size_t i = 0; i < settings.size(); ++i) {
    Curve curve{settings[i].name, {}, report::Stroke::kDots};
    for (size_t k = 0; k < programs.size(); ++k) {
      curve.points.emplace_back(static_cast<double>(k + 1), 100 * programs[k].by[i].overhead());
    }
    figure.curves.push_back(std::move(curve));
  }
  return figure;
}

Claim about(const std::string& statement, const std::vector<double>& values, double paper,
            const std::string& why) {
  return claim_by_interval(statement, values, (1 - kOfOverhead) * paper, (1 + kOfOverhead) * paper,
                           why);
}

Claim small(const std::string& statement, const std::vector<double>& values, double most,
            const std::string& why) {
  return claim_by_interval(statement, values, -kUnbounded, most, why);
}

}  // namespace strobe::reproduce::shim
