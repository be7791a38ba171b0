// A sweep file. Reading checks it as far as is possible without its run file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sw/explore/space/condition.h"
#include "sw/explore/space/question.h"
#include "sw/text/diagnostic.h"
#include "sw/yaml/document.h"

namespace strobe::explore {

/// One value of an axis.
struct AxisValue {
  yaml::Node node;    // with its includes read
  std::string text;   // the same on one line, as YAML
  std::string shown;  // the same for people: the file's name for a map that only includes a file
  Value::Kind kind = Value::Kind::kNothing;  // as in expressions
  double number = 0;

  Value value() const { return {kind, number, &node.scalar}; }
};

/// Keys that change together: one key of `grid`, all of `zip`, all of `list`.
struct Axis {
  std::vector<std::string> keys;
  std::vector<yaml::Mark> marks;  // the keys'
  /// rows[i][k]: value i of key k; absent where an entry of `list` does not name the key.
  std::vector<std::vector<std::optional<AxisValue>>> rows;
  /// By row, where the entries of `list` have names: for people they stand for the row's values.
  std::vector<std::string> names;
};

/// The axis that a table shows for one with names.
inline constexpr const char* kNameAxis = "name";

struct Workload {
  std::string name;  // the name of the file without .yaml, or the given name
  yaml::Node node;   // replaces the run file's workload; null: the run file's own
};

struct Objective {
  std::string key;
  bool maximize = false;
  yaml::Mark mark;
};

enum class SearchKind { kExhaustive, kRandom, kSuccessiveHalving, kNsga2 };

struct Search {
  SearchKind kind = SearchKind::kExhaustive;
  /// For random, the designs drawn; for successive-halving, the designs of the first rung.
  uint64_t points = 100;
  uint64_t seed = 1;
  std::string budget;         // successive-halving: the key that makes a point cheaper
  uint64_t from = 0, to = 0;  // its first and last value
  uint64_t eta = 3;           // one design in so many goes on, with so many times the budget
  uint64_t population = 24, generations = 10;  // for nsga2
};

struct Limits {
  uint64_t memory = 0;   // bytes for each run; 0: no limit
  uint64_t seconds = 0;  // for each run; 0: no limit
  uint64_t runs = 1000;  // more runs need an explicit request
};

struct Synthesis {
  std::string library = "osu018";
  std::string macros;
};

struct LauncherConfig {
  std::string command;              // template for launcher `command`
  std::vector<std::string> sbatch;  // further options for sbatch
};

struct SweepFile {
  std::string path, text;
  std::string base;  // the path of the run file
  std::vector<Axis> axes;
  std::vector<Workload> workloads;  // at least one
  std::vector<uint64_t> seeds;      // empty: the run file's
  std::vector<Condition> where;
  std::vector<Objective> objectives;
  std::vector<Condition> constraints;
  std::optional<Question> question;
  Search search;
  Limits limits;
  Synthesis synthesis;
  LauncherConfig launcher;
};

/// Reads a sweep file. Errors are appended to `diagnostics`.
SweepFile read_sweep_file(const std::string& path, text::Diagnostics* diagnostics);

/// A tree on one line of YAML.
std::string flow_text(const yaml::Node& node);

}  // namespace strobe::explore
