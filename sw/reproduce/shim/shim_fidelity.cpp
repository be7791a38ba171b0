// How right an observer is: figures 4, 5 and 6. Here each sample has the truth beside it.
#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "sw/reproduce/by_program.h"
#include "sw/reproduce/shim/shim_limits.h"
#include "sw/reproduce/shim/shim_means.h"

namespace strobe::reproduce::shim {
namespace {

Setting counting(const char* name, bool smt, uint64_t period) {
  Setting setting{name, smt, {"instructions"}};
  setting.period = period;
  setting.buffer = true;
  setting.remote = !smt;
  return setting;
}

/// Places in correction_settings(); those before kOnSame are on the same core.
constexpr size_t kFastest = 0, kValidFrom = 3, kOnSame = 6;

/// What the observer sees by itself.
Table correction_table(const std::vector<Program>& programs) {
  Table table{
      "Means over the programs: samples kept, rates above the core's width before and after "
      "correction, and the highest rate",
      {"observer", "period", "kept", "impossible", "after", "highest"},
      {}};
  const std::vector<Setting>& settings = correction_settings();
  for (size_t i = 0; i < settings.size(); ++i) {
    table.rows.push_back({settings[i].name, fmt::format("{:.0f}", mean_period(programs, i)),
                          percent_interval(values_of(programs, i, &Observed::kept)),
                          percent_interval(values_of(programs, i, &Observed::impossible)),
                          percent_interval(values_of(programs, i, &Observed::impossible_kept)),
                          mean_of(values_of(programs, i, &Observed::highest), 1)});
  }
  return table;
}

Table truth_table(const std::vector<Program>& programs) {
  Table table{"What the truth says of the kept samples and of the correction",
              {"observer", "rate off by", "distribution by", "precision", "recall"},
              {}};
  const std::vector<Setting>& settings = correction_settings();
  for (size_t i = 0; i < settings.size(); ++i) {
    table.rows.push_back({settings[i].name,
                          mean_of(values_of(programs, i, &Observed::rate_error), 3),
                          mean_of(values_of(programs, i, &Observed::distance), 3),
                          percent_interval(values_of(programs, i, &Observed::precision)),
                          percent_interval(values_of(programs, i, &Observed::recall))});
  }
  return table;
}

Figure kept_figure(const std::vector<Program>& programs) {
  Figure figure{"shim-fig4",
                "Samples that double-time error correction keeps, mean over the programs",
                "log10 of the cycles from sample to sample",
                "%",
                {{"same core", {}}, {"other core", {}}},
                report::Start::kLeast,
                report::Start::kZero};
  const size_t settings = correction_settings().size();
  for (size_t i = 0; i < settings; ++i) {
    const std::vector<double> kept = values_of(programs, i, &Observed::kept);
    if (kept.empty()) continue;
    figure.curves[i < kOnSame ? 0 : 1].points.emplace_back(std::log10(mean_period(programs, i)),
                                                           100 * mean(kept));
  }
  return figure;
}

/// The share of the impossible rates that correction removes, of the programs that have any.
std::vector<double> removed(const std::vector<Program>& programs) {
  std::vector<double> shares;
  for (const Program& program : programs) {
    const Observed& one = program.by[kFastest];
    if (one.impossible.value_or(0) == 0) continue;
    shares.push_back(1 - one.impossible_kept.value_or(0) / *one.impossible);
  }
  return shares;
}

}  // namespace

const std::vector<Setting>& correction_settings() {
  static const std::vector<Setting> kSettings = {
      counting("smt", true, 0),          counting("smt, 500", true, 500),
      counting("smt, 1000", true, 1000), counting("smt, 2500", true, 2500),
      counting("smt, 5000", true, 5000), counting("smt, 10000", true, 10'000),
      counting("cmp", false, 0),         counting("cmp, 1000", false, 1000),
      counting("cmp, 5000", false, 5000)};
  return kSettings;
}

Reproduction correction(const std::vector<Program>& programs) {
  Reproduction result;
  result.name = "shim-fig4";
  result.title = "Figure 4: double-time error correction";
  result.figures = {kept_figure(programs)};
  result.tables = {correction_table(programs), truth_table(programs)};
  const auto kept = [&](size_t setting) { return values_of(programs, setting, &Observed::kept); };
  const std::string ours =
      "a counter read waits for the observer's own instructions alone, whose time varies less here";
  result.claims.push_back(
      claim_by_interval("at the highest rate, more than half of the samples are "
                        "discarded",
                        kept(kFastest), 0, kHalf, ours));
  result.claims.push_back(claim_by_interval(
      "from 2500 cycles on, at least 90 % of the samples are valid (the caption: from 2000 on)",
      kept(kValidFrom), kValid, 1, "every sample is read over a time that the program changes"));
  result.claims.push_back(
      claim_by_interval("before correction there are impossible rates: their share of the samples",
                        values_of(programs, kFastest, &Observed::impossible), kAny, 1,
                        "a hart that waits for its turn is late by less than a sample, so no rate "
                        "is above the width"));
  result.claims.push_back(
      claim_by_interval("correction removes all of them: share that it removes, over the programs "
                        "that have any",
                        removed(programs), 1, 1,
                        "two skewed readings one after the other agree about the time, or there is "
                        "no impossible rate"));
  result.claims.push_back(claim_by_interval(
      "(our own question) it finds at least 90 % of the samples that are really skewed",
      values_of(programs, kFastest, &Observed::recall), kValid, 1,
      "the counter may be late between two punctual readings of the clock"));
  result.claims.push_back(
      claim_by_interval("(our own question) at least half of what it discards is really skewed",
                        values_of(programs, kFastest, &Observed::precision), kHalf, 1,
                        "the clock at the end may be late after a punctual read of the counter"));
  return result;
}

const std::vector<Setting>& periods_settings() {
  static const std::vector<Setting> kSettings = {counting("same core", true, 0),
                                                 counting("other core", false, 0)};
  return kSettings;
}

Reproduction periods(const std::vector<Program>& programs) {
  Reproduction result;
  result.name = "shim-fig5";
  result.title = "Figure 5: how regular the period is";
  Table table{
      "Cycles from sample to sample: tenth, middle and ninetieth percentile; the most "
      "frequent period and its share of the samples",
      {"program", "same core", "most frequent", "other core", "most frequent"},
      {}};
  Figure figure = by_program("shim-fig5", "Share of the most frequent period by program", "%",
                             names_of(programs, &Program::name));
  for (const Program& program : programs) {
    std::vector<std::string> cells = {program.name};
    for (const Observed& one : program.by) {
      cells.push_back(fmt::format("{:.0f}, {:.0f}, {:.0f}", one.period_p10.value_or(0),
                                  one.period_p50.value_or(0), one.period_p90.value_or(0)));
      cells.push_back(
          fmt::format("{:.0f}: {}", one.mode.value_or(0), percent(one.mode_share.value_or(0))));
    }
    table.rows.push_back(std::move(cells));
  }
  for (size_t i = 0; i < periods_settings().size(); ++i) {
    figure.curves.push_back(percents_by_program(periods_settings()[i].name,
                                                values_of(programs, i, &Observed::mode_share)));
  }
  result.figures = {std::move(figure)};
  result.tables = {std::move(table)};
  result.claims.push_back(claim_by_interval(
      "the period varies by itself: the most frequent one is that of about 1 % of the samples "
      "(same "
      "core)",
      values_of(programs, 0, &Observed::mode_share), 0, kAnyMode,
      "the observer's loop is short, and nothing but the program disturbs it: no operating system, "
      "no variable frequency"));
  result.claims.push_back(
      claim_by_interval("the same on the other core", values_of(programs, 1, &Observed::mode_share),
                        0, kAnyMode, "nothing at all disturbs an observer on a core of its own"));
  return result;
}

Reproduction own_rate(const std::vector<Program>& programs) {
  Reproduction result;
  result.name = "shim-fig6";
  result.title = "Figure 6: the observer's own rate";
  Table table{"Samples whose own instructions per cycle are near their median, on the same core",
              {"program", "instructions per cycle", "within 3 %", "within 11 %"},
              {}};
  for (const Program& program : programs) {
    const Observed& one = program.by[0];
    table.rows.push_back({program.name, fmt::format("{:.3f}", one.own_ipc),
                          percent(one.own_near.value_or(0)), percent(one.own_wide.value_or(0))});
  }
  const std::vector<double> near = values_of(programs, 0, &Observed::own_near);
  const std::vector<double> wide = values_of(programs, 0, &Observed::own_wide);
  Figure figure = by_program("shim-fig6", "Samples near the median of the observer's own rate", "%",
                             names_of(programs, &Program::name));
  figure.curves = {percents_by_program("within 3 %", near),
                   percents_by_program("within 11 %", wide)};
  result.figures = {std::move(figure)};
  result.tables = {std::move(table)};
  const std::string why = "the observer's loop is shorter than the paper's, so a stall weighs more";
  result.claims.push_back(claim_by_interval(
      "the observer is a constant load: 67 % of its samples are within 3 % of the median rate",
      near, kNear - kFewerPoints, 1, why));
  result.claims.push_back(
      claim_by_interval("99 % of them are within 11 %", wide, kWide - kFewerPoints, 1, why));
  return result;
}

}  // namespace strobe::reproduce::shim
