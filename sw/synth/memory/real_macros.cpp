#include "sw/synth/memory/real_macros.h"

#include <fmt/format.h>

#include <algorithm>

#include "sw/yaml/scalar.h"

namespace strobe::synth {
namespace {

constexpr uint64_t kMostBits = 1u << 20;  // the most bits of a word, and the most words

int whole(yaml::MapReader& reader, const char* key) {
  return static_cast<int>(reader.integer(key, 1, kMostBits).value_or(1));
}

RealMacros::Known read_known(const yaml::Node& node, const std::string& path,
                             text::Diagnostics* diagnostics) {
  yaml::MapReader reader(node, path, diagnostics);
  RealMacros::Known macro;
  macro.name = reader.text("name").value_or("");
  macro.size = {whole(reader, "width"), whole(reader, "depth")};
  reader.text("ports");
  macro.feature = static_cast<double>(reader.integer("feature_nm", 1, 10000).value_or(1)) / 1000;
  macro.area = static_cast<double>(reader.integer("area_um2", 1, 1'000'000'000).value_or(1));
  reader.text("source");
  reader.reject_unknown_keys();
  return macro;
}

// Reads whole numbers from 1, each larger than the one before.
std::vector<int> read_sizes(yaml::MapReader& reader, const std::string& key) {
  std::vector<int> sizes;
  const auto* items = reader.list(key);
  if (items == nullptr) return sizes;
  for (const yaml::Node& item : *items) {
    std::string why;
    const auto size = yaml::integer_of(item, &why);
    const int least = sizes.empty() ? 1 : sizes.back() + 1;
    if (!size || *size < static_cast<uint64_t>(least) || *size > kMostBits) {
      reader.error(
          item.mark, key,
          fmt::format("expected rising whole numbers, here one from {} to {}", least, kMostBits));
      return sizes;
    }
    sizes.push_back(static_cast<int>(*size));
  }
  if (sizes.empty()) reader.error(reader.node().mark, key, "expected at least one size, got none");
  return sizes;
}

int holding(const std::vector<int>& sizes, int least) {
  return *std::lower_bound(sizes.begin(), sizes.end(), least);
}

}  // namespace

RealMacros read_real_macros(yaml::MapReader& document, text::Diagnostics* diagnostics) {
  RealMacros real;
  const auto* items = document.list("macros");
  for (size_t i = 0; items != nullptr && i < items->size(); ++i)
    real.known.push_back(read_known((*items)[i], fmt::format("macros.{}", i), diagnostics));
  if (items != nullptr && items->empty())
    document.error(document.node().mark, "macros", "expected at least one macro, got none");
  if (const yaml::Entry* entry = document.require("orderable"); entry != nullptr) {
    yaml::MapReader reader(entry->value, "orderable", diagnostics);
    real.widths = read_sizes(reader, "widths");
    real.depths = read_sizes(reader, "depths");
    reader.reject_unknown_keys();
  }
  return real;
}

Band real_over_model(const RealMacros& real, const SramModel& model) {
  std::vector<double> ratios;
  for (const RealMacros::Known& macro : real.known)
    ratios.push_back(macro.area / model.area_of(macro.size, macro.feature));
  const auto [low, high] = std::minmax_element(ratios.begin(), ratios.end());
  return {*low, *high};
}

MemoryOrder order_of(MemorySize size, const RealMacros& real, const SramModel& model,
                     double feature) {
  const int deepest = real.depths.back(), widest = real.widths.back();
  const int high = (size.depth + deepest - 1) / deepest;
  const int depth = high > 1 ? deepest : holding(real.depths, size.depth);
  MemoryOrder order;
  if (size.width >= widest) order.macros.push_back({{widest, depth}, size.width / widest * high});
  if (const int rest = size.width % widest; rest != 0)
    order.macros.push_back({{holding(real.widths, rest), depth}, high});
  double area = 0;
  for (const auto& [macro, number] : order.macros) area += number * model.area_of(macro, feature);
  const Band ratio = real_over_model(real, model);
  order.area = {area * ratio.low, area * ratio.high};
  return order;
}

}  // namespace strobe::synth
