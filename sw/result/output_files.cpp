#include "sw/result/output_files.h"

#include <fmt/format.h>

#include <cerrno>

#include "sw/result/result_directory.h"

namespace strobe::result {
namespace {

[[noreturn]] void fail(const std::filesystem::path& path) {
  throw_result_error(fmt::format("write the program's output to {}", path.string()), errno);
}

}  // namespace

OutputFiles::OutputFiles(const std::filesystem::path& folder) {
  files_[0].path = folder / "stdout.txt";
  files_[1].path = folder / "stderr.txt";
  make(files_[0]);
}

void OutputFiles::make(File& file) {
  file.stream.reset(std::fopen(file.path.c_str(), "wbxe"));
  if (!file.stream) fail(file.path);
}

void OutputFiles::write(int descriptor, const char* data, size_t size) {
  File& file = files_[descriptor == 1 ? 0 : 1];
  if (!file.stream) make(file);
  if (std::fwrite(data, 1, size, file.stream.get()) != size) fail(file.path);
}

void OutputFiles::close() {
  for (File& file : files_) {
    if (file.stream && std::fclose(file.stream.release()) != 0) fail(file.path);
  }
}

}  // namespace strobe::result
