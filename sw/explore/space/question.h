// The question of a sweep file, and the query over its results that answers it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sw/explore/space/condition.h"

namespace strobe::explore {

struct Question {
  /// A part of the answer: a text, then the value of an expression, which the last part lacks.
  struct Part {
    std::string text;
    std::optional<Expression> value;
  };

  std::string ask;
  std::vector<Condition> where;  // a design qualifies when all hold
  Condition best;                // the design with the best value answers, if it qualifies
  bool maximize = false;         // whether the best value is the largest
  std::vector<Part> answer;
  yaml::Mark answer_mark;
};

/// The names of an answer that are neither axes nor results: the answering design, what it ran, and
/// how many designs there are and qualify.
inline constexpr const char* kAnswerNames[] = {"design", "programs", "seeds", "designs",
                                               "qualifying"};

/// Reads the map under `question`. Returns nullopt after an error.
std::optional<Question> read_question(const yaml::Node& node, text::Diagnostics* diagnostics);

/// The question of a sweep file that was read before; none: it has none.
std::optional<Question> question_of(const std::string& sweep_file);

}  // namespace strobe::explore
