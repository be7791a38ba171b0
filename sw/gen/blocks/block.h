// The descriptions of configs/blocks, checked, as plain structs: the parameters of the profiling
// path, and the compressors. docs/extending.md has the meaning of each key.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sw/gen/blocks/expression.h"
#include "sw/gen/register_map.h"
#include "sw/text/diagnostic.h"

namespace strobe::gen {

/// A field of CAP2 that shows a parameter to drivers.
struct Capability {
  Field field;
  bool given() const { return !field.name.empty(); }
};

/// A parameter of the RTL.
struct Parameter {
  std::string name;  // snake_case; the RTL has it in UpperCamel
  std::string unit, description;
  std::string elsewhere;             // why kinds that lack it do
  std::string type;                  // the C++ type with its choices
  std::vector<std::string> choices;  // names of 0, 1, ...
  unsigned default_value = 0;
  Expression low, high;  // the range; of a parameter with choices all of them
  bool power_of_two = false, or_none = false;
  std::string at_most;  // another parameter that it does not exceed
  Capability capability;

  std::string rtl() const;  // "queue_depth": "QueueDepth"
};

/// A parameter as one compressor has it.
struct Use {
  std::string parameter;    // a name of Blocks::parameters
  std::string key;          // its key in a run file
  Parameter own;            // a renamed key has its own description, range and default
  Expression matters_when;  // its value decides on messages; empty: always
  bool renamed() const { return key != parameter; }
};

/// A field of a compressor's register: a parameter that software sets at run time.
struct Setting {
  std::string name, unit, description, elsewhere;
  std::string register_name;
  Field field;
  unsigned number_bits = 0;  // from the field's lowest bit to that of the next field, or to 63
  Expression low, high, at_most, zero_is;  // what the key in a run file has
};

/// An alternative; the first whose `when` holds is the one.
struct RtlModule {
  std::string module;
  Expression when;
  std::vector<std::pair<std::string, std::string>> parameters;  // its own, the compressor's
  std::vector<std::string> inputs;
};
struct ReferenceClass {
  std::string name, header;
  Expression when;
};

/// A limit of PERIOD.
struct LongestPeriod {
  Expression when, is;
  std::string because;
};

/// Another name in run files, with fixed parameters.
struct ProfilerKind {
  std::string name, paper;
  std::vector<std::pair<std::string, Expression>> parameters;
};

/// RTL against reference: tb/TEST_test.cpp over the points of a module.
struct Bench {
  std::string test, models, top, keys;
  std::vector<std::string> points, long_points;
};

struct Compressor {
  std::string name;   // that of its file
  unsigned kind = 0;  // CAP1.kind; one more than its number in the RTL
  std::string title, paper, page;
  unsigned latency = 0;
  std::vector<RtlModule> rtl;
  Expression entry_width;
  std::vector<ReferenceClass> reference;
  std::string observer;
  std::vector<std::string> observer_headers;
  bool second_level = true, rate = true;
  std::string no_second_level, no_rate;  // why not
  std::vector<Use> uses;
  std::vector<Setting> settings;
  std::vector<Register> registers;
  Expression draws, estimates, storage;
  std::vector<LongestPeriod> longest_period;
  std::vector<ProfilerKind> profiler_kinds;
  std::vector<std::pair<std::string, std::vector<std::string>>> lint;  // module, points
  Bench bench;
  std::vector<std::string> path_points, four_state, long_four_state, synthesis, runs;

  std::string camel() const;  // "run_length": "RunLength"
};

struct Blocks {
  std::vector<Parameter> parameters;    // in the order of a point's name
  std::vector<std::string> keys;        // what run files have, in their order
  std::vector<Compressor> compressors;  // in the order of their kinds
  std::vector<std::string> shared;      // parameters that are the path's or several compressors'

  const Parameter& parameter(const std::string& name) const;
  /// Those of the compressors' keys that `name` belongs to.
  std::vector<const Compressor*> with_key(const std::string& name) const;
};

/// Reads every file of `folder` (configs/blocks). Returns nothing, and adds every fault to
/// `diagnostics`, when one is wrong: unknown keys, names, numbers and expressions, kinds that are
/// not 1, 2, ..., points that name no parameter.
std::optional<Blocks> read_blocks(const std::string& folder, text::Diagnostics* diagnostics);

}  // namespace strobe::gen
