#include "sw/process/version.h"

#include <systemc>

#include "strobe_git_id.h"

namespace strobe {

std::string project_version() { return STROBE_VERSION; }

std::string git_id() { return STROBE_GIT_ID; }

std::map<std::string, std::string> tool_versions() {
  return {
      {"systemc", sc_core::sc_release()},
      {"verilator", STROBE_VERILATOR_VERSION},
      {"compiler", STROBE_COMPILER_VERSION},
  };
}

}  // namespace strobe
