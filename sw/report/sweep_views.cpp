#include "sw/report/sweep_views.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <sstream>
#include <utility>

#include "sw/explore/store/csv.h"
#include "sw/report/by_workload.h"
#include "sw/report/confidence.h"
#include "sw/report/design_table.h"
#include "sw/report/markdown.h"

namespace strobe::report {
namespace {

using nlohmann::json;

// Okabe and Ito's colors, which people with any color vision can tell apart.
constexpr const char *kGrey = "#999999", *kBlue = "#56B4E9", *kVermillion = "#D55E00";

/// A file name for `name`: a plain name in its folder.
std::string file_name(const std::string& name) {
  std::string out;
  for (const char c : name) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_' ||
                       (c == '.' && !out.empty());
    out += plain ? c : '_';
  }
  return out;
}

std::string count(size_t number, const char* what) {
  return fmt::format("{} {}{}", number, what, number == 1 ? "" : "s");
}

std::string objective_text(const Objective& objective) {
  return (objective.maximize ? "max " : "min ") + objective.key + bracketed(objective.unit);
}

std::string objectives_text(const SweepData& data) {
  std::string text;
  for (const Objective& objective : data.objectives) {
    text += (text.empty() ? "" : ", ") + objective_text(objective);
  }
  return text;
}

/// A text such as "96 points of 48 designs: 94 done, 2 failed".
std::string counts_text(const SweepData& data) {
  std::map<std::string, size_t> states;
  for (const Point& point : data.points) ++states[point.status];
  std::string text = fmt::format("{} of {}:", count(data.points.size(), "point"),
                                 count(data.designs.size(), "design"));
  const char* separator = " ";
  for (const auto& [status, number] : states) {
    text += fmt::format("{}{} {}", separator, number, status);
    separator = ", ";
  }
  return text;
}

std::string front_text(const SweepData& data, size_t front) {
  const bool rated = std::any_of(data.designs.begin(), data.designs.end(),
                                 [](const Design& design) { return design.front.has_value(); });
  if (!rated) return "no front yet: the sweep has not ended";
  const auto feasible =
      std::count_if(data.designs.begin(), data.designs.end(),
                    [](const Design& design) { return design.feasible.value_or(false); });
  return fmt::format("{} on the front, {} feasible", front, feasible);
}

/// The explanation of ±; empty for a sweep of one seed.
std::string interval_text(const SweepData& data) {
  if (data.seeds < 2) return "";
  return fmt::format(
      "±: half of the {:g} % confidence interval (Student's t) of the mean of {} seeds;\n"
      "none (-) where a seed has no result, or all give the same value: no seed touches it",
      100 * kConfidence, data.seeds);
}

/// The number of characters in a UTF-8 text.
size_t letters(const std::string& text) {
  return static_cast<size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

std::string aligned(const std::vector<TextRow>& rows) {
  std::vector<size_t> widths(rows[0].size());
  for (const TextRow& row : rows) {
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], letters(row[i]));
  }
  std::string text;
  for (const TextRow& row : rows) {
    for (size_t i = 0; i < row.size(); ++i) {
      text += fmt::format("{}{:>{}}", i == 0 ? "" : "  ", row[i], widths[i]);
    }
    text += "\n";
  }
  return text;
}

std::string more_text(size_t front) {
  if (front <= kMostRows) return "";
  return fmt::format("... and {} more on the front; --format csv has all\n", front - kMostRows);
}

json digit_of(const std::optional<bool>& value) { return value ? json(*value ? 1 : 0) : json(); }

/// The comment at the head of a YAML file, without its marks.
std::string head_comment(const std::string& file) {
  std::string text;
  std::istringstream stream(file);
  for (std::string line; std::getline(stream, line) && !line.empty() && line[0] == '#';) {
    line.erase(0, std::min(line.size(), line.find_first_not_of("# ")));
    text += markdown_text(line) + "\n";
  }
  return text;
}

// A warning for the head of a page whose sweep ran in a build that no commit describes.
std::string dirty_warning(const SweepData& data) {
  const std::string suffix = "-dirty";
  const std::string& id = data.git_id;
  if (id.size() < suffix.size() || id.substr(id.size() - suffix.size()) != suffix) return "";
  return fmt::format(
      "> **Made by a build with uncommitted changes** on top of commit {}: that commit alone need "
      "not give\n> these figures. Commit the changes, build, and run the two commands below "
      "again.\n\n",
      markdown_text(id.substr(0, id.size() - suffix.size())));
}

}  // namespace

std::string sweep_text(const SweepData& data) {
  const size_t front = front_of(data).size();
  std::string text;
  if (data.question) {
    text = fmt::format("question    {}\nanswer      {}\n\n", data.question->ask,
                       data.question->answer);
  }
  text += fmt::format("sweep       {} of {}, {}\n", data.name, data.base, data.search);
  text += fmt::format("points      {}\n", counts_text(data));
  text += fmt::format("objectives  {}\n", objectives_text(data));
  for (const std::string& constraint : data.constraints) {
    text += fmt::format("constraint  {}\n", constraint);
  }
  text += fmt::format("front       {}\n", front_text(data, front));
  if (front == 0) return text;
  text += "\n" + aligned(front_rows(data)) + more_text(front);
  if (data.seeds < 2) return text;
  text += "\n" + interval_text(data) + "\n";
  if (data.workloads > 1) text += "\n" + aligned(workload_rows(data));
  return text;
}

std::string sweep_csv(const SweepData& data) {
  std::string text = "design,label,workload,points,feasible,front";
  for (const Axis& axis : data.axes) text += "," + explore::csv_field(axis.key);
  for (const Objective& objective : data.objectives)
    text += "," + explore::csv_field(objective.key);
  for (const Objective& objective : data.objectives)
    text += "," + explore::csv_field(objective.key + ".half_width");
  text += "\n";
  const auto line = [&](size_t place, const json& workload, size_t points, const auto& values) {
    const Design& design = data.designs[place];
    text += fmt::format("{},{},{},{},{},{}", place, explore::csv_field(design.label),
                        explore::csv_field(workload), points,
                        explore::csv_field(digit_of(design.feasible)),
                        explore::csv_field(digit_of(design.front)));
    for (const json& value : design.settings) text += "," + explore::csv_field(value);
    for (const auto* list : {&values.objectives, &values.half_widths}) {
      for (const auto& value : *list)
        text += "," + explore::csv_field(value ? json(*value) : json());
    }
    text += "\n";
  };
  std::vector<size_t> done(data.designs.size());
  for (const Point& point : data.points) done[point.design] += point.status == "done";
  for (size_t i = 0; i < data.designs.size(); ++i) line(i, json(), done[i], data.designs[i]);
  for (const OverSeeds& group : data.over_seeds) {
    line(group.design, group.workload, group.seeds, group);
  }
  return text;
}

Figure front_figure(const SweepData& data, size_t x_objective, size_t y_objective) {
  Curve infeasible{"infeasible", {}, Stroke::kCrosses, kGrey};
  Curve others{"other designs", {}, Stroke::kDots, kBlue};
  Curve front{"on the front", {}, Stroke::kDiamonds, kVermillion};
  for (const Design& design : data.designs) {
    const auto &x = design.objectives[x_objective], &y = design.objectives[y_objective];
    if (!x || !y) continue;
    Curve& curve = design.front.value_or(false)     ? front
                   : design.feasible.value_or(true) ? others
                                                    : infeasible;
    curve.points.emplace_back(*x, *y);
  }
  const Objective &x = data.objectives[x_objective], &y = data.objectives[y_objective];
  Figure figure{file_name(fmt::format("{}-{}", data.name, short_names({x.key})[0])),
                fmt::format("{}: {}", data.name, count(data.designs.size(), "design")),
                objective_text(x),
                objective_text(y),
                {},
                Start::kLeast,
                Start::kLeast};
  for (Curve* curve : {&infeasible, &others, &front}) {
    if (!curve->points.empty()) figure.curves.push_back(std::move(*curve));
  }
  return figure;
}

std::vector<Figure> front_figures(const SweepData& data) {
  const size_t objectives = data.objectives.size();
  std::vector<Figure> figures;
  for (size_t x = objectives > 1 ? 1 : 0; x < objectives; ++x) {
    figures.push_back(front_figure(data, x, 0));
  }
  if (about_workloads(data)) {
    Figure& figure = figures.emplace_back(workload_figure(data));
    figure.name = file_name(data.name + "-" + figure.name);
  }
  std::set<std::string> names;
  for (Figure& figure : figures) {
    const std::string name = figure.name;
    for (unsigned i = 1; !names.insert(figure.name).second; ++i) {
      figure.name = fmt::format("{}-{}", name, i);
    }
  }
  return figures;
}

std::string sweep_markdown(const SweepData& data) {
  const std::vector<size_t> front = front_of(data);
  std::string text = fmt::format("# {}\n\n{}", markdown_text(data.name), dirty_warning(data));
  if (data.question) {
    text += fmt::format("**Question:** {}\n\n**Answer:** {}\n\n", markdown_text(data.question->ask),
                        markdown_text(data.question->answer));
  }
  text += head_comment(data.file) + "\n";
  text += fmt::format(
      "{}, then\n{} wrote this page,\nwith Strobe {}{}.\n\n",
      markdown_code(fmt::format("strobe sweep configs/sweeps/{}.yaml --out DIR", data.name)),
      markdown_code(fmt::format(
          "strobe report DIR --format markdown --output docs/explorations/{}.md", data.name)),
      markdown_text(data.version),
      data.git_id.empty() ? "" : " (" + markdown_text(data.git_id) + ")");
  text += fmt::format("{}; {}.\nObjectives: {}", markdown_text(counts_text(data)),
                      front_text(data, front.size()), markdown_text(objectives_text(data)));
  for (size_t i = 0; i < data.constraints.size(); ++i) {
    text += (i == 0 ? "; subject to " : ", ") + markdown_code(data.constraints[i]);
  }
  text += ".\n\n";
  for (const Figure& figure : front_figures(data)) {
    text += fmt::format("![{} over {}]({}.svg)\n", markdown_text(figure.y_label),
                        markdown_text(figure.x_label), figure.name);
  }
  if (!front.empty()) {
    text += "\n## The front\n\n" + markdown_table(front_rows(data));
    const std::string more = more_text(front.size());
    if (!more.empty()) text += "\n" + more;
    if (data.seeds > 1) text += "\n" + interval_text(data) + ".\n";
    if (about_workloads(data)) {
      text += by_workload(data);
    } else if (data.seeds > 1 && data.workloads > 1) {
      text += "\n## By workload\n\n" + markdown_table(workload_rows(data));
    }
  }
  return text + "\n## The sweep\n\n" + markdown_block("yaml", data.file);
}

}  // namespace strobe::report
