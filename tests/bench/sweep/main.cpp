// Measures the planner and the database of a sweep: it plans a million designs, stores ten thousand
// points, and collects in one process the runs of a thousand nodes. Exits with 1 beyond the limits
// in main().
//
// Usage: strobe-sweep-bench
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <functional>
#include <queue>
#include <random>
#include <vector>

#include "sw/explore/search/search.h"
#include "sw/explore/space/plan.h"
#include "sw/explore/store/store.h"

namespace {

namespace fs = std::filesystem;
using namespace strobe;
using namespace strobe::explore;

/// Processor time, so that other load on the machine does not count.
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
  text::Diagnostics faults;
  const auto space =
      Space::make(read_sweep_file((folder / "sweep.yaml").string(), &faults), &faults);
  if (!space) {
    fmt::print(stderr, "{}", text::to_text(faults));
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

StoreHeader header_of_the_bench() {
  StoreHeader header;
  header.name = "bench";
  header.axes = {{"profilers.0.rate", "", "", true}};
  header.objectives = {{"profilers.0.overlap", true, {}}, {"profilers.0.messages", false, {}}};
  return header;
}

/// Runs as a sweep has them: their result on disk, what the collector adds of each.
std::vector<RunRecord> make_runs(const Folder& sweep, int runs, int points_a_run) {
  using nlohmann::json;
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
  return records;
}

double import(const fs::path& folder, int runs, int points_a_run) {
  const Folder sweep{folder / "out"};
  const std::vector<RunRecord> records = make_runs(sweep, runs, points_a_run);
  Store store(sweep, header_of_the_bench());
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

/// A cluster whose nodes take the next run of an array by themselves; the one collector stores each
/// run that has ended, in the order of the ends. The runs' lengths are drawn, exponentially, and
/// the clock is simulated; what the collector does is done, and takes what it takes.
/// @return the share of the time in which the collector works
double cluster(const fs::path& folder, unsigned nodes, int runs, double mean_seconds) {
  const Folder sweep{folder / fmt::format("cluster-{}", mean_seconds)};
  const std::vector<RunRecord> records = make_runs(sweep, runs, 1);
  std::mt19937_64 random(1);
  std::exponential_distribution<double> length(1 / mean_seconds);
  std::priority_queue<double, std::vector<double>, std::greater<>> free;  // when each node is
  for (unsigned n = 0; n < nodes; ++n) free.push(0);
  std::vector<double> ends;
  for (int r = 0; r < runs; ++r) {
    ends.push_back(free.top() + length(random));
    free.pop();
    free.push(ends.back());
  }
  std::sort(ends.begin(), ends.end());
  Store store(sweep, header_of_the_bench());
  double clock = 0, worked = 0, late = 0;
  for (size_t r = 0; r < records.size(); ++r) {
    const auto begin = std::clock();
    store.begin();
    store.add(records[r], {});
    store.commit();
    const double took = seconds_since(begin);
    worked += took;
    clock = std::max(clock, ends[r]) + took;
    late = std::max(late, clock - ends[r]);
  }
  const double share = worked / clock;
  fmt::print(
      "cluster {} nodes, {} runs of {} s: the nodes end at {:.1f} s, the collector at {:.1f} s, is "
      "{:.2f} s behind at most and works {:.1f} % of the time\n",
      nodes, runs, mean_seconds, ends.back(), clock, late, 100 * share);
  return share;
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
  cluster(folder, 1000, 10'000, 2);  // where it begins to matter
  good = cluster(folder, 1000, 10'000, 10) < 0.5 && good;
  good = cluster(folder, 1000, 10'000, 60) < 0.1 && good;
  fs::remove_all(folder);
  return good ? 0 : 1;
}
