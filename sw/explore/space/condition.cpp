#include "sw/explore/space/condition.h"

#include <utility>

#include "sw/yaml/scalar.h"

namespace strobe::explore {

using yaml::Node;

bool read_condition(const Node& node, const std::string& key, Expression::Names names,
                    yaml::MapReader* map, Condition* condition) {
  std::string why;
  const auto text = yaml::text_of(node, &why);
  condition->mark = node.mark;
  if (!text) {
    map->error(node.mark, key, "wrong type, " + why);
    return false;
  }
  if (Expression::parse(*text, &condition->expression, &why, names)) return true;
  map->error(node.mark, key, "wrong expression, " + why);
  return false;
}

std::vector<Condition> read_conditions(const std::string& key, Expression::Names names,
                                       yaml::MapReader* map) {
  std::vector<Condition> conditions;
  const yaml::Entry* entry = map->find(key);
  if (entry == nullptr) return conditions;
  const std::vector<Node> one = {entry->value};
  const bool list = entry->value.kind == Node::Kind::kSequence;
  for (const Node& item : list ? entry->value.items : one) {
    Condition condition;
    if (read_condition(item, key, names, map, &condition)) {
      conditions.push_back(std::move(condition));
    }
  }
  return conditions;
}

}  // namespace strobe::explore
