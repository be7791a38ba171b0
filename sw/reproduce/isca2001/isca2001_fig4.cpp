#include "sw/reproduce/isca2001/isca2001_fig4.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "sc_models/profiling/observers/observer.h"
#include "sc_models/profiling/reference/common/xorshift.h"
#include "sc_models/profiling/reference/hash/hash.h"

namespace strobe::reproduce {
namespace {

constexpr uint32_t kRate = 10;
constexpr unsigned kOthers = 1000;
constexpr double kTolerable = 4;      // per cent, the paper's threshold
constexpr unsigned kPaperStrata = 4;  // the n that gives the paper's number; it does not state one
constexpr double kSame = 0.05;        // relative: curves of one class differ by less

/// How the count of a tuple follows from the messages.
enum class Estimate {
  kCounts,  // the sum of the counts in its messages, as section 3.3 says
  kShare,   // its share of the messages of its stratum times the stratum's length
};

using profiling::SamplerKind;

struct Sampler {
  const char* name;
  SamplerKind kind;
  unsigned strata;
  Estimate estimate = Estimate::kCounts;
};

// A new sampler is one line here.
constexpr Sampler kSamplers[] = {
    {"R", SamplerKind::kRandom, 1},
    {"P", SamplerKind::kPeriodic, 1},
    {"CR", SamplerKind::kCountedRandom, 1},
    {"H[R] n=4", SamplerKind::kRandom, kPaperStrata},
    {"H[P] n=4", SamplerKind::kPeriodic, kPaperStrata},
    {"H[CR] n=4", SamplerKind::kCountedRandom, kPaperStrata},
    {"CR, length", SamplerKind::kCountedRandom, 1, Estimate::kShare},
    {"H[CR] n=4, length", SamplerKind::kCountedRandom, kPaperStrata, Estimate::kShare},
    {"H[P] n=2", SamplerKind::kPeriodic, 2},
    {"H[P] n=8", SamplerKind::kPeriodic, 8},
    {"H[P] n=16", SamplerKind::kPeriodic, 16},
    {"H[P] n=64", SamplerKind::kPeriodic, 64},
};

const char* const kCountedWhy =
    "the distances between random samples are geometrically distributed, so a count that is such a "
    "distance has twice the variance, which is 1.41 times the error; the samplers are equally "
    "accurate when the counters only give the length of the stream (the next row)";

/// One round of splitmix64: neighboring seeds give unrelated streams.
uint64_t splitmix64(uint64_t seed) {
  uint64_t z = seed + 0x9E3779B97F4A7C15;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return z ^ (z >> 31);
}

const Tuple kWanted{0x10000, 42, 0};

Tuple other(unsigned i) { return Tuple{0x20000 + 4 * uint64_t{i}, 7 * uint64_t{i}, 0}; }

/// One of `bound` numbers from 0; the bias is below 2^-40 for the bounds here.
size_t below(profiling::Xorshift64Star& random, size_t bound) {
  return static_cast<size_t>((random.next() >> 32) * bound >> 32);
}

/// @param paper_strata  the hash that makes kPaperStrata strata
double estimate_of(const std::vector<Message>& messages, const Sampler& sampler,
                   const profiling::Hash& paper_strata) {
  const auto same_stratum = [&](const Tuple& tuple) {
    return sampler.strata == 1 || paper_strata.index(tuple.pc, tuple.value) ==
                                      paper_strata.index(kWanted.pc, kWanted.value);
  };
  uint64_t counts = 0, seen = 0, length = 0, all = 0;
  for (const Message& message : messages) {
    if (message.tuple == kWanted) {
      counts += message.count;
      ++seen;
    }
    if (sampler.estimate == Estimate::kShare && same_stratum(message.tuple)) {
      length += message.count;
      ++all;
    }
  }
  if (sampler.estimate == Estimate::kCounts) return static_cast<double>(counts);
  return all == 0
             ? 0
             : static_cast<double>(seen) / static_cast<double>(all) * static_cast<double>(length);
}

/// |100 (t - EST) / EST|. Nothing seen at all counts as wholly wrong.
double error_of(unsigned t, double estimate) {
  return estimate == 0 ? 100 : std::abs(100 * (t - estimate) / estimate);
}

/// The mean error of each sampler at one length.
std::vector<double> mean_errors(unsigned length, const Fig4Params& params,
                                profiling::TupleBatch& batch) {
  profiling::Xorshift64Star random(splitmix64(params.seed ^ length));
  const unsigned wanted = length * 3 / 10;
  std::vector<Tuple> tuples(length, kWanted);
  for (unsigned i = wanted; i < length; ++i) {
    tuples[i] = other(static_cast<unsigned>(below(random, kOthers)));
  }
  const profiling::Hash paper_strata(profiling::HashKind::kPaper, 2);
  static_assert(kPaperStrata == 1u << 2, "the hash above makes them");
  std::vector<double> sums(std::size(kSamplers));
  profiling::CompressorRates rates;
  rates.sampling = {kRate, profiling::sampling_threshold(kRate)};
  std::vector<Message> messages;
  for (unsigned trial = 0; trial < params.trials; ++trial) {
    for (size_t i = length - 1; i > 0; --i) std::swap(tuples[i], tuples[below(random, i + 1)]);
    batch.restart();
    batch.set(tuples.data(), tuples.size());
    for (size_t i = 0; i < sums.size(); ++i) {
      profiling::PathParams sampler;
      sampler.sampler = static_cast<unsigned>(kSamplers[i].kind);
      sampler.strata = kSamplers[i].strata;
      sampler.counter_width = 12;  // no distance between two samples is that long
      messages.clear();
      profiling::Observer(sampler, rates, random.next()).observe(batch, messages);
      sums[i] += error_of(wanted, estimate_of(messages, kSamplers[i], paper_strata));
    }
  }
  for (double& sum : sums) sum /= params.trials;
  return sums;
}

const Curve& curve_named(const Figure& figure, const std::string& name) {
  for (const Curve& curve : figure.curves) {
    if (curve.name == name) return curve;
  }
  throw std::invalid_argument("no curve " + name);
}

/// The mean over all lengths of b's error relative to a's.
double mean_ratio(const Curve& a, const Curve& b) {
  double sum = 0;
  for (size_t i = 0; i < a.points.size(); ++i) sum += b.points[i].second / a.points[i].second;
  return sum / static_cast<double>(a.points.size());
}

Claim crossing_claim(const Figure& figure, const std::string& name, const std::string& statement,
                     double paper) {
  const double at = first_crossing(curve_named(figure, name), kTolerable);
  Claim claim;
  claim.statement = statement;
  claim.ours = at < 0 ? "not reached" : fmt::format("N = {:.0f} for {}", at, name);
  claim.holds = std::abs(at - paper) < 0.1 * paper;
  if (!claim.holds) claim.why = "more than a tenth away";
  return claim;
}

Claim class_claim(const Figure& figure, const std::string& one, const std::string& other_name,
                  const std::string& why = "the curves are more than 5 % apart") {
  const double ratio = mean_ratio(curve_named(figure, one), curve_named(figure, other_name));
  Claim claim;
  claim.statement = fmt::format("{} and {} are equally accurate", one, other_name);
  claim.ours = fmt::format("error of {} is {:.3f} times that of {}", other_name, ratio, one);
  claim.holds = std::abs(ratio - 1) < kSame;
  if (!claim.holds) claim.why = why;
  return claim;
}

Claim order_claim(const Figure& figure, const std::string& worse, const std::string& better) {
  const double ratio = mean_ratio(curve_named(figure, worse), curve_named(figure, better));
  Claim claim;
  claim.statement = fmt::format("{} is of a better class than {}", better, worse);
  claim.ours = fmt::format("error of {} is {:.3f} times that of {}", better, ratio, worse);
  claim.holds = ratio < 1 - kSame;
  if (!claim.holds) claim.why = "the curves are not 5 % apart";
  return claim;
}

}  // namespace

Reproduction isca2001_fig4(const Fig4Params& params) {
  std::vector<unsigned> lengths = params.lengths;
  for (unsigned n = 1000; params.lengths.empty() && n <= 20000; n += 1000) lengths.push_back(n);
  Figure figure{"isca2001-fig4",
                "Error of the estimated count of one tuple, rate 10",
                "stream length N",
                "mean error, %",
                {}};
  for (const Sampler& sampler : kSamplers) figure.curves.push_back({sampler.name, {}});
  profiling::TupleBatch batch;
  for (const unsigned length : lengths) {
    const std::vector<double> errors = mean_errors(length, params, batch);
    for (size_t i = 0; i < errors.size(); ++i) {
      figure.curves[i].points.emplace_back(length, errors[i]);
    }
  }

  Reproduction result;
  result.name = "isca2001-fig4";
  result.title = "Figure 4: six samplers, one tuple, Monte Carlo";
  result.setup = fmt::format(
      "For each stream length N: {} random permutations of N tuples, of which 0.3 N are the tuple "
      "p "
      "and the others are drawn from {} more tuples; rate {}, seed {}.\nThe paper does not state "
      "the number of strata n. 4 is the power of two that gives its number for H[P]; the other "
      "curves show how much n matters.",
      params.trials, kOthers, kRate, params.seed);
  result.claims = {
      crossing_claim(figure, "R", "R_10 gets under 4 % at N = 12,000", 12000),
      crossing_claim(figure, "H[P] n=4", "H[P_10]_n gets under 4 % at N = 4,600", 4600),
      class_claim(figure, "R", "H[R] n=4"),
      class_claim(figure, "P", "CR", kCountedWhy),
      class_claim(figure, "P", "CR, length"),
      class_claim(figure, "H[P] n=4", "H[CR] n=4", kCountedWhy),
      class_claim(figure, "H[P] n=4", "H[CR] n=4, length"),
      order_claim(figure, "R", "P"),
      order_claim(figure, "P", "H[P] n=4"),
  };
  result.figures.push_back(std::move(figure));
  return result;
}

}  // namespace strobe::reproduce
