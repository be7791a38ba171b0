#include "sw/profile/reports/export.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <sstream>

namespace strobe::profile {
namespace {

Profile sample() {
  return Profile(Entries{{Tuple{0x10078, 0x1007c, 0}, 5},
                         {Tuple{0x10080, ~uint64_t{0}, 1}, 12},
                         {Tuple{0x10090, 0, 1}, 5}});
}

std::string csv(const Profile& profile, const SymbolOf& symbol_of) {
  std::ostringstream out;
  write_csv(profile, out, symbol_of);
  return out.str();
}

std::string json(const Profile& profile, const SymbolOf& symbol_of) {
  std::ostringstream out;
  write_json(profile, out, symbol_of);
  return out.str();
}

/// What a JSON reader makes of a symbol that went through write_json().
std::string round_trip(const std::string& symbol) {
  const Profile profile(Entries{{Tuple{1, 2, 3}, 4}});
  const auto document = nlohmann::json::parse(json(profile, [&](uint64_t) { return symbol; }));
  return document["entries"][0]["symbol"];
}

TEST(WriteCsv, ListsTheLargestCountFirst) {
  EXPECT_EQ(csv(sample(), [](uint64_t pc) { return pc == 0x10080 ? "main+0x8" : ""; }),
            "tag,pc,value,count,symbol\n"
            "1,0x10080,0xffffffffffffffff,12,main+0x8\n"
            "0,0x10078,0x1007c,5,\n"
            "1,0x10090,0x0,5,\n");
}

TEST(WriteCsv, OfNothingIsTheHeader) {
  EXPECT_EQ(csv(Profile(), nullptr), "tag,pc,value,count,symbol\n");
}

TEST(WriteCsv, QuotesWhatACsvReaderWouldMisread) {
  const Profile one(Entries{{Tuple{1, 2, 0}, 3}});
  const auto line = [&](const char* symbol) {
    return csv(one, [&](uint64_t) { return symbol; }).substr(26);
  };
  EXPECT_EQ(line("f(int, int)"), "0,0x1,0x2,3,\"f(int, int)\"\n");
  EXPECT_EQ(line("operator\"\"_x"), "0,0x1,0x2,3,\"operator\"\"\"\"_x\"\n");
  EXPECT_EQ(line("a\nb"), "0,0x1,0x2,3,a\\x0ab\n");
}

TEST(WriteCsv, IsNotTouchedByTheStreamsFormat) {
  std::ostringstream out;
  out << std::hex << std::showbase;
  write_csv(sample(), out, nullptr);
  EXPECT_EQ(out.str(), csv(sample(), nullptr));
}

TEST(WriteJson, IsReadByAJsonReader) {
  const auto document =
      nlohmann::json::parse(json(sample(), [](uint64_t) { return std::string("f"); }));
  EXPECT_EQ(document["schema_version"], 1);
  EXPECT_EQ(document["total"], 22);
  ASSERT_EQ(document["entries"].size(), 3u);
  EXPECT_EQ(document["entries"][0], (nlohmann::json{{"tag", 1},
                                                    {"pc", "0x10080"},
                                                    {"value", "0xffffffffffffffff"},
                                                    {"count", 12},
                                                    {"symbol", "f"}}));
}

TEST(WriteJson, OfNothingIsAnEmptyList) {
  EXPECT_EQ(json(Profile(), nullptr),
            "{\n  \"entries\": [],\n  \"schema_version\": 1,\n  \"total\": 0\n}\n");
}

TEST(WriteJson, EscapesAndKeepsUtf8) {
  for (const std::string symbol : {"a\"b\\c", "tab\t, bell\a, newline\n", "gr\xc3\xbc\xc3\x9f",
                                   "\xe2\x82\xac", "\xf0\x9f\x92\xa1", "\xed\x9f\xbf"}) {
    EXPECT_EQ(round_trip(symbol), symbol);
  }
}

TEST(WriteJson, ReplacesBytesThatAreNotUtf8) {
  const std::string mark = "\xef\xbf\xbd";
  EXPECT_EQ(round_trip("a\xff"
                       "b"),
            "a" + mark + "b");
  EXPECT_EQ(round_trip("\xc3"), mark);                                   // cut off
  EXPECT_EQ(round_trip("\xc0\x80"), mark + mark);                        // overlong
  EXPECT_EQ(round_trip("\xed\xa0\x80"), mark + mark + mark);             // surrogate
  EXPECT_EQ(round_trip("\xf4\x90\x80\x80"), mark + mark + mark + mark);  // above U+10FFFF
}

}  // namespace
}  // namespace strobe::profile
