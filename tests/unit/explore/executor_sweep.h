// A sweep of one run whose process can be started again. A double makes the runs and leaves the
// files that `strobe run` leaves.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <memory>

#include "sw/explore/launch/executor.h"
#include "sw/explore/launch/left_behind.h"
#include "sw/explore/search/search.h"
#include "sw/files/checksums.h"
#include "tests/unit/config/scratch.h"

namespace strobe::explore {

namespace fs = std::filesystem;
using nlohmann::json;

/// Leaves a result as `strobe run` does.
class Runs final : public Launcher {
 public:
  explicit Runs(Folder folder) : folder_(std::move(folder)) {}

  using Launcher::run;
  void run(const NextLaunch& next, const OnEnd& on_end, const std::atomic<int>& /*stop*/) override {
    while (const std::optional<Launch> given = next()) {
      const Launch& launch = *given;
      ++count;
      before();
      if (launch.command[1] == "synth") {
        const json cells = {{"logic_um2", area},
                            {"flip_flop_um2", 0},
                            {"memory_um2", 0},
                            {"gate_um2", 1},
                            {"period_ns", 2}};
        const json block = {{"cells", cells}};
        const json report = {{"inputs", synthesis_inputs}, {"blocks", json::array({block})}};
        write_whole(launch.output, report.dump());
        on_end(launch, {});
        continue;
      }
      write_whole(launch.log, "strobe: error: it went wrong\n");
      json manifest = {{"stdin", nullptr}, {"productions", json::array()}, {"rtl", rtl}};
      for (const auto& [key, file] : inputs) manifest[key] = identity_of(file);
      write_whole(folder_.run(launch.id) / "result.json",
                  json{{"end", end},
                       {"counters", json::object()},
                       {"cycles", 7},
                       {"profilers",
                        {{{"name", "s"}, {"conserved", true}},
                         {{"name", "of another point"}, {"conserved", true}}}}}
                      .dump());
      write_whole(folder_.run(launch.id) / "config.yaml",
                  config::load_run_config(launch.command[2], {}).portable);
      manifest["files"] = files::checksums_of(folder_.run(launch.id));
      write_whole(folder_.run(launch.id) / "manifest.json", manifest.dump());
      const int code = end == "exited" ? 0 : end == "limit" ? 4 : 3;
      after();
      on_end(launch, end_of(code, 0, launch.log));
    }
  }

  int count = 0;
  std::map<std::string, fs::path> inputs;  // by key of the manifest
  std::function<void()> before = [] {}, after = [] {};
  json synthesis_inputs;  // the files that a synthesis reports as read
  json rtl;               // the RTL that a run reports as simulated
  int area = 100;
  std::string end = "exited";  // the next runs', as result.json names it

 private:
  Folder folder_;
};

class Executors : public testing::Test {
 protected:
  Executors() {
    scratch_.write("a.elf", "the program");
    scratch_.write("firmware.elf", "the firmware");
    scratch_.write("strobe", "the simulator");
    runs_.inputs = {{"strobe", scratch_.file("strobe")},
                    {"elf", scratch_.file("a.elf")},
                    {"firmware", scratch_.file("firmware.elf")}};
    fs::create_directories(folder_.root);
    write_sweep("rate: [16]", "a.elf");
  }

  void write_sweep(const std::string& axis, const std::string& elf) {
    scratch_.write("base.yaml", "mode: functional\nworkload: { elf: " + elf +
                                    " }\nprofilers: [{ name: s, rate: 8 }]\n");
    sweep_ = scratch_.write("sweep.yaml", "base: base.yaml\ngrid: { profilers.0." + axis + " }\n");
  }
  /// The sweep from a new process. @return how many runs it made
  int sweep(bool retry_failed = false) {
    text::Diagnostics faults;
    const auto space = Space::make(read_sweep_file(sweep_, &faults), &faults);
    EXPECT_TRUE(space && faults.empty()) << text::to_text(faults);
    StoreHeader header;
    header.file = "the same";
    store_.reset();
    store_ = std::make_unique<Store>(folder_, header);
    Environment environment;
    environment.strobe = scratch_.file("strobe");
    environment.firmware = scratch_.file("firmware.elf");
    environment.rtl = [this](const config::RunConfig&) { return rtl_; };
    environment.rtl_build = [](const config::RunConfig&) { return std::string(); };
    ExecutorOptions options;
    options.retry_failed = retry_failed;
    options.warn = [this](const std::string& text) { warnings_.push_back(text); };
    warnings_.clear();
    environment.synthesis_inputs = synthesis_inputs_;
    environment.block = [](const config::RunConfig&, size_t) { return std::string("block"); };
    const std::atomic<int> stop{0};
    Executor executor(*space, folder_, *store_, runs_, environment, options, stop);
    const int before = runs_.count;
    std::vector<std::vector<uint64_t>> steps = {first_designs(*space)};
    if (one_by_one_) {
      steps.clear();
      for (const uint64_t design : first_designs(*space)) steps.push_back({design});
    }
    for (const std::vector<uint64_t>& designs : steps) {
      executor.evaluate(designs, std::nullopt, false);
    }
    return runs_.count - before;
  }
  std::string state() {
    Statement point(store_->database(),
                    "SELECT p.status, r.reason FROM point p JOIN run r ON r.id = p.run");
    return point.step() ? point.text(0) + ": " + point.text(1) : "no point";
  }
  std::string failure() {
    Statement found(store_->database(), "SELECT reason FROM failure");
    return found.step() ? found.text(0) : "none";
  }
  int64_t points() { return store_->database().integer("SELECT count(*) FROM point"); }
  /// As a process leaves the folder that was killed between the run's end and the database.
  void forget_end() {
    store_.reset();
    fs::remove(folder_.database());
    for (const fs::path& file : jobs(".end.json")) fs::remove(file);
  }
  void forget_database() {
    store_.reset();
    fs::remove(folder_.database());
  }
  std::vector<fs::path> jobs(const std::string& ending) const {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder_.jobs())) {
      const std::string name = entry.path().filename().string();
      const size_t dot = name.find('.');
      if (dot != std::string::npos && name.substr(dot) == ending) files.push_back(entry.path());
    }
    return files;
  }
  fs::path result(const std::string& name) const {
    for (const auto& entry : fs::directory_iterator(folder_.root / "runs")) {
      return entry.path() / name;
    }
    return {};
  }
  static std::string text_of(const fs::path& file) {
    std::ifstream stream(file);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  static void write(const fs::path& file, const std::string& text) { std::ofstream(file) << text; }

  config::Scratch scratch_;
  Folder folder_{scratch_.file("sweep")};
  Runs runs_{folder_};
  json synthesis_inputs_, rtl_;  // planned
  bool one_by_one_ = false;      // the designs are evaluated one after another, as a search does
  std::vector<std::string> warnings_;
  std::unique_ptr<Store> store_;
  std::string sweep_;
};

}  // namespace strobe::explore
