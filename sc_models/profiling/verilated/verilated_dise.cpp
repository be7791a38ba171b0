#include "sc_models/profiling/verilated/verilated_dise.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <stdexcept>
#include <string>

#include "sc_models/profiling/reference/dise_engine.h"
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
}

// "Name=value" of what differs from the RTL's defaults.
std::string parameters_of(const DisePoint& point) {
  const struct {
    const char* name;
    unsigned DisePoint::*field;
  } kParameters[] = {{"Lanes", &DisePoint::lanes},
                     {"Counters", &DisePoint::counters},
                     {"CounterWidth", &DisePoint::counter_width},
                     {"FlagTiming", &DisePoint::flag_timing}};
  std::string text;
  for (const auto& [name, field] : kParameters) {
    if (point.*field == DisePoint().*field) continue;
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, point.*field);
  }
  return text;
}

DecodeEngine* make_model(const DisePoint& point) {
  const std::string object = find_or_build({"strobe_dise", parameters_of(point)});
  // Objects stay loaded until the process ends; opening one again costs nothing.
  void* handle = dlopen(object.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr)
    throw std::runtime_error(fmt::format("cannot load {}: {}", object, dlerror()));
  void* symbol = dlsym(handle, kDiseFactoryName);
  DecodeEngine* engine =
      symbol == nullptr ? nullptr : reinterpret_cast<DiseFactory>(symbol)(kDiseAbiVersion);
  if (engine == nullptr) {
    throw std::runtime_error(fmt::format(
        "{} is no decode engine of this version of Strobe; remove it and build again", object));
  }
  return engine;
}

DiseParams params_of(const DisePoint& point) {
  DiseParams params;
  params.lanes = point.lanes;
  params.counters = point.counters;
  params.counter_width = point.counter_width;
  params.flags_after = point.flag_timing == 1;
  return params;
}

// The RTL answers. A reference that sees the same writes says which instructions are worth asking
// about; whatever it lets through is decided by the RTL.
class VerilatedDise final : public DecodeEngine {
 public:
  explicit VerilatedDise(const DisePoint& point)
      : rtl_(make_model(point)), filter_(params_of(point)) {}

  DecodeDecision decode(const DecodeLane* lanes, unsigned count, uint8_t slot) override {
    return rtl_->decode(lanes, count, slot);
  }
  void restore(DecodeCheckpoint checkpoint) override { rtl_->restore(checkpoint); }
  InstantiatedInstruction instantiate(const DecodeLane& trigger, uint16_t entry) override {
    return rtl_->instantiate(trigger, entry);
  }
  bool concerns(const DecodeLane& lane) const override { return filter_.concerns(lane); }
  uint64_t generation() const override { return filter_.generation(); }
  bool burst() const override { return rtl_->burst(); }
  uint64_t read(uint32_t offset) override { return rtl_->read(offset); }
  void write(uint32_t offset, uint64_t value) override {
    rtl_->write(offset, value);
    filter_.write(offset, value);
  }

 private:
  std::unique_ptr<DecodeEngine> rtl_;
  DiseEngine filter_;
};

}  // namespace

std::unique_ptr<DecodeEngine> make_verilated_dise(const DisePoint& point) {
  check(point);
  return std::make_unique<VerilatedDise>(point);
}

}  // namespace strobe::profiling
