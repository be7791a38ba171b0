#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "sw/answer/answer_error.h"
#include "sw/answer/formats/gzip.h"
#include "sw/answer/formats/pprof_fields.h"
#include "sw/answer/readers/foreign_profile.h"
#include "sw/answer/readers/wire_reader.h"

namespace strobe::answer {
namespace {

struct Location {
  uint64_t address = 0, function = 0, line = 0;
};
struct Function {
  uint64_t name = 0, file = 0;
};

/// Reads the tables first and the samples, which refer to them, afterwards. Keeps no sample and
/// copies no string: `bytes` must live as long.
class PprofReader {
 public:
  explicit PprofReader(std::string_view bytes) : bytes_(bytes) {
    text::Budget entries(text::limits::kProfileEntries);
    for (WireReader wire(bytes_); wire.next();) {
      if (!entries.take()) {
        throw TooLarge(
            fmt::format("at byte {}: {}", bytes_.size() - wire.left(), entries.excess()));
      }
      field(wire);
    }
  }

  ForeignProfile profile() const {
    if (types_.empty()) throw WireError("a type of sample");
    ForeignProfile profile;
    profile.pprof = true;
    profile.events = text(types_[type()]);
    for (const auto& [location, value] : values_by_location()) add(location, value, &profile);
    if (profile.functions.empty()) throw WireError("a sample that is not 0");
    return profile;
  }

 private:
  void field(const WireReader& wire) {
    switch (wire.field()) {
      case pprof::kSampleType:
        types_.push_back(first_number(wire.bytes(), 1));
        break;
      case pprof::kLocation:
        add_location(wire.bytes());
        break;
      case pprof::kFunction:
        add_function(wire.bytes());
        break;
      case pprof::kStringTable:
        strings_.push_back(wire.bytes());
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

  /// The type of sample that is read, as an index.
  size_t type() const {
    size_t type = types_.size() - 1;
    for (size_t i = 0; i < types_.size(); ++i) {
      if (default_ != 0 && types_[i] == default_) type = i;
    }
    return type;
  }

  /// The sum of the samples at each innermost location.
  std::unordered_map<uint64_t, uint64_t> values_by_location() const {
    std::unordered_map<uint64_t, uint64_t> sums;
    const size_t of_type = type();
    for (WireReader wire(bytes_); wire.next();) {
      if (wire.field() == pprof::kSample) add_sample(wire.bytes(), of_type, &sums);
    }
    return sums;
  }

  void add_sample(std::string_view bytes, size_t of_type,
                  std::unordered_map<uint64_t, uint64_t>* sums) const {
    uint64_t location = 0, value = 0;
    size_t locations = 0, values = 0;
    for (WireReader wire(bytes); wire.next();) {
      if (wire.field() == 1) {
        wire.each_number([&](uint64_t number) {
          if (locations++ == 0) location = number;
        });
      } else if (wire.field() == 2) {
        wire.each_number([&](uint64_t number) {
          if (values++ == of_type) value = number;
        });
      }
    }
    if (values != types_.size()) throw WireError("a value for each type of sample");
    if (value == 0 || locations == 0) return;
    uint64_t& sum = (*sums)[location];
    sum += std::min(value, std::numeric_limits<uint64_t>::max() - sum);
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

  std::string text(uint64_t index) const {
    if (index >= strings_.size()) throw WireError("an index into the table of strings");
    const std::string_view text = strings_[index];
    if (text.size() > kLongest) throw WireError("names of at most 64 KiB");
    return std::string(text);
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
    const std::string name = text(function->second.name);
    const std::string file = text(function->second.file);
    const std::string place = file.substr(file.rfind('/') + 1);
    profile->add(&ForeignProfile::functions, name, value);
    profile->add(&ForeignProfile::lines, fmt::format("{} {}:{}", name, place, location.line),
                 value);
  }

  static constexpr size_t kLongest = 1 << 16;  // bytes of a name

  std::string_view bytes_;
  std::vector<uint64_t> types_;  // the names of sample types, as indices of strings
  uint64_t default_ = 0;
  std::unordered_map<uint64_t, Location> locations_;
  std::unordered_map<uint64_t, Function> functions_;
  std::vector<std::string_view> strings_;
};

ForeignProfile unpacked(const std::string& bytes) {
  const text::Limit& most = text::limits::kProfileBytes;
  if (text::exceeds(most, bytes.size())) {
    throw TooLarge(text::excess(most, fmt::format("at least {}", bytes.size())));
  }
  return PprofReader(bytes).profile();
}

}  // namespace

ForeignProfile read_pprof(const std::string& bytes, const std::string& name) {
  try {
    if (bytes.rfind("\x1f\x8b", 0) != 0) return unpacked(bytes);
    return unpacked(gunzip(bytes, text::limits::kProfileBytes.most));
  } catch (const TooLarge& error) {
    throw AnswerError(fmt::format("{}: too large: {}", name, error.what()));
  } catch (const std::exception& error) {
    throw AnswerError(fmt::format(
        "{}: not a profile of pprof: expected {}, got something else; write it with pprof -proto",
        name, error.what()));
  }
}

}  // namespace strobe::answer
