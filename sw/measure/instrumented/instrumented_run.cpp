#include "sw/measure/instrumented/instrumented_run.h"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

#include "sc_models/port/address_map.h"
#include "sw/measure/instrumented/bursty_run.h"
#include "sw/measure/instrumented/ephemeral_run.h"
#include "sw/measure/instrumented/signals_run.h"
#include "sw/text/shown.h"

namespace strobe {

InstrumentedRun::InstrumentedRun(const config::RunConfig& configuration,
                                 std::shared_ptr<const isa::ElfFile> original)
    : edited_configuration_(configuration), original_(std::move(original)) {}

void InstrumentedRun::set_edited(const std::vector<uint8_t>& elf,
                                 const instrument::AddressMap& map) {
  edited_ = std::make_shared<isa::ElfFile>(
      isa::ElfFile::parse(elf, edited_configuration_.workload.elf, STROBE_USER_TOP));
  map_ = &map;
}

void InstrumentedRun::add_program_to(platform::RunHooks* hooks) const {
  hooks->program = edited_;
  hooks->put_in = [map = map_, end = edited_->end()](uint64_t pc) {
    return pc < end && map->code_at(pc) == nullptr;
  };
}

config::RegionPoint InstrumentedRun::edited_point(const isa::StopPoint& point,
                                                  const char* key) const {
  config::RegionPoint found;
  found.copies = map_->edited_code(point.pc);
  found.occurrence = point.occurrence;
  found.place.file = edited_configuration_.source;
  found.place.path = key;
  if (found.copies.empty()) {
    throw std::runtime_error(
        fmt::format("{}: the region of interest begins or ends at pc {:#x} ({}), which the "
                    "instrumented program does not have",
                    key, point.pc, text::one_line(original_->describe(point.pc))));
  }
  return found;
}

void InstrumentedRun::place(const OriginalRegion& region) {
  config::WorkloadConfig& workload = edited_configuration_.workload;
  workload.roi_skip = workload.roi_run = 0;  // the edited program executes more than that
  if (region.whole_program()) return;
  workload.roi_begin = workload.roi_end = config::RegionPoint();
  if (region.outcome.instructions_before != 0) {
    workload.roi_begin = edited_point(region.points.begin, "workload.roi.begin");
  }
  if (region.outcome.end == platform::RunEnd::kRegionDone) {
    workload.roi_end = edited_point(region.points.end, "workload.roi.end");
  }
}

std::unique_ptr<InstrumentedRun> make_instrumented_run(
    const config::RunConfig& configuration, std::shared_ptr<const isa::ElfFile> original) {
  switch (configuration.instrument.kind) {
    case config::Instrumentation::kEphemeral:
      return std::make_unique<EphemeralRun>(configuration, std::move(original));
    case config::Instrumentation::kSignals:
      return std::make_unique<SignalsRun>(configuration, std::move(original));
    default:
      return std::make_unique<BurstyRun>(configuration, std::move(original));
  }
}

nlohmann::json left_alone_json(const std::vector<object::LeftAlone>& left_alone) {
  nlohmann::json out = nlohmann::json::array();
  for (const object::LeftAlone& one : left_alone) {
    out.push_back({{"place", one.place}, {"reason", one.reason}});
  }
  return out;
}

}  // namespace strobe
