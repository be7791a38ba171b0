#include "sw/reproduce/shim/shim_grain_values.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "sw/reproduce/shim/shim_means.h"

namespace strobe::reproduce::shim {

std::vector<uint64_t> by_samples(const Methods& methods) {
  std::vector<uint64_t> order;
  for (const auto& [id, sum] : methods) {
    if (sum.samples != 0) order.push_back(id);
  }
  std::stable_sort(order.begin(), order.end(), [&](uint64_t one, uint64_t other) {
    return methods.at(one).samples > methods.at(other).samples;
  });
  return order;
}

std::vector<uint64_t> hot_methods(const GrainedProgram& program) {
  const Grain& fine = program.by[kFine];
  std::vector<uint64_t> order = by_samples(fine.methods);
  uint64_t samples = 0;
  size_t hot = 0;
  while (hot < order.size() &&
         static_cast<double>(samples) < kHotShare * static_cast<double>(fine.samples)) {
    samples += fine.methods.at(order[hot++]).samples;
  }
  order.resize(hot);
  return order;
}

double found_hot(const GrainedProgram& program, size_t grain) {
  const std::vector<uint64_t> hot = hot_methods(program);
  std::vector<uint64_t> order = by_samples(program.by[grain].methods);
  order.resize(std::min(order.size(), hot.size()));
  const std::set<uint64_t> most(order.begin(), order.end());
  const auto found =
      std::count_if(hot.begin(), hot.end(), [&](uint64_t id) { return most.count(id) != 0; });
  return static_cast<double>(found) / static_cast<double>(hot.size());
}

double wrong_method(const GrainedProgram& program, size_t grain) {
  double cycles = 0, common = 0;
  for (const auto& [id, truth] : program.truth) cycles += static_cast<double>(truth.cycles);
  for (const auto& [id, sum] : program.by[grain].methods) {
    const auto truth = program.truth.find(id);
    if (truth == program.truth.end()) continue;
    common +=
        std::min(static_cast<double>(sum.samples) / static_cast<double>(program.by[grain].samples),
                 static_cast<double>(truth->second.cycles) / cycles);
  }
  return 1 - common;
}

std::optional<double> ipc_error(const GrainedProgram& program, size_t grain) {
  double weights = 0, error = 0;
  for (const auto& [id, sum] : program.by[grain].methods) {
    const auto truth = program.truth.find(id);
    if (sum.cycles == 0 || truth == program.truth.end() || truth->second.instructions == 0) {
      continue;
    }
    const auto weight = static_cast<double>(truth->second.cycles);
    weights += weight;
    error += weight * std::abs(sum.ipc() / truth->second.ipc() - 1);
  }
  if (weights == 0) return std::nullopt;
  return error / weights;
}

std::optional<double> ipc_deviation(const GrainedProgram& program, size_t grain) {
  std::vector<double> rates;
  for (const uint64_t id : hot_methods(program)) {
    const auto found = program.by[grain].methods.find(id);
    if (found != program.by[grain].methods.end() && found->second.cycles != 0) {
      rates.push_back(found->second.ipc());
    }
  }
  if (rates.size() < 2) return std::nullopt;
  const double middle = mean(rates);
  double squares = 0;
  for (const double rate : rates) squares += (rate - middle) * (rate - middle);
  return std::sqrt(squares / static_cast<double>(rates.size() - 1));
}

double outside(const GrainedProgram& program) {
  const std::vector<double>& fine = program.by[kFine].rates;
  const Grain& coarse = program.by[kCoarse];
  const auto out = std::count_if(fine.begin(), fine.end(), [&](double rate) {
    return rate < coarse.rates.front() || rate > coarse.rates.back();
  });
  return static_cast<double>(out) / static_cast<double>(fine.size());
}

}  // namespace strobe::reproduce::shim
