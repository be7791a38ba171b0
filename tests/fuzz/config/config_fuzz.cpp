// Any text is a configuration or gets diagnostics; nothing crashes, nothing on the host is read.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "sw/config/load.h"

namespace {

/// What must hold for every input; a fault stops the fuzzer.
void require(bool good) {
  if (!good) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using strobe::config::LoadResult;
  const std::string text(reinterpret_cast<const char*>(data), size);
  // What follows a line "--set" is an override.
  std::vector<std::string> sets;
  const std::string separator = "\n--set\n";
  const size_t at = text.find(separator);
  if (at != std::string::npos) sets.push_back(text.substr(at + separator.size()));
  const LoadResult loaded = strobe::config::load_run_text(text.substr(0, at), "fuzz.yaml", sets);
  for (const auto& diagnostic : loaded.diagnostics) require(!diagnostic.text().empty());
  if (!loaded.good()) return 0;
  // What loads is shown, and what is shown loads to the same.
  const LoadResult again = strobe::config::load_run_text(loaded.effective, "effective.yaml", {});
  require(again.good());
  require(again.values.size() == loaded.values.size());
  for (size_t i = 0; i < again.values.size(); ++i) {
    require(again.values[i].value == loaded.values[i].value);
  }
  return 0;
}
