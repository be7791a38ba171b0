// Whole programs with the library that they use, and what they do: the workloads, and the fetched
// programs where they are.
#pragma once

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "sw/files/guest_files.h"
#include "tests/tree.h"

namespace strobe {

struct Subject {
  std::string name, elf, arguments, input;
};

inline void PrintTo(const Subject& subject, std::ostream* out) { *out << subject.name; }

inline std::vector<Subject> subjects() {
  std::vector<Subject> all;
  for (const char* name : {"btree", "desim", "gengc", "hashjoin", "json", "lisp", "lz", "othello",
                           "paths", "raytrace", "regex"}) {
    all.push_back({name, in_build(std::string("guest/workloads/") + name + ".elf"), "tiny", ""});
  }
  for (const auto& [name, arguments] : std::initializer_list<std::pair<const char*, const char*>>{
           {"bzip2", "-9 -c"},
           {"duktape", "--run-stdin"},
           {"gnugo", "--mode gtp --level 1 --seed 1"},
           {"gzip", "-9 -n -c"},
           {"lua", "-"},
           {"m4", "-"},
           {"mawk", "-f -"},
           {"mujs", ""},
           {"perl", "-"},
           {"phalanx", "-b- -l- -o- -p- -s- -x+ -t 1000000"},
           {"picosat", ""},
           {"sqlite3", "-batch -init /dev/null"},
           {"tcc", "-c -o - -"},
           {"tcl", ""},
           {"tidy", "-q -i --show-warnings no"},
           {"zstd", "-9 -q -c"}}) {
    const std::filesystem::path folder = std::filesystem::path(files::fetched_directory()) / name;
    if (!std::filesystem::exists(folder / (std::string(name) + ".link"))) continue;
    all.push_back({name, (folder / (std::string(name) + ".elf")).string(), arguments,
                   (folder / "tiny").string()});
  }
  return all;
}

/// Bytes of both outputs and how it ends.
inline std::string behavior(const std::string& simulator, const std::string& program,
                            const Subject& subject) {
  const std::string command = "{ " + simulator + " " + program + " " + subject.arguments + " < " +
                              (subject.input.empty() ? std::string("/dev/null") : subject.input) +
                              "; echo exit $?; } 2>&1";
  FILE* const pipe = popen(("bash -c '" + command + "'").c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("bash cannot be started");
  std::string text;
  std::array<char, 4096> buffer;
  for (size_t n; (n = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) {
    text.append(buffer.data(), n);
  }
  if (pclose(pipe) != 0) throw std::runtime_error(command + " failed");
  return text;
}

inline std::string under_qemu(const std::string& program, const Subject& subject) {
  return behavior("qemu-riscv64", program, subject);
}

/// The lines of a run file for the program, without its profilers.
inline std::string run_text(const std::string& program, const Subject& subject) {
  std::string arguments;
  std::istringstream words(subject.arguments);
  for (std::string word; words >> word;) {
    arguments += (arguments.empty() ? "\"" : ", \"") + word + "\"";
  }
  std::string workload = "elf: " + program + ", args: [" + arguments + "]";
  if (!subject.input.empty()) {
    workload += ", stdin: " + subject.input;
  }
  return "mode: functional\nworkload: { " + workload + " }\n";
}

/// The same under strobe, where standard output is a file. @param folder  for the files of the run
/// @param options  of strobe run
inline std::string under_strobe(const std::string& program, const Subject& subject,
                                const std::filesystem::path& folder,
                                const std::string& options = "") {
  std::ofstream(folder / "run.yaml") << run_text(program, subject) << "profilers: []\n";
  const std::string out = (folder / "out").string();
  const int status =
      std::system((in_build("bin/strobe") + " run " + (folder / "run.yaml").string() +
                   " --quiet --force " + options + " --out " + out + " > " + out + ".txt 2>&1")
                      .c_str());
  std::string text;
  for (const char* name : {"/stdout.txt", "/stderr.txt"}) {
    std::ifstream file(out + name, std::ios::binary);
    text.append(std::istreambuf_iterator<char>(file), {});
  }
  return text + "exit " + std::to_string(status) + "\n";
}

/// An executable file of these bytes.
inline void put(const std::filesystem::path& file, const std::vector<uint8_t>& bytes) {
  std::ofstream stream(file, std::ios::binary);
  stream.write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
  if (!stream.flush()) throw std::runtime_error("cannot write " + file.string());
  std::filesystem::permissions(file, std::filesystem::perms::owner_all);
}

}  // namespace strobe
