#include "sw/dise/image/image_file.h"

#include <fmt/format.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "sw/text/json_text.h"

namespace strobe::dise {
namespace {

using nlohmann::ordered_json;

constexpr const char* kFormat = "strobe-dise-image";
constexpr int kVersion = 1;
constexpr unsigned kMostEntries = 4096;  // limit for each table

uint64_t hexadecimal(const ordered_json& value) {
  const std::string text = value.get<std::string>();
  char* rest = nullptr;
  const uint64_t number = std::strtoull(text.c_str(), &rest, 16);
  if (text.rfind("0x", 0) != 0 || text.size() > 18 || *rest != '\0') {
    throw std::runtime_error(
        fmt::format("{} is not a hexadecimal number of at most 64 bits", text::in_quotes(text)));
  }
  return number;
}

unsigned at_most(const ordered_json& value, unsigned most) {
  const auto number = value.get<int64_t>();
  if (number < 1 || number > most) {
    throw std::runtime_error(fmt::format("{} is not from 1 to {}", number, most));
  }
  return static_cast<unsigned>(number);
}

Image read(const ordered_json& file) {
  if (file.at("format") != kFormat) throw std::runtime_error("it is not a strobe-dise-image");
  if (file.at("version") != kVersion) {
    throw std::runtime_error(fmt::format("its version is not {}", kVersion));
  }
  Limits limits;
  limits.patterns = at_most(file.at("patterns"), kMostEntries);
  limits.replacements = at_most(file.at("replacements"), kMostEntries);
  limits.counters = at_most(file.at("counters"), kMaxCounters);
  std::vector<RegisterWrite> writes;
  for (const ordered_json& write : file.at("writes")) {
    writes.emplace_back(static_cast<uint32_t>(hexadecimal(write.at(0))), hexadecimal(write.at(1)));
  }
  Image image = image_of_writes(writes, limits);
  for (const ordered_json& use : file.at("handlers")) {
    const auto entry = use.at("entry").get<uint64_t>();
    if (entry >= image.replacements.size()) throw std::runtime_error("a handler has no entry");
    image.handlers.push_back({use.at("symbol"), static_cast<uint16_t>(entry), {}});
  }
  return image;
}

}  // namespace

std::string to_json(const Image& image) {
  ordered_json file;
  file["format"] = kFormat;
  file["version"] = kVersion;
  file["patterns"] = image.limits.patterns;
  file["replacements"] = image.limits.replacements;
  file["counters"] = image.limits.counters;
  file["writes"] = ordered_json::array();
  for (const auto& [offset, value] : register_writes(image)) {
    file["writes"].push_back({fmt::format("{:#x}", offset), fmt::format("{:#x}", value)});
  }
  file["handlers"] = ordered_json::array();
  for (const HandlerUse& use : image.handlers) {
    file["handlers"].push_back({{"entry", use.entry}, {"symbol", use.symbol}});
  }
  return text::json_text(file, 1) + "\n";
}

Image image_from_json(const std::string& text) {
  try {
    return read(text::ordered_json_from(text));
  } catch (const ordered_json::exception& error) {
    throw std::runtime_error(error.what());
  }
}

}  // namespace strobe::dise
