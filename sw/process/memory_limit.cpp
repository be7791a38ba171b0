#include "sw/process/memory_limit.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <fstream>

#include "sc_models/port/address_map.h"

namespace strobe {
namespace {

uint64_t limit_in_force = 0;

uint64_t address_space_bytes() {
  std::ifstream stream("/proc/self/statm");
  uint64_t pages = 0;
  stream >> pages;
  return pages * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace

// The guest's window is reserved whole, so what is resident of it does not count here: the address
// space is what the host can refuse at the moment it is asked for.
void limit_memory(uint64_t bytes) {
  rlimit limit{};
  if (bytes == 0 || getrlimit(RLIMIT_AS, &limit) != 0) return;
  const uint64_t beside = address_space_bytes() + STROBE_MEMORY_SPAN;
  if (limit.rlim_cur < beside || bytes >= limit.rlim_cur - beside) return;  // the host allows less
  limit.rlim_cur = beside + bytes;
  if (setrlimit(RLIMIT_AS, &limit) == 0) limit_in_force = bytes;
}

std::string out_of_memory() {
  const char* advice =
      "let the run hold less (exhaustive_bytes bounds the table of an exhaustive profile)";
  if (limit_in_force == 0) {
    return fmt::format("out of memory: the host gives no more; free some, or {}", advice);
  }
  return fmt::format(
      "out of memory: it held more than limits.memory, which is {} bytes; raise it, or {}",
      limit_in_force, advice);
}

}  // namespace strobe
