// Damaged YAML files: each loads or gets diagnostics, within bounds of time and memory.
#include <gtest/gtest.h>

#include <filesystem>

#include "sw/config/load.h"
#include "tests/security/nightly.h"
#include "tests/security/parser_attack.h"
#include "tests/tree.h"

namespace strobe::security {
namespace {

namespace fs = std::filesystem;

/// Every YAML file that Strobe comes with, and of every run file what it comes to, includes and
/// defaults in it.
std::vector<Bytes> shipped_files() {
  std::vector<Bytes> files;
  for (const auto& entry : fs::recursive_directory_iterator(in_source("configs"))) {
    if (entry.path().extension() != ".yaml") continue;
    files.push_back(content(entry.path().string()));
    const config::LoadResult loaded = config::load_run_config(entry.path().string(), {});
    if (loaded.good()) files.push_back(loaded.effective);
  }
  return files;
}

Bytes repeated(const Bytes& text, size_t times) {
  Bytes all;
  for (size_t i = 0; i < times; ++i) all += text;
  return all;
}

/// What YAML parsers are known to trip over.
std::vector<Bytes> hostile_files() {
  Bytes aliases = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 20; ++i) {
    const Bytes before = "*a" + std::to_string(i - 1);
    aliases += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" +
               repeated(before + ", ", 8) + before + "]\n";
  }
  Bytes indented;
  for (size_t depth = 0; depth < 2000; ++depth) indented += Bytes(depth, ' ') + "a:\n";
  return {
      aliases,
      indented,
      repeated("[", 100000),
      repeated("{", 100000),
      repeated("{a: ", 20000),
      repeated("[", 50000) + repeated("]", 50000),
      repeated("- ", 100000),
      repeated("? ", 100000),
      repeated("!", 100000),
      repeated("&a ", 50000),
      Bytes(1 << 19, 'k') + ": 1\n",
      "seed: " + Bytes(1 << 19, '9') + "\n",
      "core: { name: \"" + Bytes(1 << 19, 'n') + "\" }\n",
      "workload: { elf: \"" + repeated("\\xff", 10000) + "\" }\n",
      "\xff\xfe\x00s\x00"
      "e",
      "seed: \xc3\x28\n",
      "\xed\xa0\x80: \xf8\x88\x80\x80\x80\n",
      Bytes(1 << 19, '\0'),
      "--- 1\n--- 2\n",
      "%YAML 9.9\n---\nseed: 1\n",
      "<<: *nobody\n",
      "a: &a { b: *a }\n",
      "seed: !!binary AAAA\n",
      "? [a, b]\n: 1\n",
      repeated("seed: 1\n", 50000),
      Bytes((1 << 20) + 1, '#'),
  };
}

TEST(ConfigAttack, HostileFilesLoadOrGetDiagnostics) { EXPECT_EQ(attack(hostile_files()), ""); }

TEST(ConfigAttack, ShippedFilesDamagedAnywhereLoadOrGetDiagnostics) {
  const std::vector<Bytes> seeds = shipped_files();
  ASSERT_GT(seeds.size(), 50u);
  EXPECT_EQ(attack(rounds(1500, 39000), [&](auto& random) { return mutated(seeds, random); }), "");
}

TEST(ConfigAttack, PiecesOfHostileFilesInShippedOnesLoadOrGetDiagnostics) {
  std::vector<Bytes> seeds = shipped_files();
  for (Bytes& hostile : hostile_files()) seeds.push_back(hostile.substr(0, 4096));
  EXPECT_EQ(attack(rounds(500, 10000), [&](auto& random) { return mutated(seeds, random); }), "");
}

}  // namespace
}  // namespace strobe::security
