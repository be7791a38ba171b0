// What `strobe synth` is asked to synthesize: modules at parameter points.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "sw/text/diagnostic.h"

namespace strobe::synth {

/// A module, and the parameters that differ from their defaults.
struct Point {
  std::string module;
  std::map<std::string, long> parameters;

  bool operator==(const Point& other) const {
    return module == other.module && parameters == other.parameters;
  }
  /// "strobe_tuple_queue Lanes=8 Depth=64".
  std::string text() const;
};

/// The inverse of Point::text(). Throws std::invalid_argument.
Point parse_point(const std::string& text);

/// The contents of blocks.yaml.
struct BlockList {
  std::vector<Point> blocks;
  std::set<std::string> composed;  // modules that are composed of their children
};

/// Reads blocks.yaml.
BlockList read_blocks(const std::string& file, text::Diagnostics* diagnostics);

}  // namespace strobe::synth
