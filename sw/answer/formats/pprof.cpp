#include <algorithm>
#include <map>
#include <unordered_map>

#include "sw/answer/formats/format.h"
#include "sw/answer/formats/gzip.h"
#include "sw/answer/formats/pprof_fields.h"
#include "sw/answer/formats/protobuf.h"
#include "sw/text/shown.h"

namespace strobe::answer {
namespace {

using Stack = std::vector<uint64_t>;  // pcs, the innermost first

class Writer {
 public:
  explicit Writer(const RunProfile& run) : run_(run) { text(""); }

  std::string profile(const SeriesList& series) {
    WireMessage out;
    for (const Series* one : series) out.message(pprof::kSampleType, value_type(*one));
    for (const auto& [of, values] : samples(series)) {
      const auto& [thread, stack] = of;
      WireMessage sample;
      Stack ids;
      for (const uint64_t pc : stack) ids.push_back(location(pc));
      sample.packed(1, ids);
      sample.packed(2, values);
      if (!thread.empty()) sample.message(3, label("thread", thread));
      out.message(pprof::kSample, sample);
    }
    out.message(pprof::kMapping, mapping());
    out.append(locations_);
    out.append(functions_);
    const Series& first = *series.front();
    out.message(pprof::kPeriodType, value_type(first));
    out.number(pprof::kPeriod, first.period);
    out.number(pprof::kDefaultType, text(event_name(first)));
    out.number(pprof::kComment,
               text("Strobe: " + run_.program.name + ", SHA-256 " + run_.program.sha256));
    for (const std::string& one : strings_) out.bytes(pprof::kStringTable, one);
    return out.text();
  }

 private:
  /// The values of each stack of each thread, by series.
  using Samples = std::map<std::pair<std::string, Stack>, std::vector<uint64_t>>;
  static Samples samples(const SeriesList& series) {
    Samples samples;
    for (size_t i = 0; i < series.size(); ++i) {
      for (const auto& [tuple, count] : series[i]->counts.entries()) {
        Stack stack = {tuple.pc};
        if (series[i]->kind == "call_target") stack.insert(stack.begin(), tuple.value);
        std::vector<uint64_t>& values = samples[{series[i]->thread, stack}];
        values.resize(series.size());
        values[i] += count;
      }
    }
    for (auto& [of, values] : samples) {
      for (size_t i = 0; i < series.size(); ++i) values[i] = whole(*series[i], values[i]);
    }
    return samples;
  }

  /// A string of the table. Strings of protocol buffers are UTF-8.
  uint64_t text(const std::string& one) {
    const std::string line = text::one_line(one);
    const auto [found, is_new] = numbers_.emplace(line, strings_.size());
    if (is_new) strings_.push_back(line);
    return found->second;
  }

  WireMessage label(const std::string& key, const std::string& value) {
    WireMessage label;
    label.number(1, text(key));
    label.number(2, text(value));
    return label;
  }

  WireMessage value_type(const Series& series) {
    WireMessage type;
    type.number(1, text(event_name(series)));
    type.number(2, text(series.unit == "cycles" ? "cycles" : "count"));
    return type;
  }

  WireMessage mapping() {
    uint64_t begin = 0, end = 0;
    std::string id;
    if (run_.program.elf != nullptr) {
      begin = run_.program.elf->segments().front().address;
      end = run_.program.elf->end();
      id = run_.program.elf->build_id();
    }
    WireMessage mapping;
    mapping.number(1, 1);
    mapping.number(2, begin);
    mapping.number(3, end);
    mapping.number(5, text(run_.program.name));
    mapping.number(6, text(id));
    mapping.number(7, 1);                                    // has functions
    mapping.number(8, run_.program.elf != nullptr ? 1 : 0);  // has file names
    mapping.number(9, run_.program.elf != nullptr ? 1 : 0);  // has line numbers
    return mapping;
  }

  uint64_t location(uint64_t pc) {
    const auto [found, is_new] = location_ids_.emplace(pc, location_ids_.size() + 1);
    if (!is_new) return found->second;
    const Place place = run_.place(pc);
    WireMessage line, location;
    line.number(1, function(place));
    line.number(2, static_cast<uint64_t>(place.line));
    location.number(1, found->second);
    if (is_address(pc)) {
      location.number(2, 1);  // the mapping
      location.number(3, pc);
    }
    location.message(4, line);
    locations_.message(pprof::kLocation, location);
    return found->second;
  }

  uint64_t function(const Place& place) {
    const std::pair key(place.function, place.file);
    const auto [found, is_new] = function_ids_.emplace(key, function_ids_.size() + 1);
    if (!is_new) return found->second;
    WireMessage function;
    function.number(1, found->second);
    function.number(2, text(place.function));
    function.number(3, text(place.function));
    function.number(4, text(place.file));
    functions_.message(pprof::kFunction, function);
    return found->second;
  }

  const RunProfile& run_;
  std::vector<std::string> strings_;
  std::unordered_map<std::string, uint64_t> numbers_;                     // of strings
  std::map<uint64_t, uint64_t> location_ids_;                             // by pc
  std::map<std::pair<std::string, std::string>, uint64_t> function_ids_;  // by name and file
  WireMessage locations_, functions_;
};

}  // namespace

std::string write_pprof(const RunProfile& run, const SeriesList& series) {
  return gzip(Writer(run).profile(series));
}

}  // namespace strobe::answer
