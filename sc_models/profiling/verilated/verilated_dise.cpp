#include "sc_models/profiling/verilated/verilated_dise.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <stdexcept>
#include <string>

#include "sc_models/profiling/verilated/dise_pipeline.h"
#include "sc_models/profiling/verilated/model_abi.h"
#include "sc_models/profiling/verilated/rtl_object.h"

namespace strobe::profiling {
namespace {

void check(const DisePoint& point) {
  const auto require = [](const char* name, unsigned got, bool holds, const char* expected) {
    if (holds) return;
    throw std::invalid_argument(
        fmt::format("decode engine: {} must be {}, got {}", name, expected, got));
  };
  require("lanes", point.lanes, point.lanes == 1 || point.lanes == 2 || point.lanes == 4,
          "1, 2 or 4");
  require("counters", point.counters, point.counters >= 1 && point.counters <= 3, "1 to 3");
  require("counter_width", point.counter_width,
          point.counter_width >= 8 && point.counter_width <= 32, "8 to 32");
  require("flag_timing", point.flag_timing, point.flag_timing <= 1, "0 or 1");
  require("jitter", point.jitter, point.jitter <= 1, "0 or 1");
}

// "Name=value" for each parameter that differs from the RTL's default.
std::string parameters_of(const DisePoint& point) {
  const struct {
    const char* name;
    unsigned DisePoint::*field;
  } kParameters[] = {{"Lanes", &DisePoint::lanes},
                     {"Counters", &DisePoint::counters},
                     {"CounterWidth", &DisePoint::counter_width},
                     {"FlagTiming", &DisePoint::flag_timing},
                     {"Jitter", &DisePoint::jitter}};
  std::string text;
  for (const auto& [name, field] : kParameters) {
    if (point.*field == DisePoint().*field) continue;
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, point.*field);
  }
  return text;
}

std::unique_ptr<PipelinedEngine> make_model(const DisePoint& point) {
  const std::string object = find_or_build({"strobe_dise", parameters_of(point)});
  // Objects stay loaded until the process ends; opening one again has no cost.
  void* handle = dlopen(object.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr)
    throw std::runtime_error(fmt::format("cannot load {}: {}", object, dlerror()));
  void* symbol = dlsym(handle, kDiseFactoryName);
  std::unique_ptr<PipelinedEngine> engine(
      symbol == nullptr ? nullptr : reinterpret_cast<DiseFactory>(symbol)(kDiseAbiVersion));
  if (engine == nullptr) {
    throw std::runtime_error(fmt::format(
        "{} is not a decode engine of this version of Strobe; remove it and build again", object));
  }
  return engine;
}

DiseParams params_of(const DisePoint& point) {
  DiseParams params;
  params.lanes = point.lanes;
  params.counters = point.counters;
  params.counter_width = point.counter_width;
  params.flags_after = point.flag_timing == 1;
  params.jitter = point.jitter == 1;
  return params;
}

}  // namespace

std::unique_ptr<DecodeEngine> make_verilated_dise(const DisePoint& point) {
  check(point);
  return std::make_unique<DisePipeline>(make_model(point), params_of(point));
}

}  // namespace strobe::profiling
