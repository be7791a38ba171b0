// SHA-256 in hexadecimal, of what a run reads and of what it writes.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

struct evp_md_ctx_st;

namespace strobe::files {

/// The hash of bytes that come one after the other.
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;

  void add(const void* data, size_t size);
  /// Once, after the last byte.
  std::string hex();

 private:
  evp_md_ctx_st* context_;
};

std::string sha256_of_text(const std::string& text);

/// Throws std::runtime_error when the file cannot be read.
std::string sha256_of_file(const std::string& path);

/// The hash of a regular file that is open; where it is read next stays as it is. `name` is for
/// messages.
std::string sha256_of_descriptor(int descriptor, const std::string& name);

}  // namespace strobe::files
