#include "sw/synth/design/elaborated.h"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "sw/synth/design/cache.h"
#include "sw/synth/tools/files.h"

namespace strobe::synth {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

json elaborated(const Point& point) {
  return cached("elaborated to numbers\n" + rtl_hash() + point.text(), [&](const fs::path&) {
    const Design design = elaborate(point);
    return json{{"modules", design.source_modules()}, {"point", design.point().text()}};
  });
}

}  // namespace

std::set<std::string> source_modules(const Point& point) {
  return elaborated(point)["modules"].get<std::set<std::string>>();
}

Point whole_point(const Point& point) {
  return parse_point(elaborated(point)["point"].get<std::string>());
}

std::vector<Point> elaborated_blocks(const Point& point) {
  const json texts = cached("blocks\n" + rtl_hash() + point.text(), [&](const fs::path&) {
    json list = json::array();
    for (const Point& part : elaborate(point).blocks()) list.push_back(part.text());
    return list;
  });
  std::vector<Point> points;
  for (const json& text : texts) points.push_back(parse_point(text));
  return points;
}

}  // namespace strobe::synth
