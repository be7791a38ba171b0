// The error of a question that a result cannot answer.
#pragma once

#include <stdexcept>

namespace strobe::answer {

/// One sentence: what cannot be answered, where, what was expected, what there is, what to do.
class AnswerError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace strobe::answer
