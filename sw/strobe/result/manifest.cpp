#include "sw/strobe/result/manifest.h"

#include <fmt/format.h>
#include <openssl/evp.h>
#include <sys/resource.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <stdexcept>

#include "sw/strobe/result/make_result.h"

namespace strobe::result {
namespace {

nlohmann::json file_identity(const std::string& path) {
  if (path.empty()) return nullptr;
  return {{"name", std::filesystem::path(path).filename().string()},
          {"sha256", sha256_of_file(path)}};
}

}  // namespace

std::string sha256_of_file(const std::string& path) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"),
                                                             &std::fclose);
  const std::unique_ptr<EVP_MD_CTX, void (*)(EVP_MD_CTX*)> context(EVP_MD_CTX_new(),
                                                                   &EVP_MD_CTX_free);
  bool good = file && context && EVP_DigestInit_ex(context.get(), EVP_sha256(), nullptr) == 1;
  char block[65536];
  for (size_t got = 1; good && got > 0;) {
    got = std::fread(block, 1, sizeof block, file.get());
    good = std::ferror(file.get()) == 0 && EVP_DigestUpdate(context.get(), block, got) == 1;
  }
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned size = 0;
  const int error = errno;
  if (!good || EVP_DigestFinal_ex(context.get(), digest, &size) != 1) {
    throw std::runtime_error(fmt::format(
        "cannot hash {} for the manifest: {}; check that the file is there and can be read", path,
        std::strerror(error)));
  }
  std::string result;
  for (unsigned i = 0; i < size; ++i) result += fmt::format("{:02x}", digest[i]);
  return result;
}

nlohmann::json make_manifest(const ManifestInput& input) {
  return {{"schema_version", kSchemaVersion},
          {"version", input.version},
          {"git_id", input.git_id.empty() ? nlohmann::json() : nlohmann::json(input.git_id)},
          {"tools", input.tools},
          {"elf", file_identity(input.elf)},
          {"firmware", file_identity(input.firmware)},
          {"seed", input.seed},
          {"command", input.command}};
}

nlohmann::json make_host(double seconds, uint64_t instructions) {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  nlohmann::json mips;
  if (seconds > 0) mips = static_cast<double>(instructions) / seconds / 1e6;
  return {{"schema_version", kSchemaVersion},
          {"host_seconds", seconds},
          {"mips", mips},
          {"peak_rss_bytes", static_cast<uint64_t>(usage.ru_maxrss) * 1024}};
}

}  // namespace strobe::result
