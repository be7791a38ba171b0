// The long forms of the lockstep checks against Unicorn.
//
//   strobe-lockstep random [--count N] [--seed S]          random streams; default 10^7
//   instructions strobe-lockstep program [--limit N] [--read DIR] ELF [args]    a static RV64GC
//   Linux program
#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <string>
#include <vector>

#include "tests/unit/isa/lockstep/program_lockstep.h"
#include "tests/unit/isa/lockstep/random_lockstep.h"

namespace {

using strobe::isa::lockstep::ProgramResult;
using strobe::isa::lockstep::RandomResult;

int usage() {
  fmt::print(stderr,
             "usage: strobe-lockstep random [--count N] [--seed S]\n"
             "       strobe-lockstep program [--limit N] [--read DIR] ELF [args]\n");
  return 2;
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

int report(uint64_t instructions, double seconds, const std::string& difference) {
  fmt::print("{} instructions compared, {:.2f} million a second\n", instructions,
             static_cast<double>(instructions) / seconds / 1e6);
  if (difference.empty()) return 0;
  fmt::print("DIFFERENT: {}\n", difference);
  return 1;
}

int random(const std::vector<std::string>& args) {
  uint64_t count = 10000000, seed = 1;
  for (size_t i = 0; i + 1 < args.size(); i += 2) {
    if (args[i] == "--count") {
      count = std::stoull(args[i + 1]);
    } else if (args[i] == "--seed") {
      seed = std::stoull(args[i + 1]);
    } else {
      return usage();
    }
  }
  const auto start = std::chrono::steady_clock::now();
  const RandomResult r = strobe::isa::lockstep::run_random(count, seed);
  fmt::print("seed {}, {} instructions not compared (known errors of Unicorn)\n", seed, r.excluded);
  return report(r.instructions, seconds_since(start), r.difference);
}

int program(std::vector<std::string> args) {
  uint64_t limit = 0;
  std::vector<std::string> readable;
  while (args.size() >= 2 && args[0].rfind("--", 0) == 0) {
    if (args[0] == "--limit") {
      limit = std::stoull(args[1]);
    } else if (args[0] == "--read") {
      readable.push_back(args[1]);
    } else {
      return usage();
    }
    args.erase(args.begin(), args.begin() + 2);
  }
  if (args.empty()) return usage();
  const std::string elf = args[0];
  args.erase(args.begin());
  const auto start = std::chrono::steady_clock::now();
  const ProgramResult r = strobe::isa::lockstep::run_program(elf, args, readable, limit);
  fmt::print("{}exit code {}, {} system calls\n", r.output, r.exit_code, r.system_calls);
  return report(r.instructions, seconds_since(start), r.difference);
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> args(argv + 1, argv + argc);
  if (args.empty()) return usage();
  const std::string command = args[0];
  args.erase(args.begin());
  try {
    if (command == "random") return random(args);
    if (command == "program") return program(args);
  } catch (const std::exception& error) {
    fmt::print(stderr, "strobe-lockstep: error: {}\n", error.what());
    return 2;
  }
  return usage();
}
