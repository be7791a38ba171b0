// What the planner and the database of a sweep cost: a million designs planned, ten thousand points
// stored. Exits 1 beyond the limits of docs/sweeps.md.
//
// Usage: strobe-sweep-bench
#include <fmt/format.h>
#include <sys/resource.h>

#include <ctime>
#include <filesystem>
#include <fstream>

#include "sw/explore/plan.h"
#include "sw/explore/search.h"
#include "sw/explore/store.h"

namespace {

namespace fs = std::filesystem;
using namespace strobe;
using namespace strobe::explore;

/// Of the processor, so that a busy machine does not count.
double seconds_since(std::clock_t begin) {
  return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

long peak_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss / 1024;
}

/// Reads, filters and groups; hashes every point, as a sweep that goes on does.
double plan(const fs::path& folder, const std::string& what, const std::string& axes) {
  std::ofstream(folder / "base.yaml")
      << "mode: functional\nworkload: { elf: a.elf }\nprofilers: [{ "
         "name: s, rate: 16 }, { name: r, kind: random }]\n";
  std::ofstream(folder / "sweep.yaml") << "base: base.yaml\n" + axes;
  const auto begin = std::clock();
  const long before = peak_megabytes();
  config::Diagnostics faults;
  const auto space =
      Space::make(read_sweep_file((folder / "sweep.yaml").string(), &faults), &faults);
  if (!space) {
    fmt::print(stderr, "{}", config::to_text(faults));
    return 1e9;
  }
  const Plan result = make_plan(*space, first_designs(*space), false);
  size_t distinct = 0;
  for (const uint64_t design : result.designs) {
    distinct += hash_text(space->identity(design)).size() / 32;
  }
  const double seconds = seconds_since(begin);
  fmt::print("plan    {:<24} {} points, {} runs: {:.2f} s, {} MB more\n", what, distinct,
             result.runs.size(), seconds, peak_megabytes() - before);
  return seconds;
}

double import(const fs::path& folder, int runs, int points_a_run) {
  using nlohmann::json;
  StoreHeader header;
  header.name = "bench";
  header.axes = {{"profilers.0.rate", "", "", true}};
  header.objectives = {{"profilers.0.overlap", true, {}}, {"profilers.0.messages", false, {}}};
  json result;
  for (int i = 0; i < 20; ++i) result[fmt::format("figure{}", i)] = i * 1.5;
  for (int i = 0; i < 150; ++i) result["counters"][fmt::format("core.counter{}", i)] = i;
  json profiler;
  for (int i = 0; i < 40; ++i) profiler[fmt::format("figure{}", i)] = i * 0.25;
  for (int i = 0; i < points_a_run; ++i) {
    profiler["name"] = fmt::format("o{}", i);
    profiler["overlap"] = 1.0 / (1 + i);
    profiler["messages"] = 1000 - i;
    result["profilers"].push_back(profiler);
  }
  std::vector<RunRecord> records;
  const Folder sweep{folder / "out"};
  for (int r = 0; r < runs; ++r) {
    RunRecord& record = records.emplace_back();
    record.id = fmt::format("run{}", r);
    write_whole(sweep.run(record.id) / "result.json", result.dump());
    for (int i = 0; i < points_a_run; ++i) {
      PointRecord& point = record.points.emplace_back();
      point.key = hash_text(fmt::format("{} {}", r, i));
      point.label = fmt::format("profilers.0.rate={}.{}", r, i);
      point.workload = "lz";
      point.settings = {r * 1000 + i};
      point.observed = {{static_cast<size_t>(i)}, {"mine"}};
    }
  }
  Store store(sweep, header);
  const auto begin = std::clock();
  for (const RunRecord& record : records) {
    store.begin();
    store.add(record, {});
    store.commit();
  }
  store.rate();
  const double added = seconds_since(begin);
  store.write_exports();
  fmt::print("import  {} points in {} runs: {:.2f} s, with points.csv and points.jsonl {:.2f} s\n",
             runs * points_a_run, runs, added, seconds_since(begin));
  return added;
}

}  // namespace

int main() {
  std::string pattern = (fs::temp_directory_path() / "strobe-sweep-bench-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) return 2;
  const fs::path folder = pattern;
  const std::string where = "where: profilers.0.strata * 4 >= profilers.0.rate\n";
  bool good =
      plan(folder, "observers",
           "grid: { profilers.0.strata: { pow2: [1, 512] }, profilers.0.rate: { linear: [1, "
           "1000, 1] }, profilers.1.rate: { linear: [1, 100, 1] } }\n") < 10;
  good = plan(folder, "a run each",
              "grid: { core.rob: { linear: [100, 1099, 1] }, core.load_queue: { linear: [1, 1000, "
              "1] } }\n") < 10 &&
         good;
  good =
      plan(folder, "observers, with where",
           "grid: { profilers.0.strata: { pow2: [1, 512] }, profilers.0.rate: { linear: [1, 1000, "
           "1] }, profilers.1.rate: { linear: [1, 100, 1] } }\n" +
               where) < 10 &&
      good;
  good = import(folder, 160, 64) < 10 && good;
  good = import(folder, 10'000, 1) < 30 && good;
  fs::remove_all(folder);
  return good ? 0 : 1;
}
