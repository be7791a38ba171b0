#include "sw/reproduce/isca2001/isca2001_race.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <utility>

#include "sc_models/machine/profiler/profiler_setup.h"
#include "sc_models/profiling/observers/observer.h"
#include "sc_models/profiling/reference/common/xorshift.h"
#include "sw/profile/accuracy/progress.h"
#include "sw/stream/stream_reader.h"

namespace strobe::isca2001 {
namespace {

using profile::ExhaustiveProfile;
using profile::NumberedCounts;
using profile::ProgressTracker;
using reproduce::isca2001::Course;
using reproduce::isca2001::Raced;
using reproduce::isca2001::Window;

/// One contender with one seed: its messages, counted.
struct Runner {
  profiling::Observer observer;
  NumberedCounts profile, loads;
  Course course;
};

/// The runners of a seed see the same tuples, each xored with the seed's word.
class Lane {
 public:
  Lane(const config::RunConfig& configuration, unsigned seed) {
    profiling::Xorshift64Star random(seed + 1);
    constexpr uint64_t kLower =
        UINT32_MAX;  // the hash looks at upper halves only if they are not 0
    if (seed != 0) mask_ = {random.next() & kLower, random.next() & kLower, 0};
    for (const config::ProfilerConfig& profiler : configuration.profilers) {
      const uint64_t start = platform::compressor_seed(configuration, profiler);
      runners_.push_back({profiling::Observer(platform::path_params(configuration, profiler),
                                              platform::compressor_rates(profiler),
                                              seed == 0 ? start : start ^ random.next()),
                          {},
                          {},
                          {}});
    }
  }

  void watch(const Tuple* tuples, const std::vector<uint32_t>& numbers,
             const ExhaustiveProfile& ideal, const ProgressTracker& tracker) {
    masked_.resize(numbers.size());
    for (size_t i = 0; i < masked_.size(); ++i) masked_[i] = masked(tuples[i]);
    batch_.set(masked_.data(), masked_.size());
    for (Runner& runner : runners_) {
      observed_.clear();
      runner.observer.observe(batch_, observed_);
      runner.profile.fit(ideal.size());
      runner.loads.fit(tracker.loads());
      const auto count = [&](uint32_t number, uint32_t n) {
        runner.profile.add(number, n);
        runner.loads.add(tracker.load_of(number), n);
      };
      for (const profiling::Sample& one : observed_.samples) count(numbers[one.at], one.count);
      for (const Message& one : observed_.messages) {
        count(ideal.number(masked(one.tuple)), one.count);
      }
    }
  }

  void end_point(const ProgressTracker& tracker) {
    for (Runner& runner : runners_) {
      runner.course.errors.push_back(tracker.invariance_error(runner.profile, runner.loads));
      runner.course.messages.push_back(runner.observer.messages());
    }
  }
  Course& course(size_t contender) { return runners_[contender].course; }

 private:
  /// Also takes the mask off again.
  Tuple masked(const Tuple& tuple) const {
    return {tuple.pc ^ mask_.pc, tuple.value ^ mask_.value, tuple.tag};
  }

  Tuple mask_;
  std::vector<Runner> runners_;
  std::vector<Tuple> masked_;
  profiling::TupleBatch batch_;
  profiling::Observed observed_;
};

class Lap {
 public:
  Lap(const config::RunConfig& configuration, const std::vector<uint64_t>& points, unsigned seeds)
      : points_(points), contenders_(configuration.profilers.size()) {
    for (unsigned seed = 0; seed < seeds; ++seed) lanes_.emplace_back(configuration, seed);
  }

  bool over() const { return window_.cycles.size() == points_.size(); }
  /// The next tuples of the stream, as many as the window still takes.
  /// @param cycles  of the window when the last of them retired
  void take(const Tuple* tuples, size_t count, uint64_t cycles) {
    while (count > 0 && !over()) {
      const uint64_t to_point = points_[window_.cycles.size()] - events_;
      const size_t part = static_cast<size_t>(std::min<uint64_t>(count, to_point));
      watch(tuples, part);
      tuples += part;
      count -= part;
      if (events_ == points_[window_.cycles.size()]) end_point(cycles);
    }
  }

  Window finish(uint64_t start) {
    window_.start = start;
    window_.loads = tracker_.selected_loads();
    uint64_t most = 0;
    ideal_->for_each([&](const Tuple&, uint64_t count) { most = std::max(most, count); });
    window_.top_share = static_cast<double>(most) / static_cast<double>(ideal_->total());
    window_.courses.resize(contenders_);
    for (Lane& lane : lanes_) {
      for (size_t c = 0; c < contenders_; ++c) {
        window_.courses[c].push_back(std::move(lane.course(c)));
      }
    }
    return std::move(window_);
  }

 private:
  void watch(const Tuple* tuples, size_t count) {
    numbers_.resize(count);
    for (size_t i = 0; i < count; ++i) {
      numbers_[i] = ideal_->add(tuples[i]);
      tracker_.note(numbers_[i]);
    }
    for (Lane& lane : lanes_) lane.watch(tuples, numbers_, *ideal_, tracker_);
    events_ += count;
  }
  void end_point(uint64_t cycles) {
    tracker_.select();
    window_.cycles.push_back(cycles);
    for (Lane& lane : lanes_) lane.end_point(tracker_);
  }

  const std::vector<uint64_t>& points_;
  size_t contenders_;
  std::unique_ptr<ExhaustiveProfile> ideal_ = std::make_unique<ExhaustiveProfile>();
  ProgressTracker tracker_{*ideal_};
  std::vector<Lane> lanes_;
  std::vector<uint32_t> numbers_;
  uint64_t events_ = 0;
  Window window_;
};

[[noreturn]] void refuse(const ProgramStream& stream, const std::string& why) {
  throw std::runtime_error(
      fmt::format("{}: {}; remove it, and it is recorded again", stream.file.string(), why));
}

/// The number of events of a whole stream of a run that came to its end.
uint64_t events_of(const ProgramStream& stream) {
  std::ifstream in(stream.file, std::ios::binary);
  stream::StreamReader reader(in, stream.file.string());
  for (stream::Block block; reader.next(block);) {
  }
  if (!reader.footer()) refuse(stream, reader.damage());
  const std::string error = reader.footer()->at("outcome").at("error").get<std::string>();
  if (!error.empty()) refuse(stream, "the run that it holds failed (" + error + ")");
  return reader.events();
}

/// One window, from the stream's event `start` on.
Window run_window(const ProgramStream& stream, const config::RunConfig& configuration,
                  const std::vector<uint64_t>& points, unsigned seeds, uint64_t start) {
  std::ifstream in(stream.file, std::ios::binary);
  stream::StreamReader reader(in, stream.file.string());
  Lap lap(configuration, points, seeds);
  stream::Block block;
  uint64_t cycles_before = 0;  // at the last mark before the window
  while (!lap.over() && reader.next(block)) {
    const uint64_t size = block.tuples.size();
    for (uint64_t first = 0; first < size && !lap.over(); first += stream::kMarkEvents) {
      const uint64_t end = std::min<uint64_t>(first + stream::kMarkEvents, size);
      const uint64_t cycles = block.cycles[first / stream::kMarkEvents];
      const uint64_t skip =
          start > block.first_event + first ? start - block.first_event - first : 0;
      if (skip >= end - first) {
        cycles_before = cycles;
        continue;
      }
      lap.take(block.tuples.data() + first + skip, end - first - skip, cycles - cycles_before);
    }
  }
  return lap.finish(start);
}

}  // namespace

std::vector<uint64_t> points_of(const RacePlan& plan, uint64_t window) {
  std::vector<uint64_t> points;
  for (unsigned i = 0;; ++i) {
    const double decades = static_cast<double>(i) / plan.points_per_decade;
    const auto point = static_cast<uint64_t>(
        std::llround(static_cast<double>(plan.first_point) * std::pow(10.0, decades)));
    if (point >= window) break;
    points.push_back(point);
  }
  points.push_back(window);
  return points;
}

Raced race(const ProgramStream& stream, const RacePlan& plan) {
  Raced result;
  result.program = stream.name;
  for (const Contender& contender : plan.contenders) result.compressors.push_back(contender.paper);
  result.stream = events_of(stream);
  if (result.stream < plan.least) return result;
  const config::LoadResult loaded = load_contenders(stream, plan.contenders);
  const uint64_t window = std::min(plan.window, result.stream / 2);
  result.events = points_of(plan, window);
  for (unsigned i = 0; i < plan.starts; ++i) {
    const uint64_t start = (result.stream - window) * i / (plan.starts - 1);
    result.windows.push_back(
        run_window(stream, loaded.configuration, result.events, plan.seeds, start));
  }
  return result;
}

}  // namespace strobe::isca2001
