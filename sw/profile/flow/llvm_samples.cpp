#include "sw/profile/flow/llvm_samples.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <optional>
#include <utility>

namespace strobe::profile {
namespace {

constexpr int64_t kLargestOffset = 65535;

/// A line as LineOf gives it: "file.c:12".
struct Line {
  std::string file;
  int64_t number = 0;
};

std::optional<Line> line_at(const LineOf& line_of, uint64_t pc) {
  const std::string text = line_of ? line_of(pc) : std::string();
  const size_t colon = text.rfind(':');
  if (colon == std::string::npos || colon + 1 == text.size()) return std::nullopt;
  Line line{text.substr(0, colon), 0};
  for (size_t i = colon + 1; i < text.size(); ++i) {
    if (text[i] < '0' || text[i] > '9' || line.number > kLargestOffset * kLargestOffset) {
      return std::nullopt;
    }
    line.number = 10 * line.number + (text[i] - '0');
  }
  return line;
}

std::optional<int64_t> offset_of(const FlowFunction& function, uint32_t block,
                                 const std::optional<Line>& entry, const LineOf& line_of) {
  int64_t offset = int64_t{block} + 1;
  if (entry) {
    const std::optional<Line> line = line_at(line_of, function.blocks[block].first);
    if (!line || line->file != entry->file) return std::nullopt;
    offset = line->number - entry->number;
  }
  if (offset < 0 || offset > kLargestOffset) return std::nullopt;
  return offset;
}

/// What stands in a line of the output.
struct Body {
  uint64_t count = 0;
  std::map<std::string, uint64_t> calls;  // by callee
};

class SampleWriter {
 public:
  SampleWriter(const ControlFlow& flow, const ProgramProfile& frequencies, uint64_t hottest)
      : flow_(flow), frequencies_(frequencies) {
    double most = 0;
    for (size_t f = 0; f < flow.functions.size(); ++f) {
      for (const double block : frequencies.functions[f].blocks) {
        most = std::max(most, block * frequencies.entries[f]);
      }
    }
    scale_ = most > 0 ? static_cast<double>(hottest) / most : 0;
  }

  void write(uint32_t f, const LineOf& line_of, std::ostream& out) const {
    const FlowFunction& function = flow_.functions[f];
    const std::optional<Line> entry = line_at(line_of, function.blocks[0].first);
    std::map<int64_t, Body> bodies;
    uint64_t total = 0;
    auto call = function.calls.begin();
    for (uint32_t b = 0; b < function.blocks.size(); ++b) {
      const uint64_t count = samples(f, frequencies_.functions[f].blocks[b]);
      total += count;
      while (call != function.calls.end() && call->block < b) ++call;
      const std::optional<int64_t> offset = offset_of(function, b, entry, line_of);
      if (count == 0 || !offset) continue;
      Body& body = bodies[*offset];
      body.count = std::max(body.count, count);
      if (call != function.calls.end() && call->block == b && call->callee != kOutside &&
          !call->tail) {
        body.calls[llvm_name(flow_.functions[call->callee].name)] += count;
      }
    }
    if (total == 0) return;
    out << llvm_name(function.name) << ':' << std::to_string(total) << ':'
        << std::to_string(samples(f, 1)) << '\n';
    for (const auto& [offset, body] : bodies) {
      out << ' ' << std::to_string(offset) << ": " << std::to_string(body.count);
      for (const auto& [callee, calls] : body.calls) {
        out << ' ' << callee << ':' << std::to_string(calls);
      }
      out << '\n';
    }
  }

 private:
  uint64_t samples(uint32_t function, double frequency) const {
    return static_cast<uint64_t>(std::llround(frequency * frequencies_.entries[function] * scale_));
  }

  const ControlFlow& flow_;
  const ProgramProfile& frequencies_;
  double scale_ = 0;
};

}  // namespace

std::string llvm_name(const std::string& name) {
  constexpr const char* kDigits = "0123456789abcdef";
  std::string result;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    const bool begins_count = result.empty() && c >= '0' && c <= '9';
    if (byte > 0x20 && byte < 0x7f && std::strchr("%:#[", c) == nullptr && !begins_count) {
      result += c;
    } else {
      result += {'%', kDigits[byte >> 4], kDigits[byte & 15]};
    }
  }
  return result;
}

void write_llvm_samples(const ControlFlow& flow, const ProgramProfile& frequencies,
                        uint64_t hottest, const LineOf& line_of, std::ostream& out) {
  const SampleWriter writer(flow, frequencies, hottest);
  for (uint32_t f = 0; f < flow.functions.size(); ++f) writer.write(f, line_of, out);
}

}  // namespace strobe::profile
