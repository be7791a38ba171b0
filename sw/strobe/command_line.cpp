#include "sw/strobe/command_line.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "sw/process/exit_code.h"
#include "sw/process/version.h"
#include "sw/strobe/completion.h"
#include "sw/text/diagnostic.h"

namespace strobe {
namespace {

std::string version_text() {
  const std::string id = git_id();
  std::string text = fmt::format("strobe {}", project_version());
  if (!id.empty()) text += fmt::format(" ({})", id);
  for (const auto& [tool, version] : tool_versions())
    text += fmt::format("\n{}: {}", tool, version);
  return text;
}

/// The first subcommand or option on the command line that does not exist, as "no such option:
/// '--otu' (did you mean '--out'?)"; empty when all exist. CLI11 would report a missing argument
/// first, or answer `strobe rnu --help` with the help of `strobe`.
/// @param called  becomes the command that the words name, such as "strobe config check"
std::string misspelt_word(CLI::App* app, int argc, char** argv, std::string* called) {
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--" || app->get_prefix_command()) return "";
    if (word.rfind('-', 0) != 0) {
      const std::vector<CLI::App*> known = app->get_subcommands({});
      if (known.empty()) continue;  // an argument
      const auto command = std::find_if(known.begin(), known.end(),
                                        [&](const CLI::App* one) { return one->check_name(word); });
      if (command == known.end()) {
        std::vector<std::string> names;
        for (const CLI::App* one : known) names.push_back(one->get_name());
        return fmt::format("no such command: {}{}", text::in_quotes(word),
                           text::did_you_mean(word, names));
      }
      app = *command;
      *called += " " + word;
      continue;
    }
    const std::string name = word.substr(0, word.find('='));
    const CLI::Option* option = app->get_option_no_throw(name);
    if (option == nullptr && word.rfind("--", 0) == 0) {
      std::vector<std::string> names;
      for (const CLI::Option* one : app->get_options()) {
        for (const std::string& known : one->get_lnames()) names.push_back("--" + known);
      }
      return fmt::format("no such option: {}{}", text::in_quotes(name),
                         text::did_you_mean(name, names));
    }
    const bool takes_value = option != nullptr && option->get_items_expected_min() > 0;
    if (takes_value && name == word) ++i;
  }
  return "";
}

/// Prints what may stand in place of the last word, one a line. A command of another program hands
/// on to that one. @return the exit code
int complete(CLI::App* app, int argc, char** argv, const Invocation& invocation) {
  const std::vector<std::string> words(argv + 2, argv + argc);
  const auto found = completions(*app, words);
  if (!found) {
    std::vector<char*> command = {argv[0], argv[2]};
    app->parse(static_cast<int>(command.size()), command.data());
    return invocation.code;
  }
  for (const std::string& one : *found) fmt::print("{}\n", one);
  return kExitOk;
}

}  // namespace

int run_command_line(const std::vector<AddCommands>& commands, int argc, char** argv) {
  CLI::App app("Strobe: a workbench for hardware program-profiling support.");
  app.set_version_flag("--version", version_text());
  app.require_subcommand(1);
  app.footer("Example: strobe run configs/runs/quickstart.yaml --out results/quickstart");
  Invocation invocation;
  invocation.words.assign(argv, argv + argc);
  for (const AddCommands add : commands) add(app, invocation);

  if (argc > 2 && std::string(argv[1]) == kComplete) return complete(&app, argc, argv, invocation);
  std::string called = "strobe";
  const std::string misspelt = misspelt_word(&app, argc, argv, &called);
  if (!misspelt.empty()) {
    fmt::print(stderr, "strobe: error: {}; '{} --help' lists all\n", misspelt, called);
    return kExitUsage;
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    std::ostringstream out, err;  // the words may be the user's: they go the way of all others
    if (app.exit(error, out, err) == 0) {  // --help or --version
      fmt::print("{}", out.str());
      return kExitOk;
    }
    fmt::print(stderr, "strobe: error: {}; '{} --help' shows how to call it\n", error.what(),
               called);
    return kExitUsage;
  }
  return invocation.code;
}

}  // namespace strobe
