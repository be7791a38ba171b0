// The worst run files and sweep files up to the limits of the YAML reader.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "sw/config/load.h"
#include "sw/explore/space/space.h"
#include "sw/explore/space/sweep_file.h"
#include "tests/security/amplification.h"

namespace strobe::security {
namespace {

namespace fs = std::filesystem;

constexpr size_t kLargest = 768 << 10;  // bytes of a file
const std::string kMore = " more faults, which are not shown";

/// Files in a folder of their own.
class Files {
 public:
  Files() {
    if (mkdtemp(folder_.data()) == nullptr) throw std::runtime_error("mkdtemp failed");
  }
  ~Files() { fs::remove_all(folder_); }
  Files(const Files&) = delete;
  Files& operator=(const Files&) = delete;

  std::string write(const std::string& name, const std::string& text) const {
    const fs::path path = fs::path(folder_) / name;
    std::ofstream(path, std::ios::binary) << text;
    return path.string();
  }

 private:
  std::string folder_ = (fs::temp_directory_path() / "strobe-costs-XXXXXX").string();
};

std::string faults_of_run(const std::string& text) {
  return text::to_text(config::load_run_text(text, "t.yaml", {}).diagnostics);
}

/// As many parts as a file may have bytes, between a beginning and an end.
std::string filled(const std::string& begin, const std::string& part, const std::string& end) {
  return begin + repeated(part, (kLargest - begin.size() - end.size()) / part.size()) + end;
}

void expect_cheap_run(const std::string& text, const std::string& sentence) {
  ASSERT_LE(text.size(), kLargest);
  expect_cheap(
      text.substr(0, 20), [&] { return faults_of_run(text); }, sentence);
}

TEST(Amplification, YamlListsOfWhatIsNoSection) {
  expect_cheap_run("profilers: [" + repeated("0,", 60'000) + "0]\n",
                   "profilers: the list is too long: expected at most 4096 items");
  expect_cheap_run("profilers: [" + repeated("0,", 4095) + "0]\n", kMore);
  expect_cheap_run("profilers: [" + repeated("{},", 4095) + "{}]\n", kMore);
  expect_cheap_run("workload: { args: [" + repeated("[],", 90'000) + "] }\n", kMore);
  expect_cheap_run(filled("profilers: [", "0,", "0]\n"), "expected at most 200000 values");
}

TEST(Amplification, YamlProfilersThatAreAllWrong) {
  const std::string one = "{name: p,kind: stratified,rate: 3,queue_depth: 3,selectors: [{}]},";
  expect_cheap_run("profilers: [" + repeated(one, 4095) + "]\n", kMore);
}

TEST(Amplification, YamlKeysThatAreUnknownOrDouble) {
  std::string keys;
  for (int i = 0; i < 69'000; ++i) keys += "k" + std::to_string(i) + ": 0\n";
  expect_cheap_run(keys, kMore);
  expect_cheap_run(repeated("seed: 0\n", 90'000), kMore);
  std::string deep = "core:\n  " + std::string(250, 'k') + ":\n";
  expect_cheap_run(deep + repeated("    seed: 0\n", 60'000), kMore);
}

TEST(Amplification, YamlNestingTagsAndAnchors) {
  for (const char* part : {"[", "{", "[{", "{a: ", "- ", "? ", "a: ", "{? ", "[a, ", "{a, "}) {
    expect_cheap_run(filled("", part, ""), "error: ");
  }
  expect_cheap_run(filled("a: [", "&x 0,", "0]\n"), "error: ");
  expect_cheap_run("a: &x 0\nb: [" + repeated("*x,", 190'000) + "0]\n", kMore);
  expect_cheap_run("b: [" + repeated("!t 0,", 150'000) + "0]\n", kMore);
}

TEST(Amplification, YamlTextWithoutValues) {
  expect_cheap_run(filled("", "\n", ""), "error: ");
  expect_cheap_run(filled("", "#\n", ""), "error: ");
  expect_cheap_run(filled("", "a", ""), "error: ");
  expect_cheap_run(filled("\"", "a", "\""), "error: ");
  expect_cheap_run(filled("\"", "\\x41", "\""), "error: ");
  expect_cheap_run(filled("", "a", ": 0"), "error: ");
  expect_cheap_run(filled("a: |\n", "  b\n", ""), "error: ");
  expect_cheap_run(filled("a: >\n", "  b\n\n", ""), "error: ");
  expect_cheap_run(filled("a: \"", "b\n  ", "\""), "error: ");
  expect_cheap_run(filled("", "---\n", ""), "error: ");
  expect_cheap_run(filled("", "%a b\n", ""), "error: ");
}

TEST(Amplification, YamlIncludes) {
  const Files files;
  std::string keys;
  for (int i = 0; keys.size() < kLargest - 20; ++i) keys += "k" + std::to_string(i) + ": 0\n";
  std::string run = "workload: { elf: p.elf }\n";
  for (int i = 0; i < 20; ++i) {
    const std::string name = "large" + std::to_string(i) + ".yaml";
    files.write(name, keys);
    run += "a" + std::to_string(i) + ": { include: " + name + " }\n";
  }
  const std::string large = files.write("run.yaml", run);
  expect_cheap(
      "20 includes of 1 MB",
      [&] { return text::to_text(config::load_run_config(large, {}).diagnostics); },
      "the included files are too large: expected at most 524288 bytes");

  files.write("small.yaml", "seed: 1\n");
  std::string many;
  for (int i = 0; i < 20'000; ++i) many += "a" + std::to_string(i) + ": {include: small.yaml}\n";
  expect_cheap(
      "20,000 includes",
      [&, run = files.write("many.yaml", many)] {
        return text::to_text(config::load_run_config(run, {}).diagnostics);
      },
      "too many includes: expected at most 1000 included files");

  const std::string names = "core: [" + repeated("{core: x},", 60'000) + "]\n";
  expect_cheap(
      "60,000 names",
      [&, run = files.write("names.yaml", names)] {
        return text::to_text(config::load_run_config(run, {}).diagnostics);
      },
      kMore);

  for (int i = 0; i < 31; ++i) {
    files.write(
        "chain" + std::to_string(i) + ".yaml",
        "include: chain" + std::to_string(i + 1) + ".yaml\nb" + std::to_string(i) + ": 0\n");
  }
  files.write("chain31.yaml", keys.substr(0, keys.rfind('\n', 500'000) + 1));
  expect_cheap(
      "a chain of includes",
      [&, run = files.write("chain.yaml", "include: chain0.yaml\n")] {
        return text::to_text(config::load_run_config(run, {}).diagnostics);
      },
      kMore);
}

std::string faults_of_sweep(const std::string& path) {
  text::Diagnostics diagnostics;
  explore::SweepFile file = explore::read_sweep_file(path, &diagnostics);
  if (diagnostics.empty()) explore::Space::make(std::move(file), &diagnostics);
  return text::to_text(diagnostics);
}

TEST(Amplification, Sweeps) {
  const Files files;
  files.write("base.yaml", "workload: { elf: p.elf }\n");
  const auto expect_cheap_sweep = [&](const std::string& what, const std::string& text,
                                      const std::string& sentence) {
    const std::string path = files.write("sweep.yaml", "base: base.yaml\n" + text);
    expect_cheap(
        what, [&] { return faults_of_sweep(path); }, sentence);
  };
  expect_cheap_sweep("ranges", "grid: { seed: { linear: [1, 99_000, 1] } }\n", "");
  expect_cheap_sweep(
      "ranges beyond the limit",
      "grid: { seed: { linear: [1, 500_000, 1] }, interval: { linear: [1, 500_000, 1] } }\n",
      "the axes have too many values: expected at most 100000 values");
  expect_cheap_sweep("seeds", "seeds: { linear: [1, 99_000, 1] }\n", "");
  std::string list = "list:\n";
  for (int i = 0; i < 20'000; ++i) list += "- { name: n" + std::to_string(i) + ", k: 0 }\n";
  expect_cheap_sweep("names", list, "error: ");
  list = "list:\n";
  for (int i = 0; i < 20'000; ++i) list += "- { k" + std::to_string(i) + ": 0 }\n";
  expect_cheap_sweep("keys of a list", list, "too many axes: expected at most 1000");
  std::string grid = "grid:\n";
  for (int i = 0; i < 20'000; ++i) grid += "  k" + std::to_string(i) + ": [0]\n";
  expect_cheap_sweep("axes", grid, "too many axes: expected at most 1000");
  std::string workloads = "workloads:\n";
  for (int i = 0; i < 20'000; ++i) {
    workloads += "- { name: w" + std::to_string(i) + ", elf: p.elf }\n";
  }
  expect_cheap_sweep("workloads", workloads, "too many workloads: expected at most 500");
  workloads = workloads.substr(0, workloads.find("- { name: w500,"));
  expect_cheap_sweep("500 workloads", workloads, "");
  files.write("base.yaml", "workload: { elf: p.elf, args: [" + repeated("0,", 90'000) + "] }\n");
  expect_cheap_sweep("500 workloads of a large run file", workloads,
                     "the run files of all workloads are too large");
  expect_cheap_sweep("values of a large run file", "grid: { seed: { linear: [1, 1000, 1] } }\n",
                     "");
}

}  // namespace
}  // namespace strobe::security
