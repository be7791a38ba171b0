// Makes bin/strobe measure the needs of sw/text/needs.h: the most that is compared with each limit
// is kept in the file that STROBE_NEEDS names, for every process that has it.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <iterator>

#include "sw/text/needs.h"

namespace strobe::security {
namespace {

using text::limits::kNeeds;

std::atomic<uint64_t>* needs = nullptr;  // as in kNeeds

void keep(const text::Limit& limit, uint64_t count) {
  const auto* const found = std::find_if(std::begin(kNeeds), std::end(kNeeds),
                                         [&](const auto& need) { return need.limit == &limit; });
  if (found == std::end(kNeeds)) return;
  std::atomic<uint64_t>& most = needs[found - std::begin(kNeeds)];
  for (uint64_t before = most; before < count && !most.compare_exchange_weak(before, count);) {
  }
}

bool begin() {
  const char* const path = std::getenv("STROBE_NEEDS");
  if (path == nullptr) return false;
  const int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (file < 0 || ftruncate(file, std::size(kNeeds) * sizeof *needs) != 0) std::abort();
  void* const shared =
      mmap(nullptr, std::size(kNeeds) * sizeof *needs, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (shared == MAP_FAILED) std::abort();
  needs = static_cast<std::atomic<uint64_t>*>(shared);
  text::watch_counts = keep;
  return true;
}

[[maybe_unused]] const bool measures = begin();

}  // namespace
}  // namespace strobe::security
