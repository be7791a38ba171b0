#include "sw/answer/formats/trace_events.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "sw/profile/reports/export.h"
#include "sw/text/json_text.h"

namespace strobe::answer {
namespace {

std::string metadata(const std::string& what, unsigned track, const std::string& name) {
  return fmt::format(R"({{"name":"{}","ph":"M","pid":1,"tid":{},"args":{{"name":{}}}}})", what,
                     track, profile::json_string(name));
}

}  // namespace

TraceEvents::TraceEvents(const std::string& process, double frequency_ghz)
    : frequency_ghz_(frequency_ghz),
      names_({metadata(
          "process_name", 0,
          fmt::format("{}: simulated time, a cycle is {} ns", process, 1 / frequency_ghz))}) {}

void TraceEvents::name_track(unsigned track, const std::string& name) {
  names_.push_back(metadata("thread_name", track, name));
}

/// In microseconds. Perfetto takes the whole nanoseconds of it, so a time whose product with 1000
/// is rounded down to the nanosecond before becomes the next larger number.
double TraceEvents::time(uint64_t cycles) const {
  const double nanoseconds = static_cast<double>(cycles) / frequency_ghz_;
  double time = nanoseconds / 1000;
  while (time * 1000 < std::floor(nanoseconds)) {
    time = std::nextafter(time, std::numeric_limits<double>::infinity());
  }
  return time;
}

/// The sum of begin and length must not be rounded up: speedscope would take a slice that begins
/// there for a part of this one.
double TraceEvents::length(uint64_t cycle, uint64_t cycles) const {
  const double begin = time(cycle), end = time(cycle + cycles);
  double length = end - begin;
  while (begin + length > end) length = std::nextafter(length, 0.0);
  return length;
}

void TraceEvents::add(uint64_t cycle, const std::string& name, const std::string& fields,
                      const Args& args) {
  events_.push_back(
      {cycle, fmt::format(R"({{"name":{},"ts":{},"pid":1,{},"args":{}}})",
                          profile::json_string(name), time(cycle), fields, text::json_text(args))});
}

void TraceEvents::add_slice(unsigned track, const std::string& name, uint64_t cycle,
                            uint64_t cycles, Args args) {
  args["cycle"] = cycle;
  args["cycles"] = cycles;
  add(cycle, name, fmt::format(R"("ph":"X","tid":{},"dur":{})", track, length(cycle, cycles)),
      args);
}

void TraceEvents::add_instant(unsigned track, const std::string& name, uint64_t cycle, Args args) {
  args["cycle"] = cycle;
  add(cycle, name, fmt::format(R"("ph":"i","tid":{},"s":"t")", track), args);
}

void TraceEvents::add_counter(const std::string& name, uint64_t cycle, const Args& values) {
  add(cycle, name, R"("ph":"C")", values);
}

std::string TraceEvents::text() const {
  std::vector<const Event*> order;
  order.reserve(events_.size());
  for (const Event& event : events_) order.push_back(&event);
  std::stable_sort(order.begin(), order.end(),
                   [](const Event* a, const Event* b) { return a->cycle < b->cycle; });
  std::string text = "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n";
  const char* separator = "";
  const auto line = [&](const std::string& event) {
    text += separator + event;
    separator = ",\n";
  };
  for (const std::string& name : names_) line(name);
  for (const Event* event : order) line(event->text);
  return text + "\n]}\n";
}

}  // namespace strobe::answer
