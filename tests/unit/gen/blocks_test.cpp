// The descriptions of configs/blocks: what they give, and what is refused, with its place.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "sw/gen/blocks/block.h"
#include "sw/gen/emit/emit_blocks.h"
#include "tests/tree.h"
#include "tests/unit/config/scratch.h"

namespace strobe::gen {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

/// Three compressors of configs/blocks, with some texts of a file replaced. A compressor that
/// is added does not change what these tests expect.
class Changed {
 public:
  Changed() {
    for (const char* file : {"path.yaml", "stratified.yaml", "tagged.yaml", "associative.yaml"}) {
      scratch_.write(file, config::read_whole(in_source(std::string("configs/blocks/") + file)));
    }
  }
  Changed& in(const std::string& file, const std::string& old, const std::string& text) {
    std::string whole = config::read_whole(scratch_.file(file));
    const size_t at = whole.find(old);
    EXPECT_NE(at, std::string::npos) << file << " has no '" << old << "'";
    scratch_.write(file, whole.replace(at, old.size(), text));
    return *this;
  }
  Changed& add(const std::string& file, const std::string& text) {
    scratch_.write(file, text);
    return *this;
  }
  std::string faults() const {
    text::Diagnostics diagnostics;
    const bool good = read_blocks(folder(), &diagnostics).has_value();
    EXPECT_EQ(good, diagnostics.empty());
    return text::to_text(diagnostics);
  }
  Blocks blocks() const {
    text::Diagnostics diagnostics;
    const auto blocks = read_blocks(folder(), &diagnostics);
    if (!blocks) throw std::runtime_error(text::to_text(diagnostics));
    return *blocks;
  }

 private:
  std::string folder() const { return fs::path(scratch_.file("x")).parent_path().string(); }
  config::Scratch scratch_;
};

TEST(Blocks, ShippedOnesAreRead) {
  const Blocks blocks = Changed().blocks();
  std::vector<std::string> names;
  for (const Compressor& block : blocks.compressors) names.push_back(block.name);
  EXPECT_THAT(names, ElementsAre("stratified", "tagged", "associative"));
  // A key that only one compressor has stands before the next one of its file that others have too.
  EXPECT_THAT(blocks.keys, ElementsAre("strata", "entries", "counter_width", "sampler", "hash",
                                       "banks", "ways", "tag_bits", "miss_width"));
  EXPECT_EQ(blocks.compressors[1].settings[0].number_bits, 16u) << "up to the next field";
  EXPECT_EQ(blocks.compressors[1].settings[1].number_bits, 48u) << "up to bit 63";
}

TEST(Blocks, UnknownKeysNamesAndExpressionsAreRefusedWithTheirPlace) {
  EXPECT_THAT(Changed().in("tagged.yaml", "latency: 3", "latncy: 3").faults(),
              testing::AllOf(HasSubstr("tagged.yaml:6:1: error: latncy: unknown key (did you mean "
                                       "'latency'?)"),
                             HasSubstr("latency: missing key")));
  EXPECT_THAT(Changed().in("tagged.yaml", "  - hash\n", "  - hsah\n").faults(),
              HasSubstr("parameters.2: expected a parameter of path.yaml or one with a "
                        "description, got 'hsah' (did you mean 'hash'?)"));
  EXPECT_THAT(Changed().in("tagged.yaml", "storage: strata", "storage: starta").faults(),
              HasSubstr("storage: expected the name of a parameter or of a choice, got 'starta "));
  EXPECT_THAT(Changed().in("tagged.yaml", "HitWidth=CounterWidth", "HitWidth=Width").faults(),
              HasSubstr("expected a parameter of the path, got 'Width'"));
  EXPECT_THAT(Changed().in("tagged.yaml", "MissWidth=2 SecondEntries=16", "MisWidth=2").faults(),
              HasSubstr("path_points: expected Name=value of a parameter, got 'MisWidth=2'"));
  EXPECT_THAT(Changed().in("stratified.yaml", "default: periodic", "default: periodical").faults(),
              HasSubstr("default: expected one of periodic, random, countdown, counted_random, got "
                        "'periodical' (did you mean 'periodic'?)"));
}

TEST(Blocks, KindsAndNamesAreUnique) {
  EXPECT_THAT(Changed().in("tagged.yaml", "kind: 2", "kind: 4").faults(),
              HasSubstr("kind: expected the kinds 1 to 3, each once, got 3 for associative"));
  EXPECT_THAT(Changed().in("tagged.yaml", "- name: ways", "- name: banks").faults(),
              HasSubstr("a second parameter of this name, expected a name of its own; a parameter "
                        "of several compressors belongs to shared_parameters of path.yaml"));
}

TEST(Blocks, CapabilitiesOfOneKindDoNotOverlap) {
  EXPECT_THAT(Changed().in("tagged.yaml", "bits: \"39:32\"", "bits: \"38:31\"").faults(),
              HasSubstr("tag_bits overlaps ways in CAP2, expected bits of its own"));
  EXPECT_EQ(Changed().in("tagged.yaml", "bits: \"39:32\"", "bits: \"7:0\"").faults(), "")
      << "a stratified one has its sampler there";
}

TEST(Blocks, RegistersOfACompressorAreLockedNumbers) {
  EXPECT_THAT(Changed().in("tagged.yaml", "    regwen: true\n", "").faults(),
              HasSubstr("registers.0: expected access: rw, regwen: true and one register"));
  EXPECT_THAT(Changed().in("tagged.yaml", "        reset: 8\n", "").faults(),
              HasSubstr("expected at most 32 bits and a reset"));
}

TEST(Blocks, APointOfACompressorIsOneOfThePath) {
  EXPECT_THAT(path_points(Changed().blocks()),
              HasSubstr("\"QueueDepth=8 Strata=32 CounterWidth=4 BufferDepth=8 Compressor=1 "
                        "MissWidth=2 SecondEntries=16\""));
}

TEST(Blocks, TheValuesBesideARangeAreRefused) {
  const std::string refused = refused_points(Changed().blocks());
  for (const char* point : {"strobe_tagged_sampler TagBits=0", "strobe_tagged_sampler TagBits=17",
                            "strobe_tagged_sampler HitWidth=13", "strobe_compressor Compressor=3",
                            "strobe_stratified_sampler Hash=5"}) {
    EXPECT_THAT(refused, HasSubstr(std::string("refused ") + point + "\n"));
  }
}

TEST(Blocks, RegistersJoinTheMapByTheirOffsets) {
  text::Diagnostics diagnostics;
  auto map = read_register_map(in_source("configs/registers.yaml"), &diagnostics);
  ASSERT_TRUE(map);
  add_blocks(Changed().blocks(), &*map);
  const auto named = [&](const char* name) {
    return std::find_if(map->registers.begin(), map->registers.end(),
                        [&](const Register& reg) { return reg.name == name; });
  };
  ASSERT_NE(named("EVICTION"), map->registers.end());
  EXPECT_EQ((named("EVICTION") - 1)->name, "SEED");
  EXPECT_EQ(named("CAP2")->fields.size(), 8u);
  EXPECT_EQ(named("CAP1")->fields[2].description,
            "1 stratified sampler, 2 tagged sampler, 3 associative table.");
}

}  // namespace
}  // namespace strobe::gen
