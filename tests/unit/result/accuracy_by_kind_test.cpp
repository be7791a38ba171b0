// One key for each kind of profile, whichever system collected it.
#include "sw/result/accuracy_by_kind.h"

#include <gtest/gtest.h>

#include "tests/unit/result/documented_keys.h"

namespace strobe::result {
namespace {

using nlohmann::json;

json profiler(const std::string& name, bool active, const json& tags) {
  return {{"name", name}, {"active", active}, {"tags", tags}};
}
json tag(const std::string& profile, double overlap) {
  return {{"profile", profile},
          {"overlap", overlap},
          {"overlap_90", overlap / 2},
          {"invariance_error", overlap / 4}};
}

TEST(AccuracyByKind, TheActiveProfilerComesBeforeThoseThatOnlyObserve) {
  const json result = {
      {"profile", nullptr},
      {"profilers",
       {profiler("watches", false, {{"0", tag("edge", 0.9)}, {"1", tag("call_target", 0.8)}}),
        profiler("costs", true, {{"0", tag("edge", 0.5)}, {"1", tag("value", 0.25)}})}}};
  const json found = accuracy_by_kind(result);
  EXPECT_EQ(found.at("edges"), json({{"overlap", 0.5},
                                     {"overlap_90", 0.25},
                                     {"invariance_error", 0.125},
                                     {"from", "costs"}}));
  EXPECT_EQ(found.at("values").at("from"), "costs");
  EXPECT_EQ(found.at("call_pairs").at("from"), "watches");
  EXPECT_EQ(found.size(), 3u);
  EXPECT_EQ(keys_of(found.at("edges")), documented_keys("### accuracy"));
}

TEST(AccuracyByKind, WhatTheHandlersCollectedComesFirst) {
  const json result = {
      {"profile",
       {{"edges", {{"overlap", 0.7}, {"overlap_90", 0.6}}},
        {"hot_streams", {{"subpaths", {{"overlap", 0.4}}}, {"symbols", {{"overlap", 0.3}}}}}}},
      {"profilers", {profiler("p", true, {{"0", tag("edge", 0.5)}})}}};
  const json found = accuracy_by_kind(result);
  EXPECT_EQ(found.at("edges").at("from"), "handlers");
  EXPECT_EQ(found.at("edges").at("overlap"), 0.7);
  EXPECT_EQ(found.at("hot_streams").at("overlap"), 0.4);
  EXPECT_TRUE(found.at("hot_streams").at("overlap_90").is_null());
  EXPECT_TRUE(found.at("hot_streams").at("invariance_error").is_null());
}

// An overlap that is null, of no events, stays null; addresses are no kind of their own.
TEST(AccuracyByKind, NothingIsNoZero) {
  json none = tag("value", 0);
  none["overlap"] = nullptr;
  const json result = {
      {"profile", nullptr},
      {"profilers", {profiler("p", false, {{"0", none}, {"1", tag("address", 0.5)}})}}};
  const json found = accuracy_by_kind(result);
  EXPECT_TRUE(found.at("values").at("overlap").is_null());
  EXPECT_EQ(found.size(), 1u);
  EXPECT_EQ(accuracy_by_kind({{"profile", nullptr}, {"profilers", json::array()}}), json::object());
}

}  // namespace
}  // namespace strobe::result
