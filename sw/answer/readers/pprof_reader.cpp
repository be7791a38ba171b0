#include <fmt/format.h>

#include <unordered_map>
#include <vector>

#include "sw/answer/answer_error.h"
#include "sw/answer/formats/gzip.h"
#include "sw/answer/formats/pprof_fields.h"
#include "sw/answer/readers/foreign_profile.h"
#include "sw/answer/readers/wire_reader.h"

namespace strobe::answer {
namespace {

constexpr size_t kLargest = size_t{1} << 28;

struct Sample {
  std::vector<uint64_t> locations, values;
};
struct Location {
  uint64_t address = 0, function = 0, line = 0;
};
struct Function {
  uint64_t name = 0, file = 0;
};

class PprofReader {
 public:
  explicit PprofReader(const std::string& bytes) {
    for (WireReader wire(bytes); wire.next();) field(wire);
  }

  ForeignProfile profile() const {
    if (types_.empty()) throw WireError("a type of sample");
    size_t type = types_.size() - 1;
    for (size_t i = 0; i < types_.size(); ++i) {
      if (default_ != 0 && types_[i] == default_) type = i;
    }
    ForeignProfile profile;
    profile.pprof = true;
    profile.events = text(types_[type]);
    for (const Sample& sample : samples_) {
      if (sample.values.size() != types_.size()) throw WireError("a value for each type of sample");
      const uint64_t value = sample.values[type];
      if (value != 0 && !sample.locations.empty()) add(sample.locations.front(), value, &profile);
    }
    if (profile.functions.empty()) throw WireError("a sample that is not 0");
    return profile;
  }

 private:
  void field(const WireReader& wire) {
    switch (wire.field()) {
      case pprof::kSampleType:
        types_.push_back(first_number(wire.bytes(), 1));
        break;
      case pprof::kSample:
        samples_.push_back(sample_of(wire.bytes()));
        break;
      case pprof::kLocation:
        add_location(wire.bytes());
        break;
      case pprof::kFunction:
        add_function(wire.bytes());
        break;
      case pprof::kStringTable:
        strings_.emplace_back(wire.bytes());
        break;
      case pprof::kDefaultType:
        default_ = wire.number();
        break;
      default:
        break;
    }
  }

  static uint64_t first_number(std::string_view bytes, uint64_t field) {
    for (WireReader wire(bytes); wire.next();) {
      if (wire.field() == field) return wire.number();
    }
    return 0;
  }

  static Sample sample_of(std::string_view bytes) {
    Sample sample;
    for (WireReader wire(bytes); wire.next();) {
      if (wire.field() == 1) wire.append_numbers(&sample.locations);
      if (wire.field() == 2) wire.append_numbers(&sample.values);
    }
    return sample;
  }

  void add_location(std::string_view bytes) {
    Location location;
    uint64_t id = 0;
    bool has_line = false;
    for (WireReader wire(bytes); wire.next();) {
      if (wire.field() == 1) id = wire.number();
      if (wire.field() == 3) location.address = wire.number();
      if (wire.field() != 4 || has_line) continue;  // the innermost of inlined functions is first
      has_line = true;
      location.function = first_number(wire.bytes(), 1);
      location.line = first_number(wire.bytes(), 2);
    }
    locations_[id] = location;
  }

  void add_function(std::string_view bytes) {
    functions_[first_number(bytes, 1)] = {first_number(bytes, 2), first_number(bytes, 4)};
  }

  const std::string& text(uint64_t index) const {
    if (index >= strings_.size()) throw WireError("an index into the table of strings");
    return strings_[index];
  }

  void add(uint64_t id, uint64_t value, ForeignProfile* profile) const {
    const auto found = locations_.find(id);
    if (found == locations_.end()) throw WireError("the location of a sample");
    const Location& location = found->second;
    const auto function = functions_.find(location.function);
    if (function == functions_.end()) {
      const std::string name = fmt::format("{:#x}", location.address);
      profile->add(&ForeignProfile::functions, name, value);
      profile->add(&ForeignProfile::lines, name, value);
      return;
    }
    const std::string& name = text(function->second.name);
    const std::string& file = text(function->second.file);
    const std::string place = file.substr(file.rfind('/') + 1);
    profile->add(&ForeignProfile::functions, name, value);
    profile->add(&ForeignProfile::lines, fmt::format("{} {}:{}", name, place, location.line),
                 value);
  }

  std::vector<uint64_t> types_;  // the names of sample types, as indices of strings
  uint64_t default_ = 0;
  std::vector<Sample> samples_;
  std::unordered_map<uint64_t, Location> locations_;
  std::unordered_map<uint64_t, Function> functions_;
  std::vector<std::string> strings_;
};

}  // namespace

ForeignProfile read_pprof(const std::string& bytes, const std::string& name) {
  try {
    const bool packed = bytes.rfind("\x1f\x8b", 0) == 0;
    return packed ? PprofReader(gunzip(bytes, kLargest)).profile() : PprofReader(bytes).profile();
  } catch (const std::exception& error) {
    throw AnswerError(fmt::format(
        "{}: not a profile of pprof: expected {}, got something else; write it with pprof -proto",
        name, error.what()));
  }
}

}  // namespace strobe::answer
