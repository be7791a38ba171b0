#include "sw/answer/program_of_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "sc_models/port/address_map.h"
#include "sw/answer/answer_error.h"
#include "sw/config/load.h"
#include "sw/files/regular_file.h"
#include "sw/files/sha256.h"
#include "sw/text/diagnostic.h"

namespace strobe::answer {
namespace {

namespace fs = std::filesystem;

/// The run file and the --set of a command line of `strobe run`.
config::LoadResult configuration_of(const std::vector<std::string>& words) {
  std::string file;
  std::vector<std::string> sets;
  const std::string set = "--set";
  for (size_t i = 2; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (word == set && i + 1 < words.size()) {
      sets.push_back(words[++i]);
    } else if (word.rfind(set + "=", 0) == 0) {
      sets.push_back(word.substr(set.size() + 1));
    } else if (word == "--out") {
      ++i;
    } else if (word.rfind('-', 0) != 0) {
      file = word;
    }
  }
  return config::load_run_config(file, sets);
}

std::vector<fs::path> candidates(const fs::path& directory, const nlohmann::json& manifest,
                                 const std::string& name) {
  std::vector<fs::path> places;
  const auto add = [&](const config::LoadResult& loaded) {
    if (loaded.good()) places.emplace_back(loaded.configuration.workload.elf);
  };
  add(config::load_run_config((directory / "config.yaml").string(), {}));
  add(configuration_of(manifest.at("command").get<std::vector<std::string>>()));
  places.push_back(directory / name);
  places.emplace_back(name);
  places.erase(std::unique(places.begin(), places.end()), places.end());
  return places;
}

}  // namespace

Program program_of_run(const fs::path& directory, const nlohmann::json& manifest,
                       const std::string& given) {
  Program program;
  program.name = manifest.at("elf").at("name");
  program.sha256 = manifest.at("elf").at("sha256");
  const std::vector<fs::path> places =
      given.empty() ? candidates(directory, manifest, program.name) : std::vector<fs::path>{given};
  for (const fs::path& place : places) {
    program.looked_in += (program.looked_in.empty() ? "" : ", ") + place.string();
    const std::string fault = files::why_unreadable(place.string());
    if (fault.empty() && files::sha256_of_file(place.string()) == program.sha256) {
      program.path = place.string();
      program.elf =
          std::make_shared<const isa::ElfFile>(isa::ElfFile::open(program.path, STROBE_USER_TOP));
      return program;
    }
    if (given.empty()) continue;
    throw AnswerError(fmt::format(
        "{} is not the program of {}: expected {} with SHA-256 {}, got {}; give the file that ran",
        text::in_quotes(given), directory.string(), program.name, program.sha256,
        fault.empty() ? "other bytes" : fault));
  }
  return program;
}

}  // namespace strobe::answer
