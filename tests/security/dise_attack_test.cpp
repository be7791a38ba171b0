// Damaged production files: each assembles or gets faults, within bounds of time and memory.
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/security/nightly.h"
#include "tests/security/parser_attack.h"
#include "tests/tree.h"

namespace strobe::security {
namespace {

TEST(DiseAttack, ShippedFilesDamagedAnywhereAssembleOrGetFaults) {
  std::vector<Bytes> seeds;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(in_source("configs"))) {
    if (entry.path().extension() == ".dise") seeds.push_back(content(entry.path().string()));
  }
  ASSERT_GT(seeds.size(), 5u);
  EXPECT_EQ(attack(rounds(2000, 9200), [&](auto& random) { return mutated(seeds, random); }), "");
}

TEST(DiseAttack, HostileFilesAssembleOrGetFaults) {
  std::vector<Bytes> files;
  for (const size_t size : {size_t{1} << 16, size_t{1} << 20}) {
    for (const char c : {'(', '\0', '\n', 'a', '9', '\xff', '"', '.', ':', '#'}) {
      files.emplace_back(size, c);
    }
  }
  EXPECT_EQ(attack(files), "");
}

}  // namespace
}  // namespace strobe::security
