// The exhaustive hot profiles of a program, and what finding them takes.
//
//   strobe-hot-streams [--references N] [--report] ELF [args]     N: stop after so many; default
//   10^7
#include <fmt/format.h>

#include <cstdlib>
#include <cstring>
#include <ctime>
#include <exception>
#include <iostream>
#include <string>
#include <vector>

#include "sc_models/machine/guest/program_names.h"
#include "sw/profile/reports/call_profiles.h"
#include "sw/profile/reports/reports.h"
#include "sw/profile/streams/stream_observer.h"
#include "tests/e2e/process/observed_program.h"

namespace {

using namespace strobe;
using profile::StreamDetector;

/// Keeps the references, so that Sequitur is timed alone.
struct Recorder {
  void record(const RetireRecord& record) {
    calls.record(record);
    const bool memory = record.opclass == OpClass::kLoad || record.opclass == OpClass::kStore ||
                        record.opclass == OpClass::kAmo;
    if (memory && references.size() < limit) {
      references.push_back({record.pc_rdata, record.mem_addr});
    }
  }
  size_t limit = 10'000'000;
  std::vector<profile::Reference> references;
  profile::CallProfiler calls;
};

/// Processor time: the machine may be busy.
double seconds_since(std::clock_t start) {
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

int run(const std::string& elf, const std::vector<std::string>& args, size_t limit, bool report) {
  Recorder recorder;
  recorder.limit = limit;
  e2e::run_observed(elf, args, recorder);
  auto start = std::clock();
  profile::ReferenceTrace trace;
  for (const profile::Reference& reference : recorder.references) trace.add(reference);
  const profile::Grammar grammar = trace.grammar();
  fmt::print("{} references, grammar of {} symbols, {} rules, {:.1f} MB, {:.2f} s\n",
             trace.references(), grammar.symbols(), grammar.rules(),
             static_cast<double>(trace.bytes()) / 1e6, seconds_since(start));

  const isa::ElfFile program = isa::ElfFile::open(elf, uint64_t{1} << 31);
  std::vector<profile::StreamProfile> profiles;
  for (const StreamDetector detector : {StreamDetector::kSymbols, StreamDetector::kSubpaths}) {
    start = std::clock();
    profiles.push_back(profile::stream_profile(trace, detector));
    const profile::StreamProfile& streams = profiles.back();
    fmt::print(
        "{}: heat {}, {} streams, {:.1f} % covered, {:.2f} s\n",
        detector == StreamDetector::kSymbols ? "symbols" : "subpaths", streams.heat_threshold,
        streams.streams.size(),
        100.0 * static_cast<double>(streams.covered()) / static_cast<double>(streams.references),
        seconds_since(start));
    if (report) profile::write_streams_text(streams, std::cout, platform::names_of(program));
  }
  fmt::print("overlap of the two {:.3f}, exact {:.3f}\n",
             profile::overlap(profiles[0], profiles[1]),
             profile::exact_overlap(profiles[0], profiles[1]));
  const profile::Profile pairs = recorder.calls.call_pairs(), methods = recorder.calls.methods();
  const profile::FunctionOf function_of = platform::functions_of(program);
  fmt::print("{} calls in {} pairs of {} pairs of functions, {} entries in {} methods\n",
             pairs.total(), pairs.size(), profile::by_function(pairs, function_of).size(),
             methods.total(), profile::by_function(methods, function_of).size());
  if (report) profile::write_calls_text(pairs, std::cout, platform::names_of(program));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  size_t limit = 10'000'000;
  bool report = false;
  int at = 1;
  for (; at < argc && argv[at][0] == '-'; ++at) {
    if (std::strcmp(argv[at], "--references") == 0 && at + 1 < argc) {
      limit = std::strtoull(argv[++at], nullptr, 0);
    } else if (std::strcmp(argv[at], "--report") == 0) {
      report = true;
    } else {
      break;
    }
  }
  if (at >= argc || argv[at][0] == '-' || limit == 0) {
    fmt::print(stderr, "usage: strobe-hot-streams [--references N] [--report] ELF [args]\n");
    return 2;
  }
  try {
    return run(argv[at], {argv + at + 1, argv + argc}, limit, report);
  } catch (const std::exception& error) {
    fmt::print(stderr, "error: {}\n", error.what());
    return 1;
  }
}
