#include "sw/reproduce/shim/shim_means.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "sw/reproduce/by_program.h"
#include "sw/reproduce/shim/shim_limits.h"

namespace strobe::reproduce::shim {
namespace {

using Rows = std::vector<std::vector<std::string>>;

/// Tables with a column a setting, beside the first. @param rows  gives those of the settings from
/// `first` to before `end`
template <class RowsOf>
std::vector<Table> tables_by_setting(const std::string& title, const char* first_column,
                                     const std::vector<Setting>& settings, const RowsOf& rows) {
  constexpr size_t kColumns = 6;
  std::vector<Table> tables;
  for (size_t first = 0; first < settings.size(); first += kColumns) {
    const size_t end = std::min(first + kColumns, settings.size());
    Table table{title + (first == 0 ? "" : ", further observers"), {first_column}, {}};
    for (size_t i = first; i < end; ++i) table.header.emplace_back(settings[i].name);
    table.rows = rows(first, end);
    tables.push_back(std::move(table));
  }
  return tables;
}

}  // namespace

Table overhead_table(const std::vector<Setting>& settings, const std::vector<Program>& programs) {
  Table table{
      "Means over the programs",
      {"observer", "cycles from sample to sample", "overhead", "error of the method's share"},
      {}};
  for (size_t i = 0; i < settings.size(); ++i) {
    table.rows.push_back({settings[i].name, fmt::format("{:.0f}", mean_period(programs, i)),
                          percent_interval(overheads(programs, i)),
                          percent_interval(values_of(programs, i, &Observed::tag_error))});
  }
  return table;
}

std::vector<Table> programs_tables(const std::vector<Setting>& settings,
                                   const std::vector<Program>& programs) {
  return tables_by_setting("Overhead by program", "program", settings,
                           [&](size_t first, size_t end) {
                             Rows rows;
                             for (const Program& program : programs) {
                               std::vector<std::string>& cells = rows.emplace_back(1, program.name);
                               for (size_t i = first; i < end; ++i)
                                 cells.push_back(percent(program.by[i].overhead()));
                             }
                             return rows;
                           });
}

std::vector<Table> effect_tables(const std::vector<Setting>& settings,
                                 const std::vector<Program>& programs) {
  const auto effects = [&](const std::string& name, size_t setting) {
    std::vector<double> shares;
    for (const Program& program : programs) {
      const auto found = program.by[setting].effect.find(name);
      shares.push_back(found == program.by[setting].effect.end() ? 0 : found->second);
    }
    return mean(shares);
  };
  std::set<std::string> names;
  for (const Program& program : programs) {
    for (const Observed& one : program.by) {
      for (const auto& [name, share] : one.effect) names.insert(name);
    }
  }
  constexpr double kShown = 0.00005;  // is 0.01 % when rounded
  return tables_by_setting("Overhead by class of the CPI stack, mean over the programs", "class",
                           settings, [&](size_t first, size_t end) {
                             Rows rows;
                             for (const std::string& name : names) {
                               std::vector<std::string> cells = {name};
                               bool shows = false;
                               for (size_t i = first; i < end; ++i) {
                                 const double share = effects(name, i);
                                 shows = shows || std::abs(share) >= kShown;
                                 cells.push_back(percent(share));
                               }
                               if (shows) rows.push_back(std::move(cells));
                             }
                             std::vector<std::string>& all = rows.emplace_back(1, "all");
                             for (size_t i = first; i < end; ++i)
                               all.push_back(percent(mean(overheads(programs, i))));
                             return rows;
                           });
}

Figure overhead_figure(const std::string& name, const std::vector<Setting>& settings,
                       const std::vector<Program>& programs) {
  Figure figure = by_program(name, "Overhead by program", "%", names_of(programs, &Program::name));
  for (size_t i = 0; i < settings.size(); ++i) {
    figure.curves.push_back(percents_by_program(settings[i].name, overheads(programs, i)));
  }
  return figure;
}

Claim about(const std::string& statement, const std::vector<double>& values, double paper,
            const std::string& why) {
  const double one = (1 - kOfOverhead) * paper, other = (1 + kOfOverhead) * paper;
  return claim_by_interval(statement, values, std::min(one, other), std::max(one, other), why);
}

Claim small(const std::string& statement, const std::vector<double>& values, double most,
            const std::string& why) {
  return claim_by_interval(statement, values, -kUnbounded, most, why);
}

}  // namespace strobe::reproduce::shim
