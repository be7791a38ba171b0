#include "sw/result/shim_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "sc_models/machine/outcome/cycle_histogram.h"
#include "sw/guest/include/strobe/observer_abi.h"
#include "sw/profile/accuracy/ratio.h"

namespace strobe::result {
namespace {

using nlohmann::json;

json distribution(const platform::CycleHistogram& cycles) {
  json out = {{"count", cycles.count()}};
  const bool any = cycles.count() != 0;
  out["mean"] = any ? json(profile::ratio(cycles.sum(), cycles.count())) : json();
  constexpr std::pair<const char*, double> kPercentiles[] = {
      {"p1", 0.01}, {"p10", 0.1}, {"p50", 0.5}, {"p90", 0.9}, {"p99", 0.99}};
  for (const auto& [name, fraction] : kPercentiles) {
    out[name] = any ? json(cycles.percentile(fraction)) : json();
  }
  return out;
}

json share(uint64_t part, uint64_t whole) {
  return whole == 0 ? json() : json(profile::ratio(part, whole));
}

}  // namespace

ShimReport::ShimReport(const config::RunConfig& configuration, const platform::ShimOutcome& outcome,
                       uint64_t cycles)
    : shim_(configuration.shim),
      outcome_(outcome),
      cycles_(cycles),
      width_(configuration.core.commit_width),
      tags_(outcome.tags) {
  std::vector<profile::RateReading> readings;
  for (const platform::ObservedSample& sample : outcome.buffer) {
    readings.push_back({sample.begin, sample.end, sample.counter[0], sample.counter[1],
                        sample.instructions, sample.read_at});
  }
  samples_ = profile::rate_samples(readings);
  if (shim_.signals.empty()) return;
  for (size_t i = 1; i < outcome.buffer.size(); ++i) {
    const platform::ObservedSample& now = outcome.buffer[i];
    const platform::ObservedSample& last = outcome.buffer[i - 1];
    platform::ObservedSum& sum = tags_[std::min<uint64_t>(now.signal[0], STROBE_OBSERVER_TAGS)];
    ++sum.samples;
    sum.cycles += now.begin - last.begin;
    for (size_t k = 0; k < 2; ++k) sum.count[k] += now.counter[k] - last.counter[k];
  }
}

double ShimReport::mean_period() const { return profile::ratio(cycles_, outcome_.samples); }

bool ShimReport::too_short() const {
  return shim_.period != 0 && outcome_.samples != 0 && shim_.period < outcome_.busy;
}

std::string ShimReport::too_short_text() const {
  return fmt::format(
      "shim.period: expected at least {} cycles, which a sample takes without idling, got {}: the "
      "samples are {:.0f} cycles apart",
      outcome_.busy, shim_.period, mean_period());
}

json ShimReport::json() const {
  nlohmann::json out;
  out["where"] = shim_.where == config::ObserverPlace::kCmp ? "cmp" : "smt";
  out["analysis"] = shim_.analysis == config::ObserverAnalysis::kBuffer ? "buffer" : "histogram";
  out["samples"] = outcome_.samples;
  out["dropped"] = outcome_.dropped;
  out["mean_period"] = outcome_.samples == 0 ? nlohmann::json() : nlohmann::json(mean_period());
  out["busy"] = outcome_.busy;
  out["observer_instructions"] = outcome_.observer_instructions;
  out["observer_ipc"] = share(outcome_.observer_instructions, cycles_);
  out["rates"] = rates_json();
  out["truth"] = truth_json();
  out["tags"] = tags_json();
  return out;
}

/// The first counter's.
nlohmann::json ShimReport::rates_json() const {
  if (shim_.counters.empty()) return nullptr;
  nlohmann::json out;
  out["counter"] = shim_.counters.front();
  if (shim_.analysis == config::ObserverAnalysis::kHistogram) {
    out["kept"] = outcome_.kept;
    out["kept_share"] = share(outcome_.kept, outcome_.samples);
    out["impossible_kept"] = outcome_.other_rates;
    return out;
  }
  const uint64_t dte = profile::dte_units(shim_.dte);
  platform::CycleHistogram periods, gaps;
  uint64_t kept = 0, impossible = 0, impossible_kept = 0;
  double least = INFINITY, most = 0, highest = 0;
  for (const profile::RateSample& sample : samples_) {
    periods.add(sample.cycles);
    gaps.add(sample.gap);
    least = std::min(least, sample.cpc());
    most = std::max(most, sample.cpc());
    highest = std::max(highest, sample.rate());
    const bool keeps = sample.kept(dte), is_impossible = sample.rate() > width_;
    kept += keeps ? 1 : 0;
    impossible += is_impossible ? 1 : 0;
    impossible_kept += keeps && is_impossible ? 1 : 0;
  }
  const bool any = !samples_.empty();
  out["kept"] = kept;
  out["kept_share"] = share(kept, samples_.size());
  out["impossible"] = impossible;
  out["impossible_kept"] = impossible_kept;
  out["highest"] = any ? nlohmann::json(highest) : nlohmann::json();
  out["cpc"] = {{"least", any ? nlohmann::json(least) : nlohmann::json()},
                {"most", any ? nlohmann::json(most) : nlohmann::json()}};
  out["period"] = distribution(periods);
  out["gap"] = distribution(gaps);
  return out;
}

/// Each sample in a buffer beside what was true, where `instructions` is the first counter.
nlohmann::json ShimReport::truth_json() const {
  const bool instructions = !shim_.counters.empty() && shim_.counters.front() == "instructions";
  if (!instructions || samples_.empty()) return nullptr;
  const uint64_t dte = profile::dte_units(shim_.dte);
  profile::RateHistogram all(STROBE_OBSERVER_BUCKETS, width_), kept = all, truth = all;
  double error = 0, error_kept = 0;
  uint64_t kept_samples = 0;
  for (const profile::RateSample& sample : samples_) {
    const double wrong_by = std::abs(sample.rate() - sample.true_rate());
    all.add(sample.rate());
    truth.add(sample.true_rate());
    error += wrong_by;
    if (!sample.kept(dte)) continue;
    kept.add(sample.rate());
    error_kept += wrong_by;
    ++kept_samples;
  }
  const profile::Correction correction = profile::correction(samples_, dte);
  const auto number = [](const std::optional<double>& value) {
    return value ? nlohmann::json(*value) : nlohmann::json();
  };
  nlohmann::json out;
  out["rate_error"] = error / static_cast<double>(samples_.size());
  out["rate_error_kept"] = kept_samples == 0
                               ? nlohmann::json()
                               : nlohmann::json(error_kept / static_cast<double>(kept_samples));
  out["distance"] = number(profile::earth_movers_distance(all, truth));
  out["distance_kept"] = number(profile::earth_movers_distance(kept, truth));
  out["skewed"] = correction.skewed;
  out["discarded"] = correction.discarded;
  out["dte_precision"] = share(correction.both, correction.discarded);
  out["dte_recall"] = share(correction.both, correction.skewed);
  return out;
}

uint64_t ShimReport::total_tagged() const {
  uint64_t samples = outcome_.other_tags;
  for (const auto& [value, sum] : tags_) samples += sum.samples;
  return samples;
}

/// How far the first signal's samples are from the cycles that it really had each value.
nlohmann::json ShimReport::tags_json() const {
  if (shim_.signals.empty()) return nullptr;
  const uint64_t samples = total_tagged();
  uint64_t cycles = 0;
  for (const auto& [value, sum] : outcome_.truth) cycles += sum.cycles;
  double common = 0;
  for (const auto& [value, sum] : tags_) {
    const auto truth = outcome_.truth.find(value);
    if (truth == outcome_.truth.end()) continue;
    common += std::min(profile::ratio(sum.samples, samples),
                       profile::ratio(truth->second.cycles, cycles));
  }
  nlohmann::json out;
  out["signal"] = shim_.signals.front();
  out["values"] = tags_.size();
  out["true_values"] = outcome_.truth.size();
  out["error"] = samples == 0 || cycles == 0 ? nlohmann::json() : nlohmann::json(1 - common);
  return out;
}

std::vector<NamedText> ShimReport::files() const {
  std::vector<NamedText> files;
  if (!shim_.counters.empty()) files.emplace_back("shim.rates.csv", rates_file());
  if (!shim_.signals.empty()) files.emplace_back("shim.tags.csv", tags_file());
  if (!outcome_.buffer.empty()) files.emplace_back("shim.samples.csv", samples_file());
  return files;
}

std::string ShimReport::rates_file() const {
  const double step = static_cast<double>(width_) / STROBE_OBSERVER_BUCKETS;
  std::vector<platform::ObservedSum> kept = outcome_.buckets;
  kept.resize(STROBE_OBSERVER_BUCKETS);
  profile::RateHistogram all(STROBE_OBSERVER_BUCKETS, width_), truth = all;
  const uint64_t dte = profile::dte_units(shim_.dte);
  for (size_t i = 0; i < samples_.size(); ++i) {
    const profile::RateSample& sample = samples_[i];
    all.add(sample.rate());
    truth.add(sample.true_rate());
    if (!sample.kept(dte) || sample.rate() > width_) continue;
    const auto bucket = std::min(static_cast<size_t>(sample.rate() / step), kept.size() - 1);
    ++kept[bucket].samples;
    kept[bucket].cycles += sample.cycles;
    kept[bucket].count[0] += sample.count;
    kept[bucket].count[1] += sample.second;
  }
  std::string text = "rate,kept,kept_cycles,kept_count,kept_count_2,all,true\n";
  for (size_t i = 0; i < kept.size(); ++i) {
    text += fmt::format("{:.4g},{},{},{},{},{},{}\n", static_cast<double>(i) * step,
                        kept[i].samples, kept[i].cycles, kept[i].count[0], kept[i].count[1],
                        all.counts[i], truth.counts[i]);
  }
  return text;
}

std::string ShimReport::tags_file() const {
  std::map<uint64_t, std::pair<platform::ObservedSum, platform::ObservedSum>> rows;
  for (const auto& [value, sum] : tags_) rows[value].first = sum;
  for (const auto& [value, sum] : outcome_.truth) rows[value].second = sum;
  std::string text = "value,samples,cycles,count,count_2,true_cycles,true_instructions\n";
  for (const auto& [value, row] : rows) {
    const auto& [seen, truth] = row;
    text += fmt::format(
        "{},{},{},{},{},{},{}\n", value < STROBE_OBSERVER_TAGS ? std::to_string(value) : "other",
        seen.samples, seen.cycles, seen.count[0], seen.count[1], truth.cycles, truth.count[0]);
  }
  return text;
}

std::string ShimReport::samples_file() const {
  std::string text = "begin,end";
  for (const std::string& name : shim_.counters) text += "," + name;
  for (const std::string& name : shim_.signals) text += "," + name;
  text += ",true_instructions,marked,observer_instructions\n";
  for (const platform::ObservedSample& sample : outcome_.buffer) {
    text += fmt::format("{},{}", sample.begin, sample.end);
    for (size_t k = 0; k < shim_.counters.size(); ++k)
      text += fmt::format(",{}", sample.counter[k]);
    for (size_t k = 0; k < shim_.signals.size(); ++k) text += fmt::format(",{}", sample.signal[k]);
    text += fmt::format(",{},{},{}\n", sample.instructions, sample.marked, sample.own);
  }
  return text;
}

}  // namespace strobe::result
