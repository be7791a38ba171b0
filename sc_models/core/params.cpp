#include "sc_models/core/params.h"

#include <fmt/format.h>

#include <stdexcept>

#include "sc_models/port/retire.h"

namespace strobe::core {
namespace {

void require(bool good, const char* what) {
  if (!good) throw std::invalid_argument(fmt::format("core: {}", what));
}

}  // namespace

void check(const CoreParams& p) {
  require(p.fetch_width > 0 && p.decode_width > 0 && p.issue_width > 0,
          "fetch_width, decode_width and issue_width must be at least 1");
  require(p.commit_width > 0 && p.commit_width <= kMaxRetireWidth, "commit_width must be 1 to 8");
  const auto line_like = [](unsigned bytes) { return bytes >= 4 && (bytes & (bytes - 1)) == 0; };
  require(line_like(p.fetch_block) && line_like(p.memory.l1i.line) && line_like(p.memory.l1d.line),
          "fetch_block and the lines of l1i and l1d must be powers of two, at least 4 bytes");
  require(p.front_end_stages >= 2, "front_end_stages must be at least 2");
  require(p.fetch_buffer >= p.fetch_width, "fetch_buffer must be at least fetch_width");
  require(p.rob > 0 && p.reservation_stations > 0 && p.load_queue > 0 && p.store_queue > 0,
          "rob, reservation_stations, load_queue and store_queue must be at least 1");
  require(p.threads == 1 || p.threads == 2, "threads must be 1 or 2");
  require(p.threads == 1 || p.smt.buffers == Buffers::kShared ||
              (p.rob > 1 && p.load_queue > 1 && p.store_queue > 1),
          "rob, load_queue and store_queue must be at least 2 to be split in halves");
  require(p.watchdog_cycles > 0, "watchdog_cycles must be at least 1");
  for (const UnitParams* unit : {&p.alu, &p.mul, &p.div, &p.fp, &p.fp_div, &p.mem}) {
    require(unit->count > 0 && unit->latency > 0 && unit->interval > 0,
            "count, latency and interval of every unit must be at least 1");
  }
}

}  // namespace strobe::core
