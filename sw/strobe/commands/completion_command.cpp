#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "sw/process/exit_code.h"
#include "sw/strobe/commands/commands.h"
#include "sw/strobe/completion.h"

namespace strobe {

void add_completion_command(CLI::App& app, Invocation& invocation) {
  const auto shell = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand(
      "completion", "Print the script with which a shell completes strobe's command line");
  command->add_option("SHELL", *shell, "Shell")->required()->check(CLI::IsMember({"bash", "zsh"}));
  command->footer("Example: strobe completion bash > strobe.bash");
  command->callback([shell, &invocation] {
    fmt::print("{}", completion_script());
    invocation.code = kExitOk;
  });
}

}  // namespace strobe
