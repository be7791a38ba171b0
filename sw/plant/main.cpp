// strobe-plant: puts a marker before each instruction of an assembly file that is to be profiled.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <exception>
#include <fstream>
#include <iterator>
#include <map>
#include <string>

#include "sw/plant/plant.h"
#include "sw/text/terminal.h"

using strobe::plant::Target;

int main(int argc, char** argv) {
  CLI::App app(
      "Inserts markers (sltiu x0, x0, N) into RISC-V assembly, each before an instruction that a "
      "selector with marked: true and tag: N profiles.\n\n"
      "Example: riscv64-linux-gnu-g++ -O2 -S -o p.s p.cpp && strobe-plant p.s -o marked.s --select "
      "virtual-calls --number 1");
  const std::map<std::string, Target> targets = {{"loads", Target::kLoads},
                                                 {"branches", Target::kBranches},
                                                 {"calls", Target::kCalls},
                                                 {"virtual-calls", Target::kVirtualCalls}};
  std::string input, output, select = "loads";
  strobe::plant::Options options;
  app.add_option("FILE", input, "Assembly file, as written by gcc -S")
      ->required()
      ->check(CLI::ExistingFile);
  app.add_option("-o,--output", output, "Assembly file to write, with the markers")->required();
  app.add_option("--select", select,
                 "Instructions to mark: loads, branches, calls, or virtual-calls (the loads of "
                 "their method-table pointers)")
      ->check(CLI::IsMember(targets));
  app.add_option("--number", options.number, "Number N of the markers, which is the selector's tag")
      ->check(CLI::Range(0, 15));
  app.add_option("--function", options.functions,
                 "Mark only this function; may be given several times");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  options.target = targets.at(select);
  strobe::text::escape_what_is_printed();
  try {
    std::ifstream in(input, std::ios::binary);
    const std::string assembly(std::istreambuf_iterator<char>(in), {});
    const strobe::plant::Planted planted = strobe::plant::plant(assembly, options);
    for (const std::string& name : planted.missing) {
      fmt::print(stderr, "strobe-plant: error: {}: no function '{}'\n", input, name);
    }
    if (!planted.missing.empty()) return 1;
    std::ofstream out(output, std::ios::binary);
    out << planted.text << std::flush;
    if (!in || !out) {
      fmt::print(stderr, "strobe-plant: error: cannot {} {}\n", in ? "write" : "read",
                 in ? output : input);
      return 1;
    }
    fmt::print("{} markers\n", planted.markers);
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "strobe-plant: error: {}\n", error.what());
    return 1;
  }
}
