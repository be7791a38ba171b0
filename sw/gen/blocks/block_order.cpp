#include "sw/gen/blocks/block_order.h"

#include <fmt/format.h>

#include <algorithm>

#include "sw/gen/words.h"

namespace strobe::gen {
namespace {

/// Whether a path can have both.
bool meet(const Blocks& blocks, const Parameter& a, const Parameter& b) {
  const auto of_a = blocks.with_key(a.name), of_b = blocks.with_key(b.name);
  if (of_a.empty() || of_b.empty()) return true;
  return std::any_of(of_a.begin(), of_a.end(), [&](const Compressor* one) {
    return std::find(of_b.begin(), of_b.end(), one) != of_b.end();
  });
}

/// Two parameters of one compressor, or of the path, have bits of their own in CAP2.
void check_capabilities(const yaml::Mark& mark, const Blocks& blocks,
                        text::Diagnostics* diagnostics) {
  const auto& all = blocks.parameters;
  for (size_t i = 0; i < all.size(); ++i) {
    for (size_t k = 0; k < i; ++k) {
      const Field &a = all[i].capability.field, &b = all[k].capability.field;
      if (!all[i].capability.given() || !all[k].capability.given()) continue;
      if ((a.mask() & b.mask()) == 0 || !meet(blocks, all[i], all[k])) continue;
      diagnostics->push_back(mark.error(
          all[i].name + ".capability",
          fmt::format("{} overlaps {} in CAP2, expected bits of its own", a.name, b.name)));
    }
  }
}
/// A key that several compressors have keeps its place; others stand before the next of those in
/// the file, or at the end.
void merge_keys(const Compressor& block, std::vector<std::string>* order) {
  auto& keys = *order;
  for (size_t i = 0; i < block.uses.size(); ++i) {
    if (std::find(keys.begin(), keys.end(), block.uses[i].key) != keys.end()) continue;
    auto place = keys.end();
    for (size_t k = i + 1; k < block.uses.size() && place == keys.end(); ++k) {
      place = std::find(keys.begin(), keys.end(), block.uses[k].key);
    }
    keys.insert(place, block.uses[i].key);
  }
}

}  // namespace

void arrange(const yaml::Mark& mark, const ParameterReader& parameters,
             const std::vector<std::string>& first, const std::vector<std::string>& later,
             Blocks* blocks, text::Diagnostics* diagnostics) {
  auto& all = blocks->compressors;
  std::sort(all.begin(), all.end(),
            [](const Compressor& a, const Compressor& b) { return a.kind < b.kind; });
  for (size_t i = 0; i < all.size(); ++i) {
    if (all[i].kind == i + 1) continue;
    diagnostics->push_back(
        mark.error("kind", fmt::format("expected the kinds 1 to {}, each once, got {} for {}",
                                       all.size(), all[i].kind, all[i].name)));
    return;
  }
  for (const Compressor& block : all) merge_keys(block, &blocks->keys);
  for (const std::string& name : first) blocks->parameters.push_back(parameters.known(name));
  Parameter compressor;
  compressor.name = "compressor";
  compressor.description = "What compresses tuples into messages: one less than CAP1.kind.";
  const std::string last = std::to_string(all.size() - 1);
  compressor.low = {"0", "0", "0"};
  compressor.high = {last, last, last};
  blocks->parameters.push_back(compressor);
  for (const std::string& key : blocks->keys) {
    const bool added = std::any_of(blocks->parameters.begin(), blocks->parameters.end(),
                                   [&](const Parameter& p) { return p.name == key; });
    if (!added && parameters.knows(key)) blocks->parameters.push_back(parameters.known(key));
  }
  for (const std::string& name : later) blocks->parameters.push_back(parameters.known(name));
  check_capabilities(mark, *blocks, diagnostics);
}

std::string Parameter::rtl() const { return upper_camel(name); }

std::string Compressor::camel() const { return upper_camel(name); }

const Parameter& Blocks::parameter(const std::string& name) const {
  return *std::find_if(parameters.begin(), parameters.end(),
                       [&](const Parameter& p) { return p.name == name; });
}

std::vector<const Compressor*> Blocks::with_key(const std::string& name) const {
  std::vector<const Compressor*> with;
  for (const Compressor& compressor : compressors) {
    const bool has = std::any_of(compressor.uses.begin(), compressor.uses.end(),
                                 [&](const Use& use) { return use.key == name; });
    if (has) with.push_back(&compressor);
  }
  return with;
}

}  // namespace strobe::gen
