// Measures every program of a reproduction, with the results that are kept of each.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
#include <ratio>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "sw/process/child_processes.h"
#include "sw/reproduce/kept_results.h"
#include "sw/reproduce/reproduction_programs.h"

namespace strobe {

/// How far the programs of a paper are, and how long the others take if they are alike; to stderr.
/// Says nothing of results that were all kept.
class ProgramProgress {
 public:
  ProgramProgress(std::string paper, size_t programs)
      : paper_(std::move(paper)), programs_(programs) {}

  void ended(size_t done) const {
    const std::chrono::duration<double, std::ratio<60>> minutes = Clock::now() - begin_;
    if (minutes.count() < 0.1 || done == programs_) return;
    const auto left = static_cast<double>(programs_ - done) / static_cast<double>(done);
    fmt::print(stderr, "{}: {} of {} programs in {:.1f} minutes, about {:.1f} minutes to go\n",
               paper_, done, programs_, minutes.count(), minutes.count() * left);
  }

 private:
  using Clock = std::chrono::steady_clock;
  std::string paper_;
  size_t programs_;
  Clock::time_point begin_ = Clock::now();
};

/// `what` of every program that is there. @param paper  its results are in PROGRAM.PAPER.json
template <class Measured, class What>
std::vector<Measured> of_programs(const std::filesystem::path& folder, const std::string& paper,
                                  const ReproductionPrograms& programs, What what) {
  std::vector<Measured> all;
  const ProgramProgress progress(paper, programs.there.size());
  for (const ReproductionProgram& program : programs.there) {
    KeptResults kept(folder / fmt::format("{}.{}.json", program.name, paper));
    all.push_back(what(kept, program));
    progress.ended(all.size());
  }
  return all;
}

/// What came of the programs that are there.
template <class Measured>
struct MeasuredPrograms {
  std::vector<Measured> measured;   // those of which every run came to its end
  std::vector<std::string> failed;  // the others: name, run, reason
};

/// As of_programs(), with as many programs at once as the host has processors. A program with a run
/// that fails is named and does not end the others. Throws std::runtime_error when all failed.
template <class Measured, class What>
MeasuredPrograms<Measured> of_programs_at_once(const std::filesystem::path& folder,
                                               const std::string& paper,
                                               const ReproductionPrograms& programs, What what) {
  const auto measure = [&](const ReproductionProgram& program) {
    KeptResults kept(folder / fmt::format("{}.{}.json", program.name, paper));
    return what(kept, program);
  };
  std::vector<std::function<void()>> work;
  for (const ReproductionProgram& program : programs.there) {
    work.emplace_back([&measure, &program] { measure(program); });
  }
  const ProgramProgress progress(paper, work.size());
  const std::vector<std::string> failures =
      in_children(work, std::max(1u, std::thread::hardware_concurrency()),
                  [&progress](size_t done) { progress.ended(done); });
  MeasuredPrograms<Measured> all;
  for (size_t i = 0; i < failures.size(); ++i) {
    const ReproductionProgram& program = programs.there[i];
    if (failures[i].empty()) {
      all.measured.push_back(measure(program));  // from what is kept
    } else {
      all.failed.push_back(fmt::format("{}: {}", program.name, failures[i]));
    }
  }
  if (!all.measured.empty()) return all;
  std::string text = "no program was measured";
  for (const std::string& failed : all.failed) text += "; " + failed;
  throw std::runtime_error(text);
}

}  // namespace strobe
