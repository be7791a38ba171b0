#include "sw/strobe/arguments.h"

#include "sw/answer/ranking.h"

namespace strobe {

void add_sets(CLI::App& command, std::vector<std::string>& sets, const char* example) {
  command
      .add_option("--set", sets,
                  "Set a key of the run file, such as " + std::string(example) + "; VALUE is YAML")
      ->allow_extra_args(false)  // or the FILE after it would be a second value
      ->type_name("KEY=VALUE");
}

void add_run_file(CLI::App& command, std::string& file, std::vector<std::string>& sets,
                  const char* example) {
  command.add_option("FILE", file, "Run file (YAML)")->required();
  add_sets(command, sets, example);
}

void add_confinement(CLI::App& command, bool& confined) {
  command.add_flag_callback(
      "--no-confine", [&confined] { confined = false; },
      "Leave the simulator free to use all that you may use on this host; for "
      "debugging, with programs you trust");
}

void add_result(CLI::App& command, std::string& directory, std::string& program) {
  command.add_option("DIR", directory, "Directory that 'strobe run --out' wrote")->required();
  command.add_option("--program", program,
                     "ELF file that ran (default: it is looked for where the run named it)");
}

void add_ranking(CLI::App& command, std::string& by, size_t& rows) {
  command.add_option("--by", by, "Rows of the table: function (default), line, call or load")
      ->check(CLI::IsMember(answer::kByNames));
  command.add_option("--rows", rows, "Most rows to show (default: 20)")->check(CLI::PositiveNumber);
}

}  // namespace strobe
