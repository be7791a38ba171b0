#include "sc_models/machine/guest/region.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>

#include "sc_models/isa/memory/guest_memory.h"

namespace strobe::platform {
namespace {

/// "name" or "name+0x10" as an address; false with the reason in `error`.
bool resolve(const std::string& text, const isa::ElfFile& program, uint64_t& address,
             std::string& error) {
  const isa::ElfSymbol* symbol = program.symbol(text);
  std::string name = text;
  uint64_t offset = 0;
  const size_t plus = text.rfind('+');
  if (symbol == nullptr && plus != std::string::npos) {
    name = text.substr(0, plus);
    const std::string number = text.substr(plus + 1);
    char* end = nullptr;
    errno = 0;
    offset = std::strtoull(number.c_str(), &end, 0);
    if (number.empty() || number[0] < '0' || number[0] > '9' || *end != '\0' || errno != 0) {
      error = fmt::format("expected SYMBOL or SYMBOL+OFFSET, got the offset {}",
                          text::in_quotes(number));
      return false;
    }
    symbol = program.symbol(name);
  }
  if (symbol == nullptr) {
    error = fmt::format("the program has no symbol {}{}", text::in_quotes(name),
                        text::did_you_mean(name, program.function_names()));
    return false;
  }
  address = symbol->address + offset;
  const auto& segments = program.segments();
  const bool code = std::any_of(segments.begin(), segments.end(), [&](const isa::ElfSegment& s) {
    return (s.permissions & isa::GuestMemory::kExecute) != 0 && address >= s.address &&
           address - s.address < s.file_size;
  });
  if (code && symbol->function && address % 2 == 0) return true;
  error = fmt::format("expected the address of an instruction, got {:#x} for {}", address,
                      text::in_quotes(text));
  return false;
}

text::Diagnostic fault(const config::RegionPoint& point, const std::string& message) {
  text::Diagnostic diagnostic = point.place;
  diagnostic.message = message;
  return diagnostic;
}

}  // namespace

text::Diagnostics check_region(const config::WorkloadConfig& workload,
                               const isa::ElfFile& program) {
  text::Diagnostics faults;
  for (const config::RegionPoint* point : {&workload.roi_begin, &workload.roi_end}) {
    uint64_t address = 0;
    std::string error;
    if (point->symbol.empty() || resolve(point->symbol, program, address, error)) continue;
    faults.push_back(fault(*point, error));
  }
  return faults;
}

isa::StopPoint stop_point(const config::RegionPoint& point, const isa::ElfFile& program) {
  isa::StopPoint stop;
  stop.occurrence = point.occurrence;
  if (!point.copies.empty()) {
    stop.pc = point.copies.front();
    stop.copy = point.copies.back();
    return stop;
  }
  stop.marker = static_cast<uint32_t>(point.marker);
  std::string error;
  if (!point.symbol.empty() && !resolve(point.symbol, program, stop.pc, error)) {
    throw std::runtime_error(fault(point, error).text());
  }
  return stop;
}

void set_region_end(isa::Hart& hart, isa::StopPoint end) {
  if (end.is_at(hart.state().pc)) ++end.occurrence;
  hart.set_stop_point(end);
}

std::string never_reached(const config::RegionPoint& point, const char* verb, uint64_t passes) {
  // A result names files without their directories.
  const std::string file = std::filesystem::path(point.place.file).filename().string();
  const std::string place =
      point.place.line > 0 ? fmt::format("{}:{}:{}", file, point.place.line, point.place.column)
                           : point.place.file;
  std::string what = "symbol " + text::in_quotes(point.symbol);
  if (!point.copies.empty()) {
    what = fmt::format("its first or last instruction, at {:#x},", point.copies.front());
  } else if (point.symbol.empty()) {
    what = fmt::format("marker {}", point.marker);
  }
  return fmt::format(
      "{}: {}: the region of interest never {}: the program ended after passing {} {} times, "
      "expected "
      "occurrence {}",
      place, point.place.path, verb, what, passes, point.occurrence);
}

std::string ended_before(const config::WorkloadConfig& workload, bool reached_end,
                         uint64_t instructions) {
  return fmt::format(
      "workload.roi: the region of interest never began: the program {} after {} instructions, "
      "within roi.skip = {} or roi.warm = {}",
      reached_end ? "reached roi.end" : "ended", instructions, workload.roi_skip,
      workload.roi_warm);
}

}  // namespace strobe::platform
