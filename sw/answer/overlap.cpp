#include "sw/answer/overlap.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <vector>

#include "sw/answer/formats/format.h"
#include "sw/result/number_text.h"
#include "sw/text/color.h"
#include "sw/text/shown.h"

namespace strobe::answer {
namespace {

/// A name's shares of two profiles.
struct Shares {
  std::string name;
  double a = 0, b = 0;
};

double total(const Counts& counts) {
  return std::accumulate(counts.begin(), counts.end(), 0.0, [](double sum, const auto& one) {
    return sum + static_cast<double>(one.second);
  });
}

std::vector<Shares> shares_of(const Counts& a, const Counts& b) {
  const double all_a = total(a), all_b = total(b);
  std::map<std::string, Shares> shares;
  for (const auto& [name, count] : a) shares[name].a = static_cast<double>(count) / all_a;
  for (const auto& [name, count] : b) shares[name].b = static_cast<double>(count) / all_b;
  std::vector<Shares> list;
  for (auto& [name, one] : shares) list.push_back({name, one.a, one.b});
  return list;
}

}  // namespace

double overlap(const Counts& a, const Counts& b) {
  double sum = 0;
  for (const Shares& one : shares_of(a, b)) sum += std::min(one.a, one.b);
  return sum;
}

ForeignProfile as_foreign(const RunProfile& run, const Series& series, bool pprof) {
  return pprof ? read_pprof(write_pprof(run, {&series}), series.source)
               : read_llvm(write_llvm(run, {&series}), series.source);
}

void print_overlap(const std::string& file, const ForeignProfile& profile, const RunProfile& run,
                   const Series& series, size_t most) {
  const ForeignProfile own = as_foreign(run, series, profile.pprof);
  text::print(text::Style::kStrong, fmt::format("{} ({}) against {} of {}\n", text::one_line(file),
                                                text::one_line(profile.events), event_name(series),
                                                text::one_line(run.directory)));
  text::print(
      text::Style::kPlain,
      fmt::format("overlap by function  {:.4f}\noverlap by line      {:.4f}\n\n",
                  overlap(profile.functions, own.functions), overlap(profile.lines, own.lines)));
  std::vector<Shares> rows = shares_of(profile.functions, own.functions);
  std::stable_sort(rows.begin(), rows.end(), [](const Shares& x, const Shares& y) {
    return std::abs(x.a - x.b) > std::abs(y.a - y.b);
  });
  rows.resize(std::min(rows.size(), most));
  text::print(text::Style::kStrong, fmt::format("{:>10}{:>10}  function\n", "file", "run"));
  for (const Shares& row : rows) {
    text::print(text::Style::kPlain,
                fmt::format("{:>10}{:>10}  {}\n", result::percent(row.a), result::percent(row.b),
                            text::shortened(row.name, kLongestName)));
  }
}

}  // namespace strobe::answer
