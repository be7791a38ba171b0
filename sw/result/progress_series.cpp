#include "sw/result/progress_series.h"

#include <fmt/format.h>

#include "sw/profile/accuracy/metrics.h"
#include "sw/profile/reports/export.h"

namespace strobe::result {

std::string progress_text(const config::RunConfig& configuration,
                          const platform::RunOutcome& outcome) {
  if (configuration.progress.every == 0) return "";
  std::string text =
      "profiler,events,cycles,messages,invariance_error,overlap,overhead_analytical_cycles,"
      "overhead_analytical\n";
  for (size_t i = 0; i < outcome.profilers.size(); ++i) {
    const platform::ProfilerOutcome& profiler = outcome.profilers[i];
    const unsigned watermark = configuration.profilers[i].watermark;
    for (const profile::ProgressPoint& point : profiler.progress) {
      const uint64_t cost = profile::CostModel().cycles(
          point.messages, profile::interrupts_for(point.messages, watermark));
      text += fmt::format("{},{},{},{},", profile::csv_field(profiler.name), point.events,
                          point.cycles, point.messages);
      if (point.invariance_error) text += fmt::format("{}", *point.invariance_error);
      text += fmt::format(",{},{},", point.overlap, cost);
      if (point.cycles != 0) {
        text += fmt::format("{}", static_cast<double>(cost) / static_cast<double>(point.cycles));
      }
      text += "\n";
    }
  }
  return text;
}

}  // namespace strobe::result
