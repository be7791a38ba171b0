#include "sc_models/isa/elf/file_bytes.h"

#include <fcntl.h>
#include <openssl/evp.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>

#include "sw/text/limits.h"

namespace strobe::isa {
namespace {

std::string read_open(int descriptor, std::vector<uint8_t>* bytes) {
  struct stat status {};
  if (::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) {
    return S_ISDIR(status.st_mode) ? "a directory" : "a device, pipe or socket";
  }
  if (text::exceeds(text::limits::kElfBytes, static_cast<uint64_t>(status.st_size))) {
    return std::to_string(status.st_size) + " bytes (the limit is " +
           std::to_string(text::limits::kElfBytes.most) + ")";
  }
  bytes->resize(static_cast<size_t>(status.st_size));
  size_t done = 0;
  while (done < bytes->size()) {
    const ssize_t n = ::read(descriptor, bytes->data() + done, bytes->size() - done);
    if (n < 0) return std::strerror(errno);
    if (n == 0) break;
    done += static_cast<size_t>(n);
  }
  bytes->resize(done);
  return "";
}

}  // namespace

std::string read_regular(const std::string& path, std::vector<uint8_t>* bytes) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (descriptor < 0) return std::strerror(errno);
  const std::string problem = read_open(descriptor, bytes);
  ::close(descriptor);
  return problem;
}

std::string sha256_of(const std::vector<uint8_t>& bytes) {
  unsigned char raw[EVP_MAX_MD_SIZE];
  unsigned size = 0;
  if (EVP_Digest(bytes.data(), bytes.size(), raw, &size, EVP_sha256(), nullptr) != 1) {
    throw std::runtime_error(
        "libcrypto has no SHA-256; expected OpenSSL 3 with its default provider");
  }
  std::string text;
  for (unsigned i = 0; i < size; ++i) {
    text += "0123456789abcdef"[raw[i] >> 4];
    text += "0123456789abcdef"[raw[i] & 15];
  }
  return text;
}

}  // namespace strobe::isa
