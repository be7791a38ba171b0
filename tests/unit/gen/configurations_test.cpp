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

// The row of a configuration in a text.
std::string row(const std::string& text, const std::string& name) {
  const size_t begin = text.find("| [`" + name + "`]");
  return begin == std::string::npos ? "no row of " + name
                                    : text.substr(begin, text.find('\n', begin) - begin);
}

std::string in_readme(const json& from, const std::string& name) {
  return row(configurations_table(kTwo, from, ""), name);
}

std::string hardware(const json& from, const std::string& name) {
  return row(configurations_page(kTwo, from), name);
}

std::string accuracy(const json& from, const std::string& name) {
  const std::string page = configurations_page(kTwo, from);
  return row(page.substr(page.find("## Accuracy and overhead")), name);
}

TEST(ConfigurationsTable, ShowsWhatWasMeasured) {
  EXPECT_EQ(in_readme(measured(), "periodic"),
            "| [`periodic`](configs/profilers/periodic.yaml) | one counter | 8 | 1013.3 kGE | "
            "454 MHz | 94.31 % | 9.48 % |");
}

TEST(ConfigurationsTable, SaysWhatWasNotMeasured) {
  const std::string none = " not measured | not measured | not measured | not measured |";
  EXPECT_EQ(in_readme(measured(), "other"),
            "| [`other`](configs/profilers/other.yaml) | two counters | not measured |" + none);
  json partly = measured();
  partly["configurations"]["periodic"].erase("synthesis");
  EXPECT_THAT(in_readme(partly, "periodic"),
              HasSubstr("| 8 | not measured | not measured | 94.31 % | 9.48 % |"));
}

TEST(ConfigurationsPage, ShowsHardwareAndAccuracyOfWhatWasMeasured) {
  EXPECT_EQ(hardware(measured(), "periodic"),
            "| [`periodic`](../../configs/profilers/periodic.yaml) | 12,345 | 999 | "
            "1,000,000: 4 of 64 x 132, 16 x 8 (flip-flops) | 2.20 ns, 22.2 FO4 | 454 | "
            "4,711 LUT, 6 BRAM, 61 MHz |");
  EXPECT_EQ(accuracy(measured(), "periodic"),
            "| [`periodic`](../../configs/profilers/periodic.yaml) | 8 | 94.31 % | 9.48 % |");
  EXPECT_THAT(configurations_page(kTwo, measured()),
              HasSubstr("\n- `periodic`: one counter. *proven.*\n- `other`:"));
}

TEST(ConfigurationsPage, SaysWhatWasNotMeasured) {
  std::string none;
  for (int column = 0; column < 6; ++column) none += " not measured |";
  EXPECT_EQ(hardware(measured(), "other"),
            "| [`other`](../../configs/profilers/other.yaml) |" + none);
  EXPECT_THAT(accuracy(measured(), "other"),
              HasSubstr("| not measured | not measured | not measured |"));
}

TEST(ConfigurationsPage, WrapsLongWords) {
  std::vector<NamedConfiguration> one = {{"a", "", "m"}};
  for (int i = 0; i < 40; ++i) one[0].what += "words ";
  one[0].what += "end";
  const std::string page = configurations_page(one, measured());
  const std::string words = page.substr(page.find("- `a`: "));
  EXPECT_EQ(words.find('\n'), 114u) << "17 columns are too few for another word";
  EXPECT_THAT(words, HasSubstr("words\n  words"));
  EXPECT_THAT(words, HasSubstr("words end. *m.*\n"));
}

TEST(ConfigurationsPage, SaysWhatDoesNotFitTheFpga) {
  json large = measured();
  large["configurations"]["periodic"]["synthesis"]["ice40"]["mhz"] = nullptr;
  EXPECT_THAT(hardware(large, "periodic"), HasSubstr("4,711 LUT, 6 BRAM, does not fit |"));
}

TEST(Region, IsReplacedAndTheRestStays) {
  const std::string page = "a\n<!-- strobe-gen: x -->\nold\n<!-- strobe-gen: end -->\nb\n";
  const std::string next = with_region(page, "p.md", "x", "new\n");
  EXPECT_EQ(next, "a\n<!-- strobe-gen: x -->\nnew\n<!-- strobe-gen: end -->\nb\n");
  EXPECT_EQ(with_region(next, "p.md", "x", "new\n"), next);
}

TEST(Region, OfAnotherLanguageStandsInItsComments) {
  EXPECT_EQ(with_region("  // strobe-gen: x\nold\n  // strobe-gen: end\nb\n", "m.sv", "x", "new\n"),
            "  // strobe-gen: x\nnew\n  // strobe-gen: end\nb\n");
}

TEST(Region, ThatIsNotThereIsNamed) {
  for (const char* page : {"a\n", "<!-- strobe-gen: x -->\n"}) {
    try {
      with_region(page, "p.md", "x", "");
      FAIL() << page;
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(),
                   "p.md: expected a comment 'strobe-gen: x' and after it 'strobe-gen: end', each "
                   "on a line of its own; put them where the generated text belongs");
    }
  }
}

TEST(ConfigurationsWords, AreReadAndAnUnknownKeyIsRefused) {
  const config::Scratch scratch;
  text::Diagnostics diagnostics;
  scratch.write("good.yaml", "configurations:\n  - { name: a, what: b, maturity: c }\n");
  const auto read = read_configurations(scratch.file("good.yaml"), &diagnostics);
  ASSERT_EQ(text::to_text(diagnostics), "");
  ASSERT_EQ(read.size(), 1u);
  EXPECT_EQ(read[0].name + read[0].what + read[0].maturity, "abc");

  scratch.write("bad.yaml", "configurations:\n  - { name: a, what: b, maturity: c, mature: d }\n");
  read_configurations(scratch.file("bad.yaml"), &diagnostics);
  EXPECT_THAT(text::to_text(diagnostics), HasSubstr("mature"));
}

}  // namespace
}  // namespace strobe::gen
