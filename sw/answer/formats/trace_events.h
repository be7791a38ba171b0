// A list of trace events in JSON ("Trace Event Format", Google, 2016), as text: one event a line,
// in the order of their times. Perfetto's formats have no cycles, so times are simulated time.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace strobe::answer {

class TraceEvents {
 public:
  using Args = nlohmann::ordered_json;

  /// @param process        the name of all tracks together
  /// @param frequency_ghz  of the clock whose cycles the times are
  TraceEvents(const std::string& process, double frequency_ghz);

  /// Names a track of slices and instants.
  void name_track(unsigned track, const std::string& name);
  /// `cycles` from `cycle` on. The slices of a track must not overlap.
  void add_slice(unsigned track, const std::string& name, uint64_t cycle, uint64_t cycles,
                 Args args);
  void add_instant(unsigned track, const std::string& name, uint64_t cycle, Args args);
  /// New values of a counter's series.
  void add_counter(const std::string& name, uint64_t cycle, const Args& values);

  /// The document.
  std::string text() const;

 private:
  struct Event {
    uint64_t cycle;
    std::string text;
  };

  double time(uint64_t cycles) const;
  double length(uint64_t cycle, uint64_t cycles) const;
  void add(uint64_t cycle, const std::string& name, const std::string& fields, const Args& args);

  const double frequency_ghz_;
  std::vector<std::string> names_;
  std::vector<Event> events_;
};

}  // namespace strobe::answer
