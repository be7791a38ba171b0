#include "sw/files/sha256.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <openssl/evp.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <vector>

namespace strobe::files {
namespace {

void require(bool good) {
  if (good) return;
  throw std::runtime_error(
      "libcrypto has no SHA-256; expected OpenSSL 3 with its default provider");
}

[[noreturn]] void fail(const std::string& file, const std::string& why) {
  throw std::runtime_error(
      fmt::format("cannot hash {} for the manifest: {}; check that the file is there and can be "
                  "read",
                  file, why));
}

}  // namespace

Sha256::Sha256() : context_(EVP_MD_CTX_new()) {
  require(context_ != nullptr && EVP_DigestInit_ex(context_, EVP_sha256(), nullptr) == 1);
}

Sha256::~Sha256() { EVP_MD_CTX_free(context_); }

void Sha256::add(const void* data, size_t size) {
  require(EVP_DigestUpdate(context_, data, size) == 1);
}

std::string Sha256::hex() {
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned size = 0;
  require(EVP_DigestFinal_ex(context_, digest, &size) == 1);
  std::string text;
  for (unsigned i = 0; i < size; ++i) text += fmt::format("{:02x}", digest[i]);
  return text;
}

std::string sha256_of_text(const std::string& text) {
  Sha256 hash;
  hash.add(text.data(), text.size());
  return hash.hex();
}

std::string sha256_of_descriptor(int descriptor, const std::string& name) {
  Sha256 hash;
  std::vector<char> block(size_t{1} << 16);
  for (off_t at = 0;;) {
    const ssize_t got = pread(descriptor, block.data(), block.size(), at);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail(name, std::strerror(errno));
    if (got == 0) return hash.hex();
    hash.add(block.data(), static_cast<size_t>(got));
    at += got;
  }
}

std::string sha256_of_file(const std::string& path) {
  struct Descriptor {
    ~Descriptor() {
      if (number >= 0) close(number);
    }
    int number;
  };
  const Descriptor file{open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)};
  struct stat status {};
  if (file.number < 0 || fstat(file.number, &status) != 0) fail(path, std::strerror(errno));
  if (!S_ISREG(status.st_mode)) fail(path, "it is not a regular file");
  return sha256_of_descriptor(file.number, path);
}

}  // namespace strobe::files
