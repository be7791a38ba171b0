#include "sw/reproduce/shim/shim_producer.h"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "sw/reproduce/shim/shim_limits.h"
#include "sw/reproduce/shim/shim_means.h"

namespace strobe::reproduce::shim {
namespace {

std::vector<std::string> row_of(const Produced& one) {
  return {fmt::format("{}", one.wait), fmt::format("{:.0f}", one.cycles_per_write()),
          one.period == 0 ? "fastest" : fmt::format("{}", one.period), percent(one.overhead()),
          fmt::format("{:.3f}", one.invalidations_per_write())};
}

std::vector<double> overheads_of(const std::vector<Produced>& all) {
  std::vector<double> values;
  for (const Produced& one : all) values.push_back(one.overhead());
  return values;
}

/// What both_fast has more than fast_producers.
std::vector<double> by_a_fast_observer(const Producer& measured,
                                       double (Produced::*value)() const) {
  std::vector<double> values;
  for (size_t i = 0; i < measured.both_fast.size(); ++i) {
    values.push_back((measured.both_fast[i].*value)() - (measured.fast_producers[i].*value)());
  }
  return values;
}

std::vector<Claim> claims_of_two_cores(const Producer& measured) {
  const std::string others = "another core, another memory";
  return {claim_by_interval(
              "where both go as fast as they can, the overhead is more than 5 %; mean over five "
              "producers that wait 0 to 4 rounds",
              overheads_of(measured.both_fast), kSmallCost, kUnbounded,
              "a store whose line the observer has taken waits in the store queue while the "
              "producer goes on; the line is back before the queue is full"),
          claim_by_interval("a slower producer drops it below 5 %; five that wait 56 to 72 rounds",
                            overheads_of(measured.slow_producers), -kUnbounded, kSmallCost, others),
          claim_by_interval("a slower observer drops it below 5 %; five periods from 3600 to 4400",
                            overheads_of(measured.slow_observers), -kUnbounded, kSmallCost, others),
          claim_by_interval(
              "more reads make more invalidations: at the highest rate less at a period of 4000, a "
              "share of the writes",
              by_a_fast_observer(measured, &Produced::invalidations_per_write), kAny, kUnbounded,
              others)};
}

std::vector<Claim> claims_of_one_core(const Producer& measured) {
  const std::string asleep = "an observer that sleeps in WFI leaves the core alone";
  std::vector<double> slower = overheads_of(measured.slower_observer);
  slower.erase(slower.begin());
  return {claim_by_interval(
              "the more often the observer reads, the more it interferes: at the highest rate less "
              "at a period of 4000",
              by_a_fast_observer(measured, &Produced::overhead), kAny, kUnbounded, "another core"),
          about("the observer's cost is relatively constant, about 10 %, once it slows down; mean "
                "over its periods from 50 on",
                slower, 0.10, asleep)};
}

}  // namespace

Reproduction producer(const Producer& measured, bool smt) {
  Reproduction result;
  result.name = smt ? "shim-fig10" : "shim-fig9";
  result.title = smt ? "Figure 10: a producer and its observer on one core"
                     : "Figure 9: a producer and its observer on two cores";
  Table table{"Overhead of the producer",
              {"rounds between writes", "cycles from write to write", "cycles from read to read",
               "overhead", "invalidations for each write"},
              {}};
  Figure figure{result.name,
                "Overhead of the producer",
                "position in the table",
                "%",
                {{"slower producer", {}}, {"slower observer", {}}}};
  for (size_t i = 0; i < measured.slower_producer.size(); ++i) {
    table.rows.push_back(row_of(measured.slower_producer[i]));
    figure.curves[0].points.emplace_back(static_cast<double>(i),
                                         100 * measured.slower_producer[i].overhead());
  }
  for (size_t i = 0; i < measured.slower_observer.size(); ++i) {
    if (i > 0) table.rows.push_back(row_of(measured.slower_observer[i]));
    figure.curves[1].points.emplace_back(static_cast<double>(i),
                                         100 * measured.slower_observer[i].overhead());
  }
  result.tables = {std::move(table)};
  result.figures = {std::move(figure)};
  result.claims = smt ? claims_of_one_core(measured) : claims_of_two_cores(measured);
  return result;
}

}  // namespace strobe::reproduce::shim
