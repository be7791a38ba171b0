#include "sw/explore/space/question.h"

#include <fmt/format.h>

#include <utility>

#include "sw/yaml/scalar.h"

namespace strobe::explore {
namespace {

using text::Diagnostics;
using yaml::Entry;
using yaml::MapReader;
using yaml::Node;

constexpr auto kStatistics = Expression::Names::kStatistics;

/// Reads `min: EXPRESSION` or `max: EXPRESSION`.
void read_best(MapReader* map, Question* question) {
  const Entry* best = map->require("best");
  if (best == nullptr) return;
  const bool pair = best->value.kind == Node::Kind::kMap && best->value.entries.size() == 1 &&
                    (best->value.entries[0].key == "min" || best->value.entries[0].key == "max");
  if (!pair) {
    map->error(best->value.mark, "best",
               "expected 'min: EXPRESSION' or 'max: EXPRESSION', got " + best->value.what());
    return;
  }
  const Entry& entry = best->value.entries[0];
  question->maximize = entry.key == "max";
  read_condition(entry.value, "best", kStatistics, map, &question->best);
}

/// Reads a sentence with expressions in braces.
void read_answer(MapReader* map, Question* question) {
  const Entry* entry = map->require("answer");
  if (entry == nullptr) return;
  const yaml::Mark& mark = question->answer_mark = entry->value.mark;
  std::string why;
  const auto sentence = yaml::text_of(entry->value, &why);
  if (!sentence) return map->error(mark, "answer", "wrong type, " + why);
  size_t at = 0;
  for (size_t brace; (brace = sentence->find('{', at)) != std::string::npos;) {
    const size_t end = sentence->find('}', brace);
    if (end == std::string::npos) {
      return map->error(mark, "answer",
                        fmt::format("character {}: expected a '}}' that ends the expression, got "
                                    "the end",
                                    brace + 1));
    }
    Question::Part& part = question->answer.emplace_back();
    part.text = sentence->substr(at, brace - at);
    if (!Expression::parse(sentence->substr(brace + 1, end - brace - 1), &part.value.emplace(),
                           &why, kStatistics)) {
      return map->error(
          mark, "answer",
          fmt::format("wrong expression in the braces at character {}, {}", brace + 1, why));
    }
    at = end + 1;
  }
  question->answer.push_back({sentence->substr(at), std::nullopt});
}

}  // namespace

std::optional<Question> read_question(const Node& node, Diagnostics* diagnostics) {
  const size_t before = diagnostics->size();
  MapReader map(node, "question", diagnostics);
  Question question;
  question.ask = map.text("ask").value_or("");
  question.where = read_conditions("where", kStatistics, &map);
  read_best(&map, &question);
  read_answer(&map, &question);
  map.reject_unknown_keys();
  if (diagnostics->size() > before) return std::nullopt;
  return question;
}

std::optional<Question> question_of(const std::string& sweep_file) {
  Node root;
  Diagnostics ignored;  // the sweep has shown them
  if (!yaml::parse_yaml(sweep_file, {}, &root, &ignored)) return std::nullopt;
  const Entry* entry = root.find("question");
  return entry == nullptr ? std::nullopt : read_question(entry->value, &ignored);
}

}  // namespace strobe::explore
