// A sweep file, read and checked as far as it can be without its run file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sw/explore/expression.h"
#include "sw/text/diagnostic.h"
#include "sw/yaml/document.h"

namespace strobe::explore {

/// One value of an axis.
struct AxisValue {
  yaml::Node node;    // with its includes read
  std::string text;   // the same on one line, as YAML
  std::string shown;  // the same for people: of a map that only includes a file, the file's name
  Value::Kind kind = Value::Kind::kNothing;  // in expressions
  double number = 0;

  Value value() const { return {kind, number, &node.scalar}; }
};

/// Keys that change together: one key of `grid`, all of `zip`, all of `list`.
struct Axis {
  std::vector<std::string> keys;
  std::vector<yaml::Mark> marks;  // of the keys
  /// rows[i][k]: value i of key k; absent where an entry of `list` does not name the key.
  std::vector<std::vector<std::optional<AxisValue>>> rows;
};

struct Workload {
  std::string name;  // of the file without .yaml, or as given
  yaml::Node node;   // what replaces the run file's workload; null: the run file's own
};

struct Objective {
  std::string key;
  bool maximize = false;
  yaml::Mark mark;
};

/// A condition of the file and where it stands.
struct Condition {
  Expression expression;
  yaml::Mark mark;
};

enum class SearchKind { kExhaustive, kRandom, kSuccessiveHalving, kNsga2 };

struct Search {
  SearchKind kind = SearchKind::kExhaustive;
  uint64_t points = 100;  // random: designs drawn; successive-halving: designs of the first rung
  uint64_t seed = 1;
  std::string budget;         // successive-halving: the key that makes a point cheaper
  uint64_t from = 0, to = 0;  // its first and last value
  uint64_t eta = 3;           // one in so many goes on, with so many times the budget
  uint64_t population = 24, generations = 10;  // nsga2
};

struct Limits {
  uint64_t memory = 0;   // bytes of a run; 0: none
  uint64_t seconds = 0;  // of a run; 0: none
  uint64_t runs = 1000;  // more are started only when told so
};

struct Synthesis {
  std::string library = "osu018";
  std::string macros;
};

struct LauncherConfig {
  std::string command;              // template of launcher `command`
  std::vector<std::string> sbatch;  // further options of sbatch
};

struct SweepFile {
  std::string path, text;
  std::string base;  // path of the run file
  std::vector<Axis> axes;
  std::vector<Workload> workloads;  // at least one
  std::vector<uint64_t> seeds;      // empty: the run file's
  std::vector<Condition> where;
  std::vector<Objective> objectives;
  std::vector<Condition> constraints;
  Search search;
  Limits limits;
  Synthesis synthesis;
  LauncherConfig launcher;
};

/// Reads a sweep file. Faults are appended to `diagnostics`.
SweepFile read_sweep_file(const std::string& path, text::Diagnostics* diagnostics);

/// A tree on one line of YAML.
std::string flow_text(const yaml::Node& node);

}  // namespace strobe::explore
