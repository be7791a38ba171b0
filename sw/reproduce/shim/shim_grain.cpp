#include "sw/reproduce/shim/shim_grain.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "sw/reproduce/shim/shim_grain_values.h"
#include "sw/reproduce/shim/shim_limits.h"
#include "sw/reproduce/shim/shim_means.h"

namespace strobe::reproduce::shim {
namespace {

constexpr const char* kNames[kGrains] = {"finest", "one in 20", "one in 400"};
constexpr size_t kMostMethods = 100;

double tenth(const Grain& grain) { return grain.rates[10]; }
double ninetieth(const Grain& grain) { return grain.rates[90]; }
double width(const Grain& grain) { return ninetieth(grain) - tenth(grain); }

/// A value of each program that has one.
template <class Value>
std::vector<double> of_each(const std::vector<GrainedProgram>& programs, const Value& value) {
  std::vector<double> values;
  for (const GrainedProgram& program : programs) {
    const std::optional<double> one = value(program);
    if (one) values.push_back(*one);
  }
  return values;
}

std::vector<double> of_each(const std::vector<GrainedProgram>& programs, size_t grain,
                            double (*value)(const Grain&)) {
  return of_each(programs, [&](const GrainedProgram& program) { return value(program.by[grain]); });
}

Table rates_table(const std::vector<GrainedProgram>& programs) {
  Table table{"Means over the programs; IPC is that of a tenth and of nine tenths of the samples",
              {"samples", "cycles from one to the next", "in a program", "hot methods found",
               "cycles under a wrong method", "IPC", "IPC by method off by"},
              {}};
  for (size_t grain = 0; grain < kGrains; ++grain) {
    const auto samples = [&](const Grain& one) { return static_cast<double>(one.samples); };
    const auto period = [](const Grain& one) {
      return static_cast<double>(one.cycles) / static_cast<double>(one.samples);
    };
    table.rows.push_back(
        {kNames[grain], mean_of(of_each(programs, grain, +period), 0),
         mean_of(of_each(programs, [&](auto& program) { return samples(program.by[grain]); }), 0),
         percent_interval(
             of_each(programs, [&](auto& program) { return found_hot(program, grain); })),
         percent_interval(
             of_each(programs, [&](auto& program) { return wrong_method(program, grain); })),
         mean_of(of_each(programs, grain, tenth), 2) + " to " +
             mean_of(of_each(programs, grain, ninetieth), 2),
         percent_interval(
             of_each(programs, [&](auto& program) { return ipc_error(program, grain); }))});
  }
  return table;
}

Table programs_table(const std::vector<GrainedProgram>& programs) {
  Table table{
      "By program: methods with samples, how many of them are hot, and the IPC of a tenth "
      "and of nine tenths of the samples",
      {"program", "methods", "hot", kNames[kFine], "in truth", kNames[kMedium], kNames[kCoarse]},
      {}};
  for (const GrainedProgram& program : programs) {
    const auto range = [](const std::vector<double>& rates) {
      return fmt::format("{:.2f} to {:.2f}", rates[10], rates[90]);
    };
    table.rows.push_back({program.name, fmt::format("{}", program.by[kFine].methods.size()),
                          fmt::format("{}", hot_methods(program).size()),
                          range(program.by[kFine].rates), range(program.true_rates),
                          range(program.by[kMedium].rates), range(program.by[kCoarse].rates)});
  }
  return table;
}

/// The cumulative share of the samples by method at each rate, in the order of the finest.
Figure methods_figure(const GrainedProgram& program) {
  Figure figure{"shim-fig1a",
                program.name + ": samples by method, cumulative, in the finest's order",
                "method",
                "%",
                {}};
  std::vector<uint64_t> shown = by_samples(program.by[kFine].methods);
  shown.resize(std::min(shown.size(), kMostMethods));
  for (size_t grain = 0; grain < kGrains; ++grain) {
    const Grain& samples = program.by[grain];
    std::map<uint64_t, double> cumulative;
    double sum = 0;
    for (const uint64_t id : by_samples(samples.methods)) {
      if (cumulative.size() == kMostMethods) break;
      sum += static_cast<double>(samples.methods.at(id).samples);
      cumulative[id] = 100 * sum / static_cast<double>(samples.samples);
    }
    Curve curve{kNames[grain], {}, grain == kFine ? report::Stroke::kLine : report::Stroke::kDots};
    for (size_t i = 0; i < shown.size(); ++i) {
      const auto found = cumulative.find(shown[i]);
      if (found == cumulative.end()) continue;  // a gap
      curve.points.emplace_back(static_cast<double>(i + 1), found->second);
    }
    figure.curves.push_back(std::move(curve));
  }
  return figure;
}

Figure rates_figure(const GrainedProgram& program) {
  Figure figure{"shim-fig1b",
                program.name + ": samples with at most this rate",
                "instructions per cycle",
                "%",
                {}};
  const auto add = [&](const char* name, const std::vector<double>& rates) {
    Curve curve{name, {}};
    for (size_t i = 0; i < rates.size(); ++i) {
      curve.points.emplace_back(rates[i], static_cast<double>(i));
    }
    figure.curves.push_back(std::move(curve));
  };
  for (size_t grain = 0; grain < kGrains; ++grain) add(kNames[grain], program.by[grain].rates);
  add("finest, in truth", program.true_rates);
  return figure;
}

Figure ipc_figure(const GrainedProgram& program) {
  Figure figure{
      "shim-fig1c", program.name + ": IPC by method, in the finest's order", "method", "IPC", {}};
  std::vector<uint64_t> shown = by_samples(program.by[kFine].methods);
  shown.resize(std::min(shown.size(), kMostMethods));
  const auto add = [&](const char* name, const Methods& methods, report::Stroke stroke) {
    Curve curve{name, {}, stroke};
    for (size_t i = 0; i < shown.size(); ++i) {
      const auto found = methods.find(shown[i]);
      if (found == methods.end() || found->second.cycles == 0) continue;
      curve.points.emplace_back(static_cast<double>(i + 1), found->second.ipc());
    }
    figure.curves.push_back(std::move(curve));
  };
  for (size_t grain = 0; grain < kGrains; ++grain) {
    add(kNames[grain], program.by[grain].methods, report::Stroke::kDots);
  }
  add("truth", program.truth, report::Stroke::kDiamonds);
  return figure;
}

std::vector<Claim> claims_of(const std::vector<GrainedProgram>& programs) {
  const std::string small = "a program of ours spends its time in a few methods";
  const std::string phases = "a program of ours has phases that are longer than a coarse sample";
  const auto hot = [&](size_t grain) {
    return of_each(programs, [&](auto& program) { return found_hot(program, grain); });
  };
  return {
      claim_by_interval("(a) one sample in 20 finds similar hot methods: at least 80 % of those "
                        "that have 90 % of the finest samples",
                        hot(kMedium), kSimilar, 1, small),
      claim_by_interval("(a) so does one in 400", hot(kCoarse), kSimilar, 1,
                        "too few samples for methods of nearly the same share"),
      claim_by_interval(
          "(b) the coarsest samples see a narrow band of IPC: width from a tenth to nine tenths of "
          "them, at most half of the finest's",
          of_each(
              programs,
              [](auto& program) { return width(program.by[kCoarse]) / width(program.by[kFine]); }),
          0, kBand, phases),
      claim_by_interval("(b) they hide low and high IPC: at least 10 % of the finest samples are "
                        "outside of all that they see (the paper: more than 20 %)",
                        of_each(programs, outside), kOutside, 1, phases),
      claim_by_interval(
          "(c) the coarsest suggest that IPC is uniform: standard deviation over the hot methods, "
          "at most half of the finest's",
          of_each(programs,
                  [](auto& program) -> std::optional<double> {
                    const auto coarse = ipc_deviation(program, kCoarse);
                    const auto fine = ipc_deviation(program, kFine);
                    if (!coarse || !fine || *fine == 0) return std::nullopt;
                    return *coarse / *fine;
                  }),
          0, kBand, phases),
      claim_by_interval(
          "(our own question) (c) the coarsest IPC by method is further from the truth than the "
          "finest: difference of the errors",
          of_each(programs,
                  [](auto& program) -> std::optional<double> {
                    const auto coarse = ipc_error(program, kCoarse),
                               fine = ipc_error(program, kFine);
                    if (!coarse || !fine) return std::nullopt;
                    return *coarse - *fine;
                  }),
          kAny, kUnbounded, "a tag is read once in a sample, which may be of several methods"),
      claim_by_interval(
          "(our own question) (c) the finest IPC by method is within 10 % of the truth",
          of_each(programs, [](auto& program) { return ipc_error(program, kFine); }), 0, kNearTruth,
          "a method may be shorter than a sample, which then is of several methods")};
}

}  // namespace

Reproduction grains(const std::vector<GrainedProgram>& programs) {
  Reproduction result;
  result.name = "shim-fig1";
  result.title = "Figure 1: what three sample rates show";
  result.tables = {rates_table(programs), programs_table(programs)};
  const auto most = std::max_element(programs.begin(), programs.end(),
                                     [](const GrainedProgram& one, const GrainedProgram& other) {
                                       return hot_methods(one).size() < hot_methods(other).size();
                                     });
  result.figures = {methods_figure(*most), rates_figure(*most), ipc_figure(*most)};
  result.claims = claims_of(programs);
  return result;
}

}  // namespace strobe::reproduce::shim
