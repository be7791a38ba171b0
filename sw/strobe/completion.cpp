#include "sw/strobe/completion.h"

#include <algorithm>
#include <sstream>

namespace strobe {
namespace {

using Words = std::vector<std::string>;

/// The set that CLI::IsMember gives an option, from "TEXT:{run,sweep}".
Words choices_of(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const size_t open = type.find('{'), close = type.rfind('}');
  Words choices;
  if (open == std::string::npos || close == std::string::npos) return choices;
  std::istringstream set(type.substr(open + 1, close - open - 1));
  for (std::string one; std::getline(set, one, ',');) choices.push_back(one);
  return choices;
}

Words names_of(const std::vector<CLI::App*>& commands) {
  Words names;
  for (const CLI::App* one : commands) names.push_back(one->get_name());
  return names;
}

Words option_names(const CLI::App& command) {
  Words names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

/// The argument at `place` among those of a command that are not options, or null.
const CLI::Option* argument(const CLI::App& command, size_t place) {
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_positional() && place-- == 0) return option;
  }
  return nullptr;
}

/// Where a command line stands after some of its words.
struct Place {
  CLI::App* command;
  const CLI::Option* awaited = nullptr;  // whose value comes next
  size_t arguments = 0;                  // that were given

  void take(const std::string& word) {
    if (word == "=") return;  // bash makes it a word of its own
    if (awaited != nullptr) {
      awaited = nullptr;
    } else if (word.rfind('-', 0) == 0) {
      const CLI::Option* option = command->get_option_no_throw(word);
      if (option != nullptr && option->get_items_expected_min() > 0) awaited = option;
    } else {
      const std::vector<CLI::App*> known = command->get_subcommands({});
      const auto found = std::find_if(known.begin(), known.end(),
                                      [&](const CLI::App* one) { return one->check_name(word); });
      if (found == known.end()) {
        ++arguments;
      } else {
        command = *found;
      }
    }
  }
};

}  // namespace

std::string completion_script() {
  return R"(# Completion of strobe's command line for bash, and for zsh by its bashcompinit.
if [ -n "${ZSH_VERSION-}" ]; then autoload -U +X bashcompinit && bashcompinit; fi
_strobe() {
  local word=${COMP_WORDS[COMP_CWORD]} words
  if [ "$word" = = ]; then word=; fi
  words=$("${COMP_WORDS[0]}" __complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o bashdefault -o default -F _strobe strobe
)";
}

std::optional<Words> completions(CLI::App& app, const Words& words) {
  Place place = {&app};
  for (size_t i = 0; i + 1 < words.size(); ++i) {
    place.take(words[i]);
    if (place.command->get_prefix_command()) return std::nullopt;
  }
  if (place.awaited != nullptr) return choices_of(*place.awaited);
  if (!words.empty() && words.back().rfind('-', 0) == 0) return option_names(*place.command);
  const std::vector<CLI::App*> commands = place.command->get_subcommands({});
  if (!commands.empty()) return names_of(commands);
  const CLI::Option* next = argument(*place.command, place.arguments);
  return next == nullptr ? Words() : choices_of(*next);
}

}  // namespace strobe
