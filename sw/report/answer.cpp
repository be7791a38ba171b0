#include "sw/report/answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "sw/explore/space/question.h"
#include "sw/explore/store/schema.h"
#include "sw/report/confidence.h"
#include "sw/report/design_results.h"
#include "sw/report/number.h"

namespace strobe::report {
namespace {

using explore::Condition;
using explore::Expression;
using explore::Question;
using explore::Value;

constexpr int kFirstWithProgress = 3;  // the first version of the schema that says what is planned

std::string number_of(size_t number, const char* what) {
  return fmt::format("{} {}{}", exact_or_rounded(static_cast<double>(number)), what,
                     number == 1 ? "" : "s");
}

/// Answers one question with the designs of one sweep.
class Query {
 public:
  Query(explore::Database& database, const Question& question)
      : database_(database), question_(question), results_(database) {
    std::vector<const Expression*> expressions{&question.best.expression};
    for (const Condition& condition : question.where) expressions.push_back(&condition.expression);
    for (const Question::Part& part : question.answer) {
      if (part.value) expressions.push_back(&*part.value);
    }
    for (const Expression* expression : expressions) {
      for (const std::string& name : expression->names()) {
        results_.read(explore::Statistic(name).key);
      }
    }
  }

  Answer answer() {
    Answer answer{question_.ask, so_far(), std::nullopt};
    for (const DesignResults& design : results_.designs()) {
      if (!results_.is_whole(design)) {
        ++unanswered_;
      } else if (design.feasible) {
        candidates_.push_back(&design);
      }
    }
    for (const DesignResults* design : candidates_) {
      if (meets(*design, nullptr) && best_of(*design)) qualifying_.push_back(design);
    }
    if (candidates_.empty()) {
      answer.sentence += nothing_to_compare();
    } else if (qualifying_.empty()) {
      answer.sentence += what_to_loosen();
    } else {
      const DesignResults& best = *best_design();
      answer.design = best.id;
      answer.sentence += filled(best) + rivals(best);
    }
    answer.sentence += left_out();
    return answer;
  }

 private:
  /// The beginning of an answer of a sweep that has not ended.
  std::string so_far() {
    if (database_.integer("PRAGMA user_version") < kFirstWithProgress) return "";
    if (database_.integer("SELECT ended FROM sweep") != 0) return "";
    const auto planned = static_cast<size_t>(database_.integer("SELECT planned FROM sweep"));
    return fmt::format(
        "So far, {} of {}: ", exact_or_rounded(static_cast<double>(results_.points())),
        number_of(std::max(planned, results_.points()), "point"));
  }

  Value value(const DesignResults& design, const std::string& name) const {
    const auto number = [](size_t value) { return Value::number(static_cast<double>(value)); };
    if (name == "design") return Value::text(&design.label);
    if (name == "programs") return number(results_.programs());
    if (name == "seeds") return number(results_.seeds());
    if (name == "designs") return number(candidates_.size());
    if (name == "qualifying") return number(qualifying_.size());
    return results_.value(design, name);
  }

  std::vector<Value> values(const DesignResults& design, const Expression& expression) const {
    std::vector<Value> values;
    for (const std::string& name : expression.names()) values.push_back(value(design, name));
    return values;
  }

  /// Whether all conditions hold but `without`.
  bool meets(const DesignResults& design, const Condition* without) const {
    return std::all_of(question_.where.begin(), question_.where.end(), [&](const Condition& one) {
      return &one == without || one.expression.holds(values(design, one.expression));
    });
  }

  std::optional<double> best_of(const DesignResults& design) const {
    const Expression& best = question_.best.expression;
    const Value value = best.value(values(design, best));
    if (value.kind != Value::Kind::kNumber) return std::nullopt;
    return value.as_number;
  }

  const DesignResults* best_design() const {
    const double sign = question_.maximize ? -1 : 1;
    return *std::min_element(
        qualifying_.begin(), qualifying_.end(),
        [&](const auto* a, const auto* b) { return sign * *best_of(*a) < sign * *best_of(*b); });
  }

  /// Whether an expression is a mean of results over several seeds.
  bool is_over_seeds(const DesignResults& design, const Expression& expression) const {
    if (results_.seeds() < 2 || !expression.is_name()) return false;
    const explore::Statistic statistic(expression.names()[0]);
    return statistic.what != "min" && statistic.what != "max" &&
           design.by_result.count(statistic.key) != 0;
  }

  /// The interval of such a mean.
  std::optional<double> half_width(const DesignResults& design,
                                   const Expression& expression) const {
    if (!is_over_seeds(design, expression)) return std::nullopt;
    return results_.half_width(design, explore::Statistic(expression.names()[0]).key);
  }

  std::string shown(const DesignResults& design, const Expression& expression) const {
    const Value value = expression.value(values(design, expression));
    if (value.kind == Value::Kind::kText) return *value.as_text;
    if (value.kind == Value::Kind::kNothing) return "-";
    // A setting is as the sweep file has it.
    if (expression.is_name() && results_.is_axis(expression.names()[0])) {
      return fmt::format("{:.15g}", value.as_number);
    }
    const auto half = half_width(design, expression);
    if (!half) {
      return exact_or_rounded(value.as_number) +
             (is_over_seeds(design, expression) ? " ± - (no seed touches it)" : "");
    }
    NumberColumn column;
    column.add(value.as_number);
    return column.text(value.as_number, half);
  }

  std::string filled(const DesignResults& design) const {
    std::string sentence;
    for (const Question::Part& part : question_.answer) {
      sentence += part.text;
      if (part.value) sentence += shown(design, *part.value);
    }
    return sentence;
  }

  /// The other designs that qualify and are as good, or may be.
  std::string rivals(const DesignResults& best) const {
    const Expression& expression = question_.best.expression;
    const double least = *best_of(best);
    const auto half = half_width(best, expression);
    size_t equal = 0, overlapping = 0;
    for (const DesignResults* other : qualifying_) {
      if (other == &best) continue;
      const double value = *best_of(*other);
      const auto its = half_width(*other, expression);
      equal += value == least ? 1 : 0;
      overlapping += half && its && std::abs(value - least) <= *half + *its ? 1 : 0;
    }
    if (overlapping > 0) {
      return fmt::format(" Its {:g} % confidence interval over {} overlaps with {} of {}.",
                         100 * kConfidence, number_of(results_.seeds(), "seed"),
                         overlapping == 1 ? "that" : "those",
                         number_of(overlapping, "other qualifying design"));
    }
    if (equal == 0) return "";
    return fmt::format(" {} as good.", equal == 1 ? "One other design is"
                                                  : number_of(equal, "other design") + " are");
  }

  std::string nothing_to_compare() const {
    if (results_.designs().size() > unanswered_) {
      return "No design satisfies the constraints of the sweep; loosen them.";
    }
    return "No design has all its points done yet.";
  }

  /// Says that no design qualifies, which condition prevents it, and by how much.
  std::string what_to_loosen() const {
    const std::string none =
        fmt::format("None of {} qualifies. ",
                    candidates_.size() == 1 ? "1 design" : number_of(candidates_.size(), "design"));
    const Condition* loose = nullptr;
    std::vector<const DesignResults*> most;
    for (const Condition& condition : question_.where) {
      std::vector<const DesignResults*> others;
      for (const DesignResults* design : candidates_) {
        if (meets(*design, &condition) && best_of(*design)) others.push_back(design);
      }
      if (others.size() > most.size()) {
        most = std::move(others);
        loose = &condition;
      }
    }
    if (loose == nullptr) return none + no_single_reason();
    return none + fmt::format("Loosen '{}': without it {} would qualify{}.",
                              loose->expression.source(), number_of(most.size(), "design"),
                              nearest(most, loose->expression));
  }

  /// The design of `designs` whose sides of a comparison are the nearest to each other.
  std::string nearest(const std::vector<const DesignResults*>& designs,
                      const Expression& comparison) const {
    const DesignResults* near = nullptr;
    std::pair<double, double> sides;
    for (const DesignResults* design : designs) {
      const auto its = comparison.sides(values(*design, comparison));
      if (!its) return "";
      if (near == nullptr ||
          std::abs(its->first - its->second) < std::abs(sides.first - sides.second)) {
        near = design;
        sides = *its;
      }
    }
    return fmt::format(", and the nearest to it is {}, with {} against {}", near->label,
                       exact_or_rounded(sides.first), exact_or_rounded(sides.second));
  }

  /// The conditions that fail together, or the value that no design has.
  std::string no_single_reason() const {
    const Condition* hardest = nullptr;
    size_t fewest = 0;
    for (const Condition& condition : question_.where) {
      const auto met = static_cast<size_t>(
          std::count_if(candidates_.begin(), candidates_.end(), [&](const DesignResults* design) {
            return condition.expression.holds(values(*design, condition.expression));
          }));
      if (hardest != nullptr && met >= fewest) continue;
      hardest = &condition;
      fewest = met;
    }
    if (hardest == nullptr || fewest == candidates_.size()) {
      return fmt::format("No run produced a number for '{}'.", question_.best.expression.source());
    }
    return fmt::format("Loosen '{}' first, which {} of them meet, and then another condition.",
                       hardest->expression.source(), fewest);
  }

  std::string left_out() const {
    if (unanswered_ == 0 || candidates_.empty()) return "";
    return unanswered_ == 1 ? " 1 design is left out: not all its points are done."
                            : fmt::format(" {} are left out: not all their points are done.",
                                          number_of(unanswered_, "design"));
  }

  explore::Database& database_;
  const Question& question_;
  SweepResults results_;
  std::vector<const DesignResults*> candidates_, qualifying_;
  size_t unanswered_ = 0;  // designs with a point that failed or is missing
};

}  // namespace

std::optional<Answer> answer_of(explore::Database& database) {
  explore::Statement sweep(database, "SELECT file FROM sweep");
  if (!sweep.step()) return std::nullopt;
  const auto question = explore::question_of(sweep.text(0));
  if (!question) return std::nullopt;
  return Query(database, *question).answer();
}

}  // namespace strobe::report
