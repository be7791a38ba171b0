#include "sw/process/program_beside.h"

namespace strobe {

std::filesystem::path program_beside(const char* name) {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path() / name;
}

}  // namespace strobe
