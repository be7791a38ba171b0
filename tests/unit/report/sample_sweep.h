// A sweep's directory as strobe sweep leaves it, of made-up results: 2 x N designs on two
// workloads.
#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <string>

#include "sw/explore/store/store.h"

namespace strobe::report {

struct SampleSweep {
  size_t rates = 3;             // designs are two hashes times so many rates
  std::string workload = "lz";  // name of the first workload; the second is "lisp"
  bool objectives = true;
  size_t progress = 0;  // lines of progress.csv a run
  uint64_t seeds = 1;   // each moves the overlap by its distance to the middle one, in hundredths
  std::string failed_rate;  // the label of a design whose runs fail, "rate=32 hash=h3"

  std::string question;  // the lines of the sweep file that ask it
  bool ended = true;

  explore::StoreHeader header() const {
    explore::StoreHeader header;
    header.name = "sample";
    header.file = "# Which hash?\n#   strobe sweep sample.yaml\nbase: base.yaml\n" + question;
    header.base = "base.yaml";
    header.search = "exhaustive";
    header.version = "0.1.0";
    header.git_id = "abc123";
    header.axes = {{"profilers.0.rate", "events", "Events a message.", true},
                   {"profilers.0.hash", "", "Hash of the strata.", false}};
    if (objectives) {
      header.objectives = {{"profilers.0.overlap", true, {}},
                           {"profilers.0.messages", false, {}},
                           {"cycles", false, {}}};
    }
    std::string error;
    explore::Condition& condition = header.constraints.emplace_back();
    if (!explore::Expression::parse("profilers.0.messages < 50000", &condition.expression,
                                    &error)) {
      throw std::invalid_argument(error);
    }
    return header;
  }

  /// Overlap falls with the rate, messages fall faster, paper is better than h3 by a little.
  nlohmann::json result(size_t rate, const std::string& hash, size_t place, uint64_t seed) const {
    const double overlap = 1 - 0.001 * static_cast<double>(rate % 997) - (hash == "h3" ? 0.01 : 0) -
                           0.1 * static_cast<double>(place) +
                           0.01 * (static_cast<double>(seed) - static_cast<double>(seeds + 1) / 2);
    return {
        {"instructions", 1000000},
        {"cycles", 1000 + 100 * place + (hash == "h3" ? 0 : 1)},
        {"overhead_measured", 0.05},
        {"counters", {{"core.cpi.base", 600}, {"core.cpi.handler", 400}, {"core.cpi.fu", 0}}},
        {"profilers", {{{"name", "mine"}, {"overlap", overlap}, {"messages", 1000000 / rate}}}}};
  }

  void write(const std::filesystem::path& directory) const {
    const explore::Folder folder{directory};
    std::filesystem::create_directories(folder.root);
    explore::Store store(folder, header());
    store.plan(2 * 2 * rates * seeds);
    store.begin();
    for (size_t i = 0; i < rates; ++i) {
      for (const char* hash : {"paper", "h3"}) {
        for (size_t place = 0; place < 2; ++place) {
          for (uint64_t seed = 1; seed <= seeds; ++seed) {
            add(store, folder, 16 * (i + 1), hash, place, seed);
          }
        }
      }
    }
    store.commit();
    if (ended) store.end();
    store.rate();
  }

 private:
  void add(explore::Store& store, const explore::Folder& folder, size_t rate,
           const std::string& hash, size_t place, uint64_t seed) const {
    explore::RunRecord record;
    record.id = fmt::format("{:08x}{:08x}{:016x}", (hash == "h3" ? 2 : 0) + place, seed, rate);
    record.command = {"strobe", "run", record.id + ".yaml"};
    explore::PointRecord& point = record.points.emplace_back();
    point.key = "key-" + record.id;
    point.label = fmt::format("rate={} hash={}", rate, hash);
    point.workload = place == 0 ? workload : "lisp";
    point.seed = seed;
    point.settings = {rate, hash};
    point.observed = {{0}, {"mine"}};
    explore::write_whole(folder.job(record.id, ".yaml"),
                         fmt::format("# The effective configuration\ncore:\n  rob: 64\nprofilers:\n"
                                     "  - name: mine\n    rate: {}\n    hash: {}\n  - name: other\n"
                                     "    rate: 1\nseed: 1\n",
                                     rate, hash));
    explore::write_whole(folder.job(record.id, ".json"), nlohmann::json(record).dump());
    explore::RunEnd end;
    if (point.label == failed_rate) {
      end.status = "timeout";
      end.reason = "it took more than 5 s";
    } else {
      explore::write_whole(folder.run(record.id) / "result.json",
                           result(rate, hash, place, seed).dump());
      if (progress > 0) write_progress(folder.run(record.id) / "progress.csv");
    }
    store.add(record, end);
  }

  void write_progress(const std::filesystem::path& file) const {
    std::string text = "header\n";
    for (size_t i = 1; i <= progress; ++i) {
      text += fmt::format("mine,{},{},{},,{},0,0\n", 100 * i, 10 * i, i,
                          1 - 1.0 / static_cast<double>(i + 1));
    }
    explore::write_whole(file, text);
  }
};

}  // namespace strobe::report
