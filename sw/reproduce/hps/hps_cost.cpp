#include "sw/reproduce/hps/hps_cost.h"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

#include "sw/reproduce/hps/hps_cost_tables.h"
#include "sw/reproduce/spread.h"
#include "sw/reproduce/verdict.h"

namespace strobe::reproduce::hps {
namespace {

constexpr const Limit &kPapersMean = limit("hps-mean"), &kEvent = limit("hps-event"),
                      &kNoOverhead = limit("hps-negligible");
constexpr double kPapersOverhead = 0.002;  // section 6.2, where a profile is 90 % accurate

std::vector<double> overheads_of(const std::vector<Costed>& programs, const CostSetting& setting,
                                 Profile profile) {
  std::vector<double> values;
  for (const Costed& program : programs) values.push_back(program.of(setting, profile).overhead());
  return values;
}

std::string setting_text(const CostSetting& setting, Profile profile) {
  return fmt::format("{}, {}, {}", kProfileNames[profile], kPredictionNames[setting.prediction],
                     stages_text(setting.stages));
}

/// How many cycles more the programs take with a deeper engine that collects nothing.
std::vector<double> costs_of_depth(const std::vector<Costed>& programs, unsigned stages) {
  std::vector<double> values;
  for (const Costed& program : programs) {
    const auto shallow = static_cast<double>(program.of({kShared}, kPairs).baseline);
    values.push_back(
        (static_cast<double>(program.of({kShared, stages}, kPairs).baseline) - shallow) / shallow);
  }
  return values;
}

Claim basic_claim(const std::vector<Costed>& programs, unsigned stages) {
  const std::vector<double> values = costs_of_depth(programs, stages);
  const std::optional<Interval> interval = bootstrap_mean(values);
  return judged(
      fmt::format("no basic overhead (section 6.1), an engine of {}", stages_text(stages)),
      percent_text(mean_of(values), interval), interval, kNoOverhead.range(),
      fmt::format(
          "every misprediction costs {} cycles more than with one stage; {} of the run time "
          "by program",
          stages - 1, spread_of(values).percents()));
}

/// That HPS costs about 0.2 % of the run time; beside it, how many cycles an event may cost for
/// that.
Claim overhead_claim(const std::vector<Costed>& programs, const CostSetting& setting,
                     Profile profile) {
  const std::vector<double> values = overheads_of(programs, setting, profile);
  const std::optional<Interval> interval = bootstrap_mean(values);
  double baseline = 0, events = 0;
  for (const Costed& program : programs) {
    baseline += static_cast<double>(program.of(setting, profile).baseline);
    events += static_cast<double>(program.of(setting, profile).events);
  }
  const std::string why =
      events == 0 ? std::string("nothing was collected")
                  : fmt::format("an event costs {} cycles, and 0.2 % are {:.0f} cycles an event",
                                together_of(programs, setting, profile).text(),
                                kPapersOverhead * baseline / events);
  return judged(fmt::format("at 1/500 about 0.2 %: {}", setting_text(setting, profile)),
                percent_text(mean_of(values), interval), interval, kPapersMean.of(kPapersOverhead),
                why);
}

Claim event_claim(const std::vector<Costed>& programs, Prediction prediction) {
  const Together all = together_of(programs, {prediction}, kPairs);
  std::string statement = fmt::format("(implied) an event costs 15 to 59 cycles: {}",
                                      setting_text({prediction}, kPairs));
  if (all.events == 0) {
    return undecided(std::move(statement), "none", "no call was collected");
  }
  return judged(
      std::move(statement), all.text(), all.interval, kEvent.range(),
      fmt::format("{} cycles, {}; the handler executes {:.0f} instructions",
                  parts_text(all.added, all.events), kPartsTitle,
                  static_cast<double>(all.handler_instructions) / static_cast<double>(all.events)));
}

}  // namespace

std::vector<CostSetting> cost_settings() {
  std::vector<CostSetting> settings;
  for (const Prediction prediction : kPredictions) {
    for (const unsigned stages : kDepths) {
      if (is_measured(prediction, stages)) settings.push_back({prediction, stages});
    }
  }
  for (const Prediction prediction : kIsolations) {
    settings.push_back({prediction, kDepths.front(), kCold});
  }
  return settings;
}

size_t place_of(const CostSetting& setting) {
  static const std::vector<CostSetting> kSettings = cost_settings();
  for (size_t i = 0; i < kSettings.size(); ++i) {
    const CostSetting& one = kSettings[i];
    if (one.prediction == setting.prediction && one.stages == setting.stages &&
        one.frequency == setting.frequency) {
      return i;
    }
  }
  throw std::invalid_argument(fmt::format("no run has {}, {} and 1/{}",
                                          kPredictionNames[setting.prediction],
                                          stages_text(setting.stages), setting.frequency));
}

double EventCost::overhead() const {
  const auto without = static_cast<double>(baseline);
  return (static_cast<double>(cycles) - without) / without;
}

Reproduction cost(const std::vector<Costed>& programs) {
  Reproduction result;
  result.name = "hps-cost";
  result.title = "What a collected event costs";
  for (const Profile profile : kOfCalls) result.figures.push_back(cost_figure(programs, profile));
  result.tables = cost_tables(programs);
  for (const unsigned stages : kDepths) {
    if (stages != kDepths.front()) result.claims.push_back(basic_claim(programs, stages));
  }
  for (const Prediction prediction : kPredictions) {
    result.claims.push_back(event_claim(programs, prediction));
  }
  for (const Profile profile : kOfCalls) {
    for (const CostSetting& setting : cost_settings()) {
      if (setting.frequency == kCold) continue;
      result.claims.push_back(overhead_claim(programs, setting, profile));
    }
  }
  return result;
}

}  // namespace strobe::reproduce::hps
