#include "sw/strobe/reproduce_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <fstream>
#include <new>
#include <stdexcept>
#include <vector>

#include "sw/config/diagnostic.h"
#include "sw/reproduce/isca2001_fig4.h"
#include "sw/strobe/bursty_figures.h"
#include "sw/strobe/exit_code.h"
#include "sw/strobe/hps_figures.h"
#include "sw/strobe/isca2001_streams.h"

namespace strobe {
namespace {

namespace fs = std::filesystem;
using reproduce::Reproduction;

struct Experiment {
  const char* name;
  const char* title;
  /// @param folder  for recorded streams, which are kept there
  Reproduction (*run)(const fs::path& folder);
};

// A new reproduction is one line here.
const Experiment kExperiments[] = {
    {"isca2001-fig4", "Six samplers on random streams, Monte Carlo",
     [](const fs::path&) { return reproduce::isca2001_fig4({}); }},
    {"isca2001-fig7", "Error and overhead against progress, one program", isca2001_fig7},
    {"isca2001-fig8", "Error against progress, every program", isca2001_fig8},
    {"isca2001-fig9", "Table sizes of the stratified sampler", isca2001_fig9},
    {"isca2001-fig10", "Overhead with a second level", isca2001_fig10},
    {"isca2001-fig11", "Edges and call targets at once", isca2001_fig11},
    {"bursty-fig6", "Bursty tracing: the basic overhead of the checks", bursty_fig6},
    {"bursty-fig7", "Bursty tracing: hot data streams against nCheck0 : nInstr0", bursty_fig7},
    {"bursty-fig8", "Bursty tracing: hot data streams with fewer checks", bursty_fig8},
    {"hps-fig6", "Plain DISE and HPS: what each part of the overhead costs", hps_fig6},
    {"hps-fig7", "HPS: accuracy and overhead against the sampling frequency", hps_fig7},
    {"hps-fig8", "HPS: accuracy against the burst length", hps_fig8},
};

void write_text(const fs::path& file, const std::string& text) {
  std::ofstream out(file, std::ios::binary);
  out << text;
  out.close();
  if (!out) throw std::runtime_error(fmt::format("cannot write {}", file.string()));
}

}  // namespace

int reproduce_list() {
  for (const Experiment& experiment : kExperiments) {
    fmt::print("{:<16}{}\n", experiment.name, experiment.title);
  }
  return kExitOk;
}

int reproduce_command(const std::string& name, const std::string& out) {
  std::vector<std::string> names;
  for (const Experiment& experiment : kExperiments) {
    names.emplace_back(experiment.name);
    if (name != experiment.name) continue;
    const fs::path folder =
        out.empty() ? fs::temp_directory_path() / "strobe-reproduce" : fs::path(out);
    try {
      fs::create_directories(folder);
      const Reproduction found = experiment.run(folder);
      if (!out.empty()) {
        write_text(folder / (name + ".md"), reproduce::to_markdown(found));
        for (const report::Figure& figure : found.figures) {
          write_text(folder / (figure.name + ".svg"), report::to_svg(figure));
          write_text(folder / (figure.name + ".csv"), report::to_csv(figure));
        }
      }
      fmt::print("{}", reproduce::verdict_lines(found));
      const bool all = std::all_of(found.claims.begin(), found.claims.end(),
                                   [](const reproduce::Claim& claim) { return claim.holds; });
      return all ? kExitOk : kExitCheckFailed;
    } catch (const std::bad_alloc&) {
      throw;
    } catch (const std::exception& error) {
      fmt::print(stderr, "strobe: error: {}: {}\n", name, error.what());
      return kExitSimulation;
    }
  }
  fmt::print(stderr,
             "strobe: error: no such reproduction: '{}'{}; 'strobe reproduce --list' names them\n",
             name, config::did_you_mean(name, names));
  return kExitUsage;
}

}  // namespace strobe
