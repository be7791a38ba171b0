// The runs of the producer of figure 8.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sw/reproduce/hps/hps_runs.h"
#include "sw/reproduce/shim/observed_run.h"
#include "sw/reproduce/shim/shim_runs.h"

namespace strobe::shim {
namespace {

using namespace reproduce::shim;
using nlohmann::json;
using Sets = std::vector<std::string>;

constexpr ReproductionProgram kProducer = {"producer", "configs/runs/quickstart.yaml", false};

Sets producer_sets(bool smt, unsigned wait, uint64_t period) {
  Sets sets = {"profilers=[]",
               "workload={elf: build:reproduce/producer.elf}",
               fmt::format("workload.args=['{}']", wait),
               "core.include=../cores/haswell.yaml",
               "core.memory.ntl=ignore",
               fmt::format("shim.where={}", smt ? "smt" : "cmp"),
               "shim.signals=[flag]",
               fmt::format("shim.period={}", period)};
  if (smt) sets.push_back("core.threads=2");
  return sets;
}

Produced produced(KeptResults& kept, bool smt, unsigned wait, uint64_t period) {
  const auto measure = [&](bool observed, uint64_t every) {
    const Sets sets = producer_sets(smt, wait, every);
    return kept.get(
        fmt::format("{}{}", observed ? "" : "alone ", hps::joined(sets)),
        observed_inputs(kProducer, sets), [&] {
          const platform::RunOutcome outcome =
              observed_run(kProducer.load(sets).configuration, /*methods=*/false, observed);
          const auto found = outcome.counters.find("directory.invalidations");
          const bool any = found != outcome.counters.end();
          return json{{"cycles", outcome.cycles}, {"invalidations", any ? found->second : 0}};
        });
  };
  const json alone = measure(false, 0), with = measure(true, period);
  Produced result;
  result.wait = wait;
  result.period = period;
  result.writes = kWrites;
  alone.at("cycles").get_to(result.alone);
  with.at("cycles").get_to(result.observed);
  with.at("invalidations").get_to(result.invalidations);
  return result;
}

}  // namespace

Producer producer(KeptResults& kept, bool smt) {
  constexpr uint64_t kFastest = 0;
  Producer result;
  const auto waiting = [&](const auto& waits, uint64_t period) {
    std::vector<Produced> all;
    for (const unsigned wait : waits) all.push_back(produced(kept, smt, wait, period));
    return all;
  };
  const auto observing = [&](const auto& periods) {
    std::vector<Produced> all;
    for (const uint64_t period : periods) all.push_back(produced(kept, smt, 0, period));
    return all;
  };
  result.slower_producer = waiting(kWaits, kFastest);
  result.slower_observer = observing(kConsumerPeriods);
  result.both_fast = waiting(kFastWaits, kFastest);
  result.fast_producers = waiting(kFastWaits, kSlowPeriod);
  result.slow_producers = waiting(kSlowWaits, kFastest);
  result.slow_observers = observing(kSlowPeriods);
  return result;
}

}  // namespace strobe::shim
