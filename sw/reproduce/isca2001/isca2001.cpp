#include "sw/reproduce/isca2001/isca2001.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sw/profile/accuracy/metrics.h"
#include "sw/reproduce/verdict.h"

namespace strobe::reproduce::isca2001 {
namespace {

constexpr double kTolerable = 0.05;  // the paper's "maximum tolerable error"
constexpr const Limit& kLoads = limit("isca-loads");

/// The place of the first point with `is`, and what is known of the events until then.
template <class Is>
Between first_point(const Raced& program, const Course& course, Is is) {
  double before = 0;
  for (size_t i = 0; i < course.errors.size(); ++i) {
    const auto events = static_cast<double>(program.events[i]);
    if (is(i)) return {before, events};
    before = events;
  }
  return {before, kUnbounded};
}

bool is_under(const std::optional<double>& error) { return error && *error < kTolerable; }

/// The program with the least or the most median.
std::string end_text(const std::vector<Repeated>& programs, bool least, bool percents) {
  const auto before = [](const Repeated& one, const Repeated& other) {
    return one.median() < other.median();
  };
  const auto at = least ? std::min_element(programs.begin(), programs.end(), before)
                        : std::max_element(programs.begin(), programs.end(), before);
  return fmt::format("{} of {}",
                     percents ? percent(at->median()) : number_text(at->median(), std::nullopt),
                     at->program);
}

double median_over(const std::vector<Repeated>& programs) {
  std::vector<double> medians;
  for (const Repeated& program : programs) medians.push_back(program.median());
  return median_of(std::move(medians));
}

}  // namespace

double mean_error(const Raced& program, const Course& course) {
  double sum = 0, events = 0;
  for (size_t i = 0; i < course.errors.size(); ++i) {
    if (!course.errors[i]) continue;
    const auto step = static_cast<double>(program.events[i] - (i == 0 ? 0 : program.events[i - 1]));
    sum += step * *course.errors[i];
    events += step;
  }
  return events == 0 ? 1 : sum / events;
}

double overhead(const Window& window, const Course& course) {
  const uint64_t messages = course.messages.back(), cycles = window.cycles.back();
  const uint64_t cost = profile::CostModel().cycles(messages, profile::interrupts_for(messages));
  return cycles == 0 ? 0 : static_cast<double>(cost) / static_cast<double>(cycles);
}

Between reaches(const Raced& program, const Course& course) {
  return first_point(program, course, [&](size_t i) { return is_under(course.errors[i]); });
}

Between stays_below(const Raced& program, const Course& course) {
  const auto above = std::find_if_not(course.errors.rbegin(), course.errors.rend(), is_under);
  const auto from = static_cast<size_t>(course.errors.rend() - above);
  return first_point(program, course, [&](size_t i) { return i >= from; });
}

Repeated quotient(const Repeated& number, const Repeated& by) {
  Repeated result = number;
  for (size_t start = 0; start < result.by.size(); ++start) {
    for (size_t seed = 0; seed < result.by[start].size(); ++seed) {
      double& one = result.by[start][seed];
      const double other = by.by[start][seed];
      one = one == 0 && other == 0 ? 1 : one / other;
    }
  }
  return result;
}

std::vector<Repeated> error_ratios(const std::vector<Raced>& programs, size_t one, size_t other) {
  std::vector<Repeated> ratios;
  for (const Raced& program : programs) {
    const auto error = [&](const Window&, const Course& course) {
      return mean_error(program, course);
    };
    ratios.push_back(quotient(repeated(program, one, error), repeated(program, other, error)));
  }
  return ratios;
}

std::vector<Repeated> message_ratios(const std::vector<Raced>& programs, size_t one, size_t other) {
  const auto messages = [](const Window&, const Course& course) {
    return static_cast<double>(course.messages.back());
  };
  std::vector<Repeated> ratios;
  for (const Raced& program : programs) {
    ratios.push_back(
        quotient(repeated(program, one, messages), repeated(program, other, messages)));
  }
  return ratios;
}

std::string ratios_text(const std::vector<Repeated>& programs, bool percents) {
  const double median = median_over(programs);
  const std::optional<Interval> interval = bootstrap_median(programs);
  return fmt::format("{}; least {}, most {}",
                     percents ? percent_text(median, interval) : number_text(median, interval),
                     end_text(programs, true, percents), end_text(programs, false, percents));
}

Claim median_claim(std::string statement, const std::vector<Repeated>& programs, Range range,
                   std::string why, bool percents) {
  return judged(std::move(statement), ratios_text(programs, percents), bootstrap_median(programs),
                range, std::move(why));
}

Claim every_claim(std::string statement, const std::vector<Repeated>& programs, Range range,
                  std::string why) {
  const double confidence = 1 - (1 - report::kConfidence) / static_cast<double>(programs.size());
  size_t inside = 0;
  std::string outside, open;
  for (const Repeated& program : programs) {
    const Interval interval = bootstrap_median(program, confidence);
    const Claim one =
        judged(program.program, number_text(program.median(), interval, 4), interval, range, "");
    inside += one.holds ? 1 : 0;
    if (one.holds) continue;
    (one.undecided ? open : outside) += fmt::format(", {} {}", one.statement, one.ours);
  }
  std::string ours = fmt::format("in {} of {} programs", inside, programs.size());
  if (!outside.empty()) ours += "; not in " + outside.substr(2);
  if (!open.empty()) ours += "; undecided in " + open.substr(2);
  if (programs.size() < kLeastPrograms) {
    return judged(std::move(statement), std::move(ours), std::nullopt, range, "");
  }
  Claim claim = reproduce::claim(std::move(statement), std::move(ours), inside == programs.size(),
                                 std::move(why));
  claim.undecided = !claim.holds && outside.empty();
  return claim;
}

Claim sooner_claim(std::string statement, const std::vector<Raced>& programs, size_t slow,
                   size_t fast, Between (*until)(const Raced&, const Course&), Range range,
                   std::string why) {
  std::vector<Repeated> least, most;
  for (const Raced& program : programs) {
    const auto bound = [&](size_t compressor, double Between::*end) {
      return repeated(program, compressor, [&](const Window&, const Course& course) {
        return until(program, course).*end;
      });
    };
    least.push_back(quotient(bound(slow, &Between::after), bound(fast, &Between::until)));
    most.push_back(quotient(bound(slow, &Between::until), bound(fast, &Between::after)));
  }
  std::optional<Interval> interval = bootstrap_median(least);
  if (interval) interval->most = bootstrap_median(most).value().most;
  std::vector<std::pair<double, double>> medians;  // bounds of each program's
  for (size_t i = 0; i < programs.size(); ++i) {
    medians.emplace_back(least[i].median(), most[i].median());
  }
  const auto bounds = [](double low, double high) {
    return fmt::format("{} to {}", number_text(low, std::nullopt), number_text(high, std::nullopt));
  };
  const auto end = [&](const auto& at) {
    return fmt::format("{} in {}", bounds(at->first, at->second),
                       programs[static_cast<size_t>(at - medians.begin())].program);
  };
  std::string ours = fmt::format("median {}", bounds(median_over(least), median_over(most)));
  if (interval) ours += fmt::format(" (interval {})", bounds(interval->least, interval->most));
  ours += fmt::format("; worst {}, best {}", end(std::min_element(medians.begin(), medians.end())),
                      end(std::max_element(medians.begin(), medians.end())));
  return judged(std::move(statement), std::move(ours), interval, range, std::move(why));
}

Figure error_figure(const std::string& name, const std::string& title, const Raced& program) {
  Figure figure{name, title, "events", "error, %", {}};
  for (size_t c = 0; c < program.compressors.size(); ++c) {
    Curve curve{program.compressors[c], {}};
    for (size_t i = 0; i < program.events.size(); ++i) {
      std::vector<double> errors;
      for (const Window& window : program.windows) {
        for (const Course& course : window.courses[c]) {
          if (course.errors[i]) errors.push_back(*course.errors[i]);
        }
      }
      if (errors.empty()) continue;
      curve.points.emplace_back(static_cast<double>(program.events[i]),
                                100 * median_of(std::move(errors)));
    }
    figure.curves.push_back(std::move(curve));
  }
  return figure;
}

std::vector<Raced> qualified(std::vector<Raced> programs, bool loads,
                             std::vector<std::string>& skipped) {
  std::vector<Raced> enough;
  for (Raced& program : programs) {
    uint64_t fewest = UINT64_MAX;
    for (const Window& window : program.windows) fewest = std::min(fewest, window.loads);
    if (program.windows.empty()) {
      skipped.push_back(
          fmt::format("{} (too few events: its stream has {})", program.program, program.stream));
    } else if (loads && static_cast<double>(fewest) < kLoads.least) {
      skipped.push_back(
          fmt::format("{} (too few loads: {} qualify in one of its windows, and {:.0f} are needed)",
                      program.program, fewest, kLoads.least));
    } else {
      enough.push_back(std::move(program));
    }
  }
  return enough;
}

}  // namespace strobe::reproduce::isca2001
