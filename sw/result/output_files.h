// What the program writes, on its way into the result directory while it runs.
#pragma once

#include <array>
#include <cstdio>
#include <filesystem>
#include <memory>

namespace strobe::result {

/// stdout.txt and stderr.txt in a folder; the second one comes into being with its first byte. All
/// members throw ResultError when a file cannot be written.
class OutputFiles {
 public:
  /// Makes stdout.txt.
  explicit OutputFiles(const std::filesystem::path& folder);

  /// Takes what was written to descriptor 1 or 2.
  void write(int descriptor, const char* data, size_t size);
  /// Once, at the end: then the files are whole.
  void close();

 private:
  struct File {
    std::filesystem::path path;
    std::unique_ptr<std::FILE, int (*)(std::FILE*)> stream{nullptr, &std::fclose};
  };
  static void make(File& file);

  std::array<File, 2> files_;
};

}  // namespace strobe::result
