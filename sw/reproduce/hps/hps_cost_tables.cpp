#include "sw/reproduce/hps/hps_cost_tables.h"

#include <fmt/format.h>

#include <utility>

#include "sw/reproduce/verdict.h"

namespace strobe::reproduce::hps {
namespace {

Table depths_table(const std::vector<Costed>& programs) {
  Table table{
      "Cycles that a collected event costs at 1/500, all programs' events together, by the stages "
      "of the engine",
      {"prediction"},
      {}};
  for (const Profile profile : kOfCalls) {
    for (const unsigned stages : kDepths) {
      table.header.push_back(fmt::format("{}, {}", kProfileNames[profile], stages_text(stages)));
    }
  }
  for (const Prediction prediction : kPredictions) {
    std::vector<std::string> cells = {kPredictionNames[prediction]};
    for (const Profile profile : kOfCalls) {
      for (const unsigned stages : kDepths) {
        cells.push_back(is_measured(prediction, stages)
                            ? together_of(programs, {prediction, stages}, profile).text()
                            : "-");
      }
    }
    table.rows.push_back(std::move(cells));
  }
  return table;
}

Table parts_table(const std::vector<Costed>& programs) {
  Table table{
      fmt::format("Where they go with one stage, in cycles an event, {}; then mispredictions "
                  "an event, of program and handler",
                  kPartsTitle),
      {"prediction"},
      {}};
  for (const Profile profile : kOfCalls) table.header.emplace_back(kProfileNames[profile]);
  for (const Prediction prediction : kPredictions) {
    std::vector<std::string> cells = {kPredictionNames[prediction]};
    for (const Profile profile : kOfCalls) {
      const Together all = together_of(programs, {prediction}, profile);
      cells.push_back(all.events == 0
                          ? std::string("none")
                          : fmt::format("{}; {:.2f}", parts_text(all.added, all.events),
                                        all.mispredictions / static_cast<double>(all.events)));
    }
    table.rows.push_back(std::move(cells));
  }
  return table;
}

Table rates_table(const std::vector<Costed>& programs) {
  constexpr unsigned kWarm = kFrequencies[kRecommended];
  Table table{
      "Warm and cold handlers: cycles of a collected event, and how many there are, with one stage",
      {"prediction"},
      {}};
  for (const Profile profile : kOfCalls) {
    for (const unsigned frequency : {kWarm, kCold}) {
      table.header.push_back(fmt::format("{}, 1/{}", kProfileNames[profile], frequency));
    }
  }
  for (const Prediction prediction : kIsolations) {
    std::vector<std::string> cells = {kPredictionNames[prediction]};
    for (const Profile profile : kOfCalls) {
      for (const unsigned frequency : {kWarm, kCold}) {
        const Together all =
            together_of(programs, {prediction, kDepths.front(), frequency}, profile);
        cells.push_back(fmt::format("{}; {}", all.text(), all.events));
      }
    }
    table.rows.push_back(std::move(cells));
  }
  return table;
}

Table programs_table(const std::vector<Costed>& programs) {
  Table table{"By program, with one stage at 1/500: cycles of a collected event, and how many",
              {"program"},
              {}};
  for (const Profile profile : kOfCalls) {
    for (const Prediction prediction : kIsolations) {
      table.header.push_back(
          fmt::format("{}, {}", kProfileNames[profile], kPredictionNames[prediction]));
    }
  }
  for (const Costed& program : programs) {
    std::vector<std::string> cells = {program.program};
    for (const Profile profile : kOfCalls) {
      for (const Prediction prediction : kIsolations) {
        const EventCost& one = program.of({prediction}, profile);
        cells.push_back(one.events == 0
                            ? std::string("none")
                            : fmt::format("{:.0f}; {}",
                                          one.added.all() / static_cast<double>(one.events),
                                          one.events));
      }
    }
    table.rows.push_back(std::move(cells));
  }
  return table;
}

}  // namespace

bool is_measured(Prediction prediction, unsigned stages) {
  return stages == kDepths.front() || prediction <= kBanked;
}

std::string stages_text(unsigned stages) {
  return stages == 1 ? std::string("1 stage") : fmt::format("{} stages", stages);
}

double Together::cycles() const { return added.all() / static_cast<double>(events); }

std::string Together::text() const {
  return events == 0 ? std::string("none") : number_text(cycles(), interval, 0);
}

Together together_of(const std::vector<Costed>& programs, const CostSetting& setting,
                     Profile profile) {
  Together all;
  std::vector<double> cycles, events;
  for (const Costed& program : programs) {
    const EventCost& one = program.of(setting, profile);
    if (one.events == 0) continue;
    all.added += one.added;
    all.mispredictions += one.mispredictions;
    all.events += one.events;
    all.handler_instructions += one.handler_instructions;
    cycles.push_back(one.added.all());
    events.push_back(static_cast<double>(one.events));
  }
  all.interval = bootstrap_ratio(cycles, events);
  return all;
}

Figure cost_figure(const std::vector<Costed>& programs, Profile profile) {
  Figure figure{std::string("hps-cost-") + kFileNames[profile],
                fmt::format("Cycles of a collected event at 1/500, {}", kProfileNames[profile]),
                "stages of the engine",
                "cycles an event",
                {}};
  for (const Prediction prediction : kPredictions) {
    Curve curve{kPredictionNames[prediction], {}};
    if (prediction > kBanked) curve.stroke = report::Stroke::kDots;
    for (const unsigned stages : kDepths) {
      if (!is_measured(prediction, stages)) continue;
      const Together all = together_of(programs, {prediction, stages}, profile);
      if (all.events != 0) curve.points.emplace_back(stages, all.cycles());
    }
    figure.curves.push_back(std::move(curve));
  }
  return figure;
}

std::vector<Table> cost_tables(const std::vector<Costed>& programs) {
  return {depths_table(programs), parts_table(programs), rates_table(programs),
          programs_table(programs)};
}

}  // namespace strobe::reproduce::hps
