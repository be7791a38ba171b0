#include "sw/result/truth_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "sc_models/machine/outcome/truth_outcome.h"
#include "sw/result/number_text.h"
#include "sw/text/shown.h"

namespace strobe::result {
namespace {

using nlohmann::json;

constexpr size_t kMostFunctions = 10;
constexpr size_t kNameWidth = 28;

/// The names of the samplers that the run has.
std::vector<std::string> names_of(const json& samplers) {
  std::vector<std::string> names;
  for (const char* name : platform::kTimeSamplerNames) {
    if (samplers.contains(name)) names.emplace_back(name);
  }
  return names;
}

std::string head(const json& samplers) {
  std::string line =
      fmt::format("{:<{}} {:>9} {:>8}", "where the cycles go", kNameWidth, "cycles", "share");
  for (const std::string& sampler : names_of(samplers)) line += fmt::format(" {:>17}", sampler);
  return line + "\n";
}

std::string function_line(const json& function, const json& samplers) {
  std::string line = fmt::format(
      "{:<{}} {:>9} {:>8}", text::shortened(function.at("name").get<std::string>(), kNameWidth),
      kNameWidth, compact(static_cast<uint64_t>(std::llround(function.at("cycles").get<double>()))),
      percent(function.at("share")));
  for (const std::string& sampler : names_of(samplers)) {
    line += fmt::format(" {:>17}", percent(function.at("sampled").at(sampler)));
  }
  return line + "\n";
}

/// A figure of each sampler, below its column.
template <class Text>
std::string sampler_line(const char* name, const json& samplers, const char* key, Text text) {
  std::string line = fmt::format("{:<{}} {:>9} {:>8}", name, kNameWidth, "", "");
  for (const std::string& sampler : names_of(samplers)) {
    line += fmt::format(" {:>17}", text(samplers.at(sampler).at(key)));
  }
  return line + "\n";
}

}  // namespace

std::string truth_table(const json& truth) {
  const json &functions = truth.at("functions"), &samplers = truth.at("samplers");
  std::string out = head(samplers);
  for (size_t i = 0; i < std::min(functions.size(), kMostFunctions); ++i) {
    out += function_line(functions[i], samplers);
  }
  if (functions.size() > kMostFunctions) out += "more functions are in result.json\n";
  if (samplers.empty()) return out;
  const auto count = [](const json& number) { return grouped(number.get<uint64_t>()); };
  return out + sampler_line("samples", samplers, "samples", count) +
         sampler_line("error by function", samplers, "error_by_function", percent) +
         sampler_line("error by instruction", samplers, "error_by_instruction", percent) +
         sampler_line("bits in the core", samplers, "storage_bits", count);
}

}  // namespace strobe::result
