#include "sw/files/own_files.h"

namespace strobe::files {

namespace fs = std::filesystem;

fs::path built_directory() {
  return fs::read_symlink("/proc/self/exe").parent_path().parent_path();
}

fs::path source_directory() { return source_directory_of(built_directory()); }

fs::path source_directory_of(const fs::path& built) {
  const bool installed = built.filename() == "strobe" && built.parent_path().filename() == "lib";
  if (!installed) return STROBE_SOURCE_DIR;
  return built.parent_path().parent_path() / "share" / "strobe";
}

}  // namespace strobe::files
