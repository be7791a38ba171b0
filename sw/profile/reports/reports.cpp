#include "sw/profile/reports/reports.h"

#include <cstdio>
#include <string>

#include "sw/profile/accuracy/ratio.h"
#include "sw/profile/reports/call_profiles.h"
#include "sw/profile/reports/export.h"

namespace strobe::profile {
namespace {

std::string fixed(double value, int digits) {
  char text[32];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  return text;
}

std::string percent(uint64_t part, uint64_t whole) {
  return fixed(100 * ratio(part, whole), 2) + " %";
}

/// A place as "main+0x12 main.c:7", or the address when it has no name.
std::string place(uint64_t pc, const ProgramNames& names) {
  std::string text = names.symbol(pc);
  if (text.empty()) text = hexadecimal(pc);
  const std::string line = names.line(pc);
  return line.empty() ? text : text + ' ' + line;
}

std::string json_place(uint64_t pc, const ProgramNames& names) {
  return "{\"line\": " + json_string(names.line(pc)) + ", \"pc\": \"" + hexadecimal(pc) +
         "\", \"symbol\": " + json_string(names.symbol(pc)) + "}";
}

const char* name_of(StreamDetector detector) {
  return detector == StreamDetector::kSymbols ? "symbols" : "subpaths";
}

}  // namespace

void write_streams_text(const StreamProfile& profile, std::ostream& out,
                        const ProgramNames& names) {
  out << std::to_string(profile.streams.size()) << " hot data streams cover "
      << percent(profile.covered(), profile.references) << " of "
      << std::to_string(profile.references) << " references (" << name_of(profile.detector)
      << ", heat " << std::to_string(profile.heat_threshold) << " and more)\n";
  if (profile.dropped != 0) {
    out << std::to_string(profile.dropped) << " references beyond the trace's bound were dropped\n";
  }
  for (const ProfiledStream& stream : profile.streams) {
    const uint64_t length = stream.signature.size();
    out << "heat " << std::to_string(stream.heat) << ", "
        << percent(stream.heat, profile.references) << ": " << std::to_string(stream.heat / length)
        << " times " << std::to_string(length) << " references, " << std::to_string(stream.variants)
        << " with addresses of their own, first at " << hexadecimal(stream.first.address) << '\n';
    for (const uint64_t pc : stream.signature) out << "  " << place(pc, names) << '\n';
  }
}

void write_streams_json(const StreamProfile& profile, std::ostream& out,
                        const ProgramNames& names) {
  out << "{\n  \"covered\": " << std::to_string(profile.covered()) << ",\n  \"detector\": \""
      << name_of(profile.detector) << "\",\n  \"dropped\": " << std::to_string(profile.dropped)
      << ",\n  \"heat_threshold\": " << std::to_string(profile.heat_threshold)
      << ",\n  \"references\": " << std::to_string(profile.references)
      << ",\n  \"schema_version\": 1,\n  \"streams\": [";
  const char* separator = "\n";
  for (const ProfiledStream& stream : profile.streams) {
    out << separator << "    {\"accesses\": [";
    const char* comma = "";
    for (const uint64_t pc : stream.signature) {
      out << comma << json_place(pc, names);
      comma = ", ";
    }
    out << "], \"first_address\": \"" << hexadecimal(stream.first.address)
        << "\", \"heat\": " << std::to_string(stream.heat)
        << ", \"share\": " << fixed(ratio(stream.heat, profile.references), 6)
        << ", \"variants\": " << std::to_string(stream.variants) << '}';
    separator = ",\n";
  }
  out << (profile.streams.empty() ? "]" : "\n  ]")
      << ",\n  \"threshold_reached\": " << (profile.threshold_reached ? "true" : "false")
      << "\n}\n";
}

void write_calls_text(const Profile& profile, std::ostream& out, const ProgramNames& names) {
  for (const auto& [tuple, count] : profile.by_count()) {
    out << std::to_string(count) << ' ' << percent(count, profile.total()) << ' '
        << place(tuple.pc, names);
    if (tuple.tag == kCallPairTag) out << " -> " << place(tuple.value, names);
    out << '\n';
  }
}

void write_calls_json(const Profile& profile, std::ostream& out, const ProgramNames& names) {
  out << "{\n  \"entries\": [";
  const char* separator = "\n";
  for (const auto& [tuple, count] : profile.by_count()) {
    out << separator << "    {";
    if (tuple.tag == kCallPairTag) {
      out << "\"callee\": " << json_place(tuple.value, names)
          << ", \"caller\": " << json_place(tuple.pc, names);
    } else {
      out << "\"method\": " << json_place(tuple.pc, names);
    }
    out << ", \"count\": " << std::to_string(count)
        << ", \"share\": " << fixed(ratio(count, profile.total()), 6) << '}';
    separator = ",\n";
  }
  out << (profile.empty() ? "]" : "\n  ]")
      << ",\n  \"schema_version\": 1,\n  \"total\": " << std::to_string(profile.total()) << "\n}\n";
}

}  // namespace strobe::profile
