#include "sc_models/profiling/observers/observer.h"

#include <stdexcept>
#include <utility>

#include "sc_models/profiling/observers/samplers.h"
#include "sc_models/profiling/observers/split_samplers.h"

namespace strobe::profiling {
namespace {

template <class Sampler>
std::unique_ptr<Observer> make(const ObserverParams& params) {
  return std::make_unique<Sampler>(params);
}

std::unique_ptr<Observer> make_counted(const ObserverParams& params) {
  return std::make_unique<SplitRandomSampler>("counted", params, 1, /*counted=*/true);
}
std::unique_ptr<Observer> make_stratified_counted(const ObserverParams& params) {
  return std::make_unique<SplitRandomSampler>("stratified_counted", params, params.strata,
                                              /*counted=*/true);
}
std::unique_ptr<Observer> make_stratified_random(const ObserverParams& params) {
  return std::make_unique<SplitRandomSampler>("stratified_random", params, params.strata,
                                              /*counted=*/false);
}

struct Kind {
  const char* name;
  std::unique_ptr<Observer> (*make)(const ObserverParams& params);
};

// The registry: a new kind is one line here.
constexpr Kind kKinds[] = {
    {"counted", make_counted},
    {"periodic", make<PeriodicSampler>},
    {"random", make<RandomSampler>},
    {"stratified", make<StratifiedObserver>},
    {"stratified_counted", make_stratified_counted},
    {"stratified_random", make_stratified_random},
};

}  // namespace

std::vector<std::string> observer_kinds() {
  std::vector<std::string> names;
  for (const Kind& kind : kKinds) names.emplace_back(kind.name);
  return names;
}

std::unique_ptr<Observer> make_observer(const std::string& kind, const ObserverParams& params) {
  std::string expected;
  for (const Kind& known : kKinds) {
    if (kind == known.name) return known.make(params);
    expected += expected.empty() ? known.name : std::string(", ") + known.name;
  }
  throw std::invalid_argument("observer kind: expected one of " + expected + ", got \"" + kind +
                              "\"");
}

}  // namespace strobe::profiling
