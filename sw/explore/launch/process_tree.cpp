#include "sw/explore/launch/process_tree.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <system_error>

namespace strobe::explore {

namespace fs = std::filesystem;

// The process may end meanwhile: what cannot be read holds nothing.
uint64_t resident_bytes(pid_t process) {
  const fs::path folder = fmt::format("/proc/{}", process);
  std::ifstream stream(folder / "statm");
  uint64_t size = 0, resident = 0;
  stream >> size >> resident;
  uint64_t bytes = resident * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  std::error_code error;
  for (fs::directory_iterator thread(folder / "task", error), end; !error && thread != end;
       thread.increment(error)) {
    std::ifstream children(thread->path() / "children");
    for (pid_t child = 0; children >> child;) bytes += resident_bytes(child);
  }
  return bytes;
}

}  // namespace strobe::explore
