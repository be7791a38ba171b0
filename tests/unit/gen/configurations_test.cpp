// Does the table of named configurations say what was measured, and nothing that was not?
#include "sw/gen/configurations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "tests/unit/config/scratch.h"

namespace strobe::gen {
namespace {

using nlohmann::json;
using testing::HasSubstr;

const std::vector<NamedConfiguration> kTwo = {{"periodic", "one counter", "proven"},
                                              {"other", "two counters", "new"}};

json measured() {
  return json::parse(R"({"configurations": {"periodic": {
    "synthesis": {"storage_bits": 8, "logic_ge": 12345, "flip_flop_ge": 999, "memory_ge": 1000000,
      "memories": [{"width": 132, "depth": 64, "instances": 4, "source": "model"},
                   {"width": 8, "depth": 16, "instances": 1, "source": "flip-flops"}],
      "period_ns": 2.2, "period_fo4": 22.25, "ice40": {"luts": 4711, "block_rams": 6, "mhz": 61}},
    "quickstart": {"storage_bits": 8, "overlap": 0.94309, "overhead": 0.0948}}}})");
}

std::string row(const json& from, size_t number) {
  std::string text = configurations_table(kTwo, from, "../");
  for (size_t skip = 0; skip < number + 2; ++skip) text.erase(0, text.find('\n') + 1);
  return text.substr(0, text.find('\n'));
}

TEST(ConfigurationsTable, ShowsWhatWasMeasured) {
  EXPECT_EQ(row(measured(), 0),
            "| [`periodic`](../configs/profilers/periodic.yaml) | one counter | 8 | 12,345 | 999 | "
            "1,000,000: 4 of 64 x 132 (model), 16 x 8 (flip-flops) | 2.20 ns, 22.2 FO4 | 454 | "
            "4,711 LUT, 6 BRAM, 61 MHz | 94.31 % | 9.48 % | proven |");
}

TEST(ConfigurationsTable, SaysWhatWasNotMeasured) {
  std::string none;
  for (int column = 0; column < 9; ++column) none += " not measured |";
  EXPECT_EQ(row(measured(), 1),
            "| [`other`](../configs/profilers/other.yaml) | two counters |" + none + " new |");
  json partly = measured();
  partly["configurations"]["periodic"].erase("synthesis");
  EXPECT_THAT(row(partly, 0), HasSubstr("| 8 | not measured |"));
  EXPECT_THAT(row(partly, 0), HasSubstr("not measured | 94.31 % | 9.48 % |"));
}

TEST(ConfigurationsTable, SaysWhatDoesNotFitTheFpga) {
  json large = measured();
  large["configurations"]["periodic"]["synthesis"]["ice40"]["mhz"] = nullptr;
  EXPECT_THAT(row(large, 0), HasSubstr("4,711 LUT, 6 BRAM, does not fit |"));
}

TEST(Region, IsReplacedAndTheRestStays) {
  const std::string page = "a\n<!-- strobe-gen: x -->\nold\n<!-- strobe-gen: end -->\nb\n";
  const std::string next = with_region(page, "p.md", "x", "new\n");
  EXPECT_EQ(next, "a\n<!-- strobe-gen: x -->\nnew\n<!-- strobe-gen: end -->\nb\n");
  EXPECT_EQ(with_region(next, "p.md", "x", "new\n"), next);
}

TEST(Region, ThatIsNotThereIsNamed) {
  for (const char* page : {"a\n", "<!-- strobe-gen: x -->\n"}) {
    try {
      with_region(page, "p.md", "x", "");
      FAIL() << page;
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(),
                   "p.md: expected a line '<!-- strobe-gen: x -->' and after it '<!-- strobe-gen: "
                   "end -->'; put them where the generated text belongs");
    }
  }
}

TEST(ConfigurationsWords, AreReadAndAnUnknownKeyIsRefused) {
  const config::Scratch scratch;
  config::Diagnostics diagnostics;
  scratch.write("good.yaml", "configurations:\n  - { name: a, what: b, maturity: c }\n");
  const auto read = read_configurations(scratch.file("good.yaml"), &diagnostics);
  ASSERT_EQ(config::to_text(diagnostics), "");
  ASSERT_EQ(read.size(), 1u);
  EXPECT_EQ(read[0].name + read[0].what + read[0].maturity, "abc");

  scratch.write("bad.yaml", "configurations:\n  - { name: a, what: b, maturity: c, mature: d }\n");
  read_configurations(scratch.file("bad.yaml"), &diagnostics);
  EXPECT_THAT(config::to_text(diagnostics), HasSubstr("mature"));
}

}  // namespace
}  // namespace strobe::gen
