#include "sw/synth/design/block_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <stdexcept>

#include "sw/yaml/map_reader.h"
#include "sw/yaml/scalar.h"

namespace strobe::synth {
namespace {

void read_composed(yaml::MapReader* document, BlockList* list) {
  std::vector<std::string> known;
  for (const Point& point : list->blocks) known.push_back(point.module);
  const auto* items = document->list("composed");
  for (size_t i = 0; items != nullptr && i < items->size(); ++i) {
    std::string why;
    const std::string key = fmt::format("composed.{}", i);
    const auto name = yaml::text_of((*items)[i], &why);
    if (!name) {
      document->error((*items)[i].mark, key, why);
    } else if (std::find(known.begin(), known.end(), *name) == known.end()) {
      document->error((*items)[i].mark, key,
                      fmt::format("expected a module of the list of blocks, got {}{}",
                                  text::in_quotes(*name), text::did_you_mean(*name, known)));
    } else if (!list->composed.insert(*name).second) {
      document->error((*items)[i].mark, key, *name + " is listed twice");
    }
  }
}

}  // namespace

std::string Point::text() const {
  std::string result = module;
  for (const auto& [name, value] : parameters) result += fmt::format(" {}={}", name, value);
  return result;
}

Point parse_point(const std::string& text) {
  Point point;
  std::istringstream words(text);
  words >> point.module;
  for (std::string word; words >> word;) {
    const size_t equals = word.find('=');
    size_t used = 0;
    long value = 0;
    try {
      value = std::stol(word.substr(std::min(word.size(), equals + 1)), &used);
    } catch (const std::exception&) {
      used = 0;
    }
    if (equals == 0 || equals == std::string::npos || used == 0 || equals + 1 + used != word.size())
      throw std::invalid_argument(
          fmt::format("block {}: expected NAME=NUMBER after the module, got {}",
                      text::in_quotes(point.module), text::in_quotes(word)));
    point.parameters[word.substr(0, equals)] = value;
  }
  if (point.module.empty())
    throw std::invalid_argument("block: expected 'MODULE NAME=NUMBER ...', got nothing");
  return point;
}

BlockList read_blocks(const std::string& file, text::Diagnostics* diagnostics) {
  BlockList list;
  std::vector<Point>& points = list.blocks;
  yaml::Node root;
  if (!yaml::parse_yaml_file(file, file, nullptr, "", &root, diagnostics)) return list;
  yaml::MapReader document(root, "", diagnostics);
  const auto* items = document.list("blocks");
  for (size_t i = 0; items != nullptr && i < items->size(); ++i) {
    const std::string path = fmt::format("blocks.{}", i);
    yaml::MapReader reader((*items)[i], path, diagnostics);
    Point point;
    point.module = reader.text("module").value_or("");
    if (const yaml::Entry* entry = reader.find("parameters")) {
      for (const yaml::Entry& parameter : entry->value.entries) {
        std::string why;
        const auto value = yaml::integer_of(parameter.value, &why);
        if (!value) reader.error(parameter.value.mark, "parameters." + parameter.key, why);
        point.parameters[parameter.key] = static_cast<long>(value.value_or(0));
      }
    }
    reader.reject_unknown_keys();
    if (std::find(points.begin(), points.end(), point) != points.end())
      reader.error((*items)[i].mark, "", point.text() + " is listed twice");
    points.push_back(std::move(point));
  }
  read_composed(&document, &list);
  document.reject_unknown_keys();
  return list;
}

}  // namespace strobe::synth
