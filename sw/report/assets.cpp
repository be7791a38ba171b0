#include "sw/report/assets.h"

#include <map>
#include <stdexcept>
#include <string>

// Places a file's bytes between two symbols. assets.inc, which CMake writes, has a line for each
// file.
#define STROBE_ASSET(symbol, name, file)                                                  \
  __asm__(".pushsection .rodata\n.global strobe_asset_" #symbol "\nstrobe_asset_" #symbol \
          ":\n.incbin \"" file "\"\n.global strobe_asset_end_" #symbol                    \
          "\nstrobe_asset_end_" #symbol ":\n.popsection\n");                              \
  extern "C" const char strobe_asset_##symbol[], strobe_asset_end_##symbol[];
#include "assets.inc"
#undef STROBE_ASSET

namespace strobe::report {

std::string_view asset(std::string_view name) {
#define STROBE_ASSET(symbol, name, file) \
  {name,                                 \
   {strobe_asset_##symbol,               \
    static_cast<size_t>(strobe_asset_end_##symbol - strobe_asset_##symbol)}},
  static const std::map<std::string_view, std::string_view> assets = {
#include "assets.inc"
  };
#undef STROBE_ASSET
  const auto found = assets.find(name);
  if (found == assets.end()) throw std::out_of_range("no asset " + std::string(name));
  return found->second;
}

}  // namespace strobe::report
