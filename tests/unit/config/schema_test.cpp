// Do the schema and the reference page name every key there is?
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <regex>

#include "sw/config/json_schema.h"
#include "sw/config/load.h"
#include "sw/config/reference_page.h"

namespace strobe::config {
namespace {

/// One profiler of each kind, so that every key applies somewhere.
LoadResult everything() {
  return load_run_text(
      "workload: { elf: p.elf }\nprofilers: [{ name: a }, { name: b, kind: random }]\n", "t", {});
}

const nlohmann::json* find(const nlohmann::json& schema, const std::string& path) {
  const nlohmann::json* at = &schema;
  std::istringstream steps(path);
  for (std::string step; std::getline(steps, step, '.');) {
    const char* next =
        std::isdigit(static_cast<unsigned char>(step[0])) != 0 ? "items" : "properties";
    if (!at->contains(next)) return nullptr;
    at = &(*at)[next];
    if (std::string(next) == "items") continue;
    if (!at->contains(step)) return nullptr;
    at = &(*at)[step];
  }
  return at;
}

TEST(Schema, IsDraft7JsonAndNamesEveryKeyWithItsMeaning) {
  const auto schema = nlohmann::json::parse(json_schema());
  EXPECT_EQ(schema["$schema"], "http://json-schema.org/draft-07/schema#");
  const LoadResult loaded = everything();
  ASSERT_EQ(text::to_text(loaded.diagnostics), "");
  EXPECT_GT(loaded.values.size(), 80u);
  for (const EffectiveValue& value : loaded.values) {
    const nlohmann::json* at = find(schema, value.path);
    ASSERT_NE(at, nullptr) << value.path;
    EXPECT_EQ((*at)["description"], value.description) << value.path;
  }
}

TEST(Schema, CarriesRangesChoicesAndDefaults) {
  const auto schema = nlohmann::json::parse(json_schema());
  const auto& rate = *find(schema, "profilers.0.rate");
  EXPECT_EQ(rate["type"], "integer");
  EXPECT_EQ(rate["minimum"], 1);
  EXPECT_EQ(rate["maximum"], 4096);
  EXPECT_EQ(rate["default"], 256);
  EXPECT_EQ((*find(schema, "mode"))["enum"], (nlohmann::json{"functional", "timing", "sampled"}));
  EXPECT_EQ((*find(schema, "core"))["additionalProperties"], false);
}

TEST(Schema, OfAPartHasTheKeysOfItsPlaceInARunAndNeedsNoOtherSchema) {
  const auto run = nlohmann::json::parse(json_schema());
  for (const Part& part : parts()) {
    SCOPED_TRACE(part.name);
    const auto schema = nlohmann::json::parse(json_schema(part));
    EXPECT_EQ(schema.dump().find("$ref"), std::string::npos);
    const nlohmann::json* at = find(run, part.at);
    ASSERT_NE(at, nullptr);
    const auto keys = [](const nlohmann::json& object) {
      std::vector<std::string> names;
      const nlohmann::json& map = object.contains("items") ? object["items"] : object;
      for (const auto& [name, value] : map["properties"].items()) names.push_back(name);
      return names;
    };
    EXPECT_EQ(keys(schema), keys(*at));
    EXPECT_THAT(keys(schema), testing::Contains("include"));
  }
}

TEST(ReferencePage, NamesEveryKey) {
  const std::string page = reference_page();
  for (const EffectiveValue& value : everything().values) {
    const std::string path = std::regex_replace(value.path, std::regex("\\.[0-9]+"), ".N");
    EXPECT_THAT(page, testing::HasSubstr("| `" + path + "` |"));
  }
}

}  // namespace
}  // namespace strobe::config
