#include "sw/experiments/sweep_environment.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>

#include "sc_models/machine/profiler/active_profiler.h"
#include "sc_models/profiling/verilated/source_hash.h"
#include "sw/experiments/profiler_point.h"
#include "sw/files/guest_files.h"
#include "sw/process/program_beside.h"
#include "sw/process/version.h"
#include "sw/result/handler_report.h"
#include "sw/result/make_result.h"
#include "sw/result/manifest.h"
#include "sw/result/truth_report.h"
#include "sw/synth/synthesis.h"

namespace strobe {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSearches[] = {"exhaustive", "random", "successive-halving", "nsga2"};

bool simulates_rtl(const config::ProfilerConfig& profiler) {
  return profiler.active && profiler.fidelity != profiling::Fidelity::kModel;
}

bool may_simulate_rtl(const explore::Space& space) {
  const auto& profilers = space.loaded().configuration.profilers;
  if (std::any_of(profilers.begin(), profilers.end(), simulates_rtl)) return true;
  for (const explore::Axis& axis : space.axes()) {
    for (const std::string& key : axis.keys) {
      if (key.rfind("profilers", 0) == 0 &&
          (config::split_path(key).size() < 3 || config::split_path(key)[2] == "fidelity")) {
        return true;
      }
    }
  }
  return false;
}

bool may_simulate_decode_rtl(const explore::Space& space) {
  if (space.loaded().configuration.decode.fidelity != profiling::Fidelity::kModel) return true;
  return std::any_of(space.axes().begin(), space.axes().end(), [](const explore::Axis& axis) {
    return std::any_of(axis.keys.begin(), axis.keys.end(), [](const std::string& key) {
      return key == "decode" || key == "decode.fidelity";
    });
  });
}

/// What is known only after a run.
bool is_open_ended(const std::string& key) {
  const char* const kParts[] = {"counters.",         "sampling.",   "profile.registers.",
                                "profile.handlers.", "instrument.", "overhead_by_class.",
                                "accuracy."};
  return std::any_of(std::begin(kParts), std::end(kParts),
                     [&key](const char* part) { return key.rfind(part, 0) == 0; });
}

/// Every key of a result, numbers or null.
void flatten(const nlohmann::json& value, const std::string& path, std::vector<std::string>* keys) {
  if (value.is_object()) {
    for (const auto& [key, item] : value.items()) {
      flatten(item, path.empty() ? key : path + "." + key, keys);
    }
  } else if (value.is_array()) {
    for (size_t i = 0; i < value.size(); ++i)
      flatten(value[i], fmt::format("{}.{}", path, i), keys);
  } else if (value.is_number() || value.is_null()) {
    keys->push_back(path);
  }
}

std::vector<std::string> result_keys(const config::RunConfig& configuration) {
  platform::RunOutcome outcome;
  for (const config::ProfilerConfig& profiler : configuration.profilers) {
    platform::ProfilerOutcome& empty = outcome.profilers.emplace_back();
    empty.name = profiler.name;
    empty.active = profiler.active;
  }
  nlohmann::json profiles;
  if (configuration.decode.given() || configuration.instrument.given()) {
    platform::HandlersOutcome handlers;  // and may be swept: any profile
    handlers.streams.emplace();
    handlers.call_pairs = handlers.methods.emplace();
    handlers.sandbox = handlers.watchpoint.emplace();
    handlers.edges = handlers.values.emplace();
    profiles = result::HandlerReport(handlers, {}).json();
  }
  std::vector<std::string> keys;
  if (configuration.truth.cycles) {
    platform::TruthOutcome truth;
    truth.period = configuration.truth.sample_period;
    flatten(result::TruthReport(truth, {}, {}).json(), "truth", &keys);
  }
  flatten(result::make_result(configuration, outcome, std::nullopt, profiles), "", &keys);
  for (size_t i = 0; i < configuration.profilers.size(); ++i) {
    for (const char* figure :
         {"area", "logic_area", "flip_flop_area", "memory_area", "gates", "period"}) {
      keys.push_back(fmt::format("profilers.{}.synthesis.{}", i, figure));
    }
  }
  return keys;
}

/// The names that the expressions of a question may have, and what each of them is.
class QuestionNames {
 public:
  QuestionNames(const explore::Space& space, const std::vector<std::string>& results)
      : results_(results) {
    for (const explore::Axis& axis : space.axes()) {
      if (!axis.names.empty()) {
        axes_.emplace(explore::kNameAxis, false);
        continue;
      }
      for (size_t key = 0; key < axis.keys.size(); ++key) {
        bool& number = axes_.emplace(axis.keys[key], true).first->second;
        for (const auto& row : axis.rows) {
          number = number && (!row[key] || row[key]->kind == explore::Value::Kind::kNumber);
        }
      }
    }
  }

  /// What is wrong with a name; "" when nothing is. @param more  further names that are known
  std::string fault(const std::string& name, const std::vector<std::string>& more) const {
    const explore::Statistic statistic(name);
    const std::string& key = statistic.key;
    if (axes_.count(key) != 0) {
      return statistic.what.empty() ? ""
                                    : fmt::format(
                                          "{} is of the points of a design, expected the "
                                          "key of a result in it, got the axis {}",
                                          statistic.what, text::in_quotes(key));
    }
    const auto has = [&key](const std::vector<std::string>& names) {
      return std::find(names.begin(), names.end(), key) != names.end();
    };
    if (is_open_ended(key) || has(results_) || (statistic.what.empty() && has(more))) return "";
    std::vector<std::string> known = results_;
    known.insert(known.end(), more.begin(), more.end());
    for (const auto& axis : axes_) known.push_back(axis.first);
    return fmt::format("{} is neither an axis nor a number of result.json{}", text::in_quotes(key),
                       text::did_you_mean(key, known));
  }

  bool is_text(const std::string& name) const {
    const auto axis = axes_.find(name);
    return axis != axes_.end() && !axis->second;
  }

 private:
  std::map<std::string, bool> axes_;  // whether each has only numbers
  const std::vector<std::string>& results_;
};

void check_question(const explore::Space& space, const std::vector<std::string>& results,
                    text::Diagnostics* diagnostics) {
  const explore::Question& question = *space.file().question;
  const QuestionNames names(space, results);
  const auto check = [&](const explore::Expression& expression, const yaml::Mark& mark,
                         const std::string& key, const std::vector<std::string>& more) {
    for (const std::string& name : expression.names()) {
      const std::string fault = names.fault(name, more);
      if (!fault.empty()) diagnostics->push_back(mark.error("question." + key, fault));
    }
  };
  for (const explore::Condition& condition : question.where) {
    check(condition.expression, condition.mark, "where", {});
  }
  const explore::Expression& best = question.best.expression;
  check(best, question.best.mark, "best", {});
  if (best.is_name() && names.is_text(best.names()[0])) {
    diagnostics->push_back(question.best.mark.error(
        "question.best", fmt::format("expected a number, got the texts of the axis {}",
                                     text::in_quotes(best.names()[0]))));
  }
  for (const explore::Question::Part& part : question.answer) {
    if (!part.value) continue;
    check(*part.value, question.answer_mark, "answer",
          {std::begin(explore::kAnswerNames), std::end(explore::kAnswerNames)});
  }
}

}  // namespace

explore::Environment sweep_environment(const explore::Space& space) {
  explore::Environment environment;
  environment.strobe = program_beside("strobe").string();
  std::string identity = explore::hash_file(environment.strobe);
  environment.firmware = files::guest_file("firmware.elf");
  if (may_simulate_rtl(space)) {
    identity += profiling::hash_of_build({"strobe_profiler", ""});
  }
  if (may_simulate_decode_rtl(space)) identity += profiling::hash_of_build({"strobe_dise", ""});
  if (space.loaded().configuration.instrument.given()) {
    identity += explore::hash_file(files::guest_file("bursty/fold.o"));
  }
  if (!explore::synthesized_profilers(space).empty()) {
    identity += explore::hash_file(program_beside("strobe-experiments").string());
    synth::Options options;
    options.library = space.file().synthesis.library;
    options.macros = space.file().synthesis.macros;
    environment.synthesis_inputs = synth::inputs_of(options);
  }
  environment.identity = explore::hash_text(identity);
  std::string rtl;
  if (may_simulate_rtl(space) || may_simulate_decode_rtl(space)) rtl = profiling::hash_of_sources();
  environment.rtl = [rtl](const config::RunConfig& configuration) {
    return result::rtl_identity(platform::simulates_rtl(configuration) ? rtl : "");
  };
  environment.rtl_build = [](const config::RunConfig& configuration) -> std::string {
    const config::ProfilerConfig* active = platform::active_profiler(configuration);
    if (active == nullptr || !simulates_rtl(*active)) return "";
    return profiler_point(configuration, *active).text();
  };
  environment.block = [](const config::RunConfig& configuration, size_t profiler) {
    return profiler_point(configuration, configuration.profilers.at(profiler)).text();
  };
  return environment;
}

void check_result_keys(const explore::Space& space, text::Diagnostics* diagnostics) {
  const std::vector<std::string> known = result_keys(space.loaded().configuration);
  const auto check = [&](const std::string& key, const yaml::Mark& mark, const char* what) {
    if (is_open_ended(key) || std::find(known.begin(), known.end(), key) != known.end()) return;
    diagnostics->push_back(
        mark.error(what, fmt::format("no run produces {}, expected a number of result.json{}",
                                     text::in_quotes(key), text::did_you_mean(key, known))));
  };
  if (space.file().question) check_question(space, known, diagnostics);
  for (const explore::Objective& objective : space.file().objectives) {
    check(objective.key, objective.mark, "objectives");
  }
  for (const explore::Condition& condition : space.file().constraints) {
    for (const std::string& name : condition.expression.names()) {
      check(name, condition.mark, "constraints");
    }
  }
}

explore::StoreHeader sweep_header(const explore::Space& space) {
  const explore::SweepFile& file = space.file();
  explore::StoreHeader header;
  header.name = fs::path(file.path).stem().string();
  header.file = file.text;
  header.base = file.base;
  header.search = kSearches[static_cast<size_t>(file.search.kind)];
  header.version = project_version();
  header.git_id = git_id();
  header.objectives = file.objectives;
  header.constraints = file.constraints;
  for (const explore::Axis& axis : space.axes()) {
    if (!axis.names.empty()) {
      explore::AxisHeader& out = header.axes.emplace_back();
      out.key = explore::kNameAxis;
      out.description = "What the sweep file calls the design.";
      out.number = false;
      continue;
    }
    for (size_t key = 0; key < axis.keys.size(); ++key) {
      explore::AxisHeader& out = header.axes.emplace_back();
      out.key = axis.keys[key];
      for (const auto& row : axis.rows) {
        out.number = out.number && (!row[key] || row[key]->kind == explore::Value::Kind::kNumber);
      }
      for (const config::EffectiveValue& value : space.loaded().values) {
        if (value.path == out.key) out.description = value.description;
      }
      const size_t unit = out.description.rfind(" [");
      if (unit != std::string::npos && out.description.back() == ']') {
        out.unit = out.description.substr(unit + 2, out.description.size() - unit - 3);
        out.description.resize(unit);
      }
    }
  }
  return header;
}

}  // namespace strobe
