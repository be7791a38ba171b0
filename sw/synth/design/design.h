// What is synthesized: a module at a parameter point, and its elaborated hierarchy.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sw/synth/design/block_list.h"
#include "sw/synth/memory/sram.h"

namespace strobe::synth {

struct Port {
  std::string name;
  int width = 1;
  bool input = false;
};

struct Module {
  std::string name;                        // as in the source
  std::map<std::string, long> parameters;  // all of them that are numbers of up to 64 bits
  std::vector<Port> ports;
  std::map<std::string, std::string> instances;  // "gen_bank[0].u_ram" to a key of Design::modules
  std::string no_number = "";  // a parameter that is not such a number; empty: there is none
  std::string memory = "";     // "a.sv:7": the first memory directly in the module; empty: none
};

/// The names of a signal: the block it is in, and its name there.
struct SignalName {
  std::string block;
  std::string signal;
};

struct Design {
  std::string top;  // a key of `modules`
  std::map<std::string, Module> modules;

  /// Every memory of the hierarchy below the top, and how often it occurs.
  std::map<MemorySize, int> memories() const;
  /// The top with all its parameters that are numbers, in the form in which its children have them.
  Point point() const;
  /// The blocks of the hierarchy with all their parameters, the top last. Memories are left out.
  std::vector<Point> blocks() const;
  /// The names of all modules in the hierarchy, as in the source.
  std::set<std::string> source_modules() const;
  /// Splits "u_queue.gen_bank[0].we" into the innermost block and the rest.
  SignalName resolve(const std::string& path) const;
};

/// Throws std::invalid_argument when no file of rtl/ has this name.
void require_module(const std::string& name);

/// Elaborates a point with Yosys. Throws std::runtime_error when it does not elaborate.
Design elaborate(const Point& point);

/// The Yosys commands that read the packages and `modules` and elaborate the point, after which the
/// top is called strobe_block. The file `memories` replaces strobe_ram_1r1w unless it is empty.
/// Files are relative to source_directory(). When `modules` are those of the point's own hierarchy,
/// neither other files of rtl/ nor the folder of the tree can change the result.
std::string read_commands(const Point& point, const std::set<std::string>& modules,
                          const std::string& memories);

/// The hash of everything in rtl/ and of the yardstick, for the key of the cache.
std::string rtl_hash();
/// The hash of the packages, the headers and these modules.
std::string rtl_hash(const std::set<std::string>& modules);
/// The files of the packages, headers and these modules.
std::vector<std::filesystem::path> rtl_sources(const std::set<std::string>& modules);

}  // namespace strobe::synth
