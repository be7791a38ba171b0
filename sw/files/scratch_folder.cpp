#include "sw/files/scratch_folder.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <stdexcept>

#include "sw/files/temporary.h"

namespace strobe::files {

namespace fs = std::filesystem;

ScratchFolder::ScratchFolder() {
  static std::atomic<unsigned> number = 0;
  const fs::path folder = fs::temp_directory_path();
  sweep_leftovers(folder);
  const fs::path made = temporary_of(folder / fmt::format("strobe-{}", number++));
  std::error_code ignored;
  fs::remove_all(made, ignored);  // left by an earlier process with this number
  if (mkdir(made.c_str(), S_IRWXU) != 0) {
    throw std::runtime_error(
        fmt::format("cannot make {}: {}; set TMPDIR to a folder that can be written", made.string(),
                    std::strerror(errno)));
  }
  path_ = made;
  removed_.emplace(made.string());
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace strobe::files
