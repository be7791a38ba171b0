// The conditions of a sweep file: expressions and where they stand.
#pragma once

#include <string>
#include <vector>

#include "sw/explore/space/expression.h"
#include "sw/yaml/map_reader.h"

namespace strobe::explore {

struct Condition {
  Expression expression;
  yaml::Mark mark;
};

/// Reads the expression of a scalar. Returns false after an error, which the map has reported at
/// the scalar, under `key`.
bool read_condition(const yaml::Node& node, const std::string& key, Expression::Names names,
                    yaml::MapReader* map, Condition* condition);

/// Reads one expression or a list of them, which may be absent.
std::vector<Condition> read_conditions(const std::string& key, Expression::Names names,
                                       yaml::MapReader* map);

}  // namespace strobe::explore
