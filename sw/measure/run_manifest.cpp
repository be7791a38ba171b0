#include "sw/measure/run_manifest.h"

#include <fmt/format.h>

#include <cstdio>

#include "sw/dise/assemble.h"
#include "sw/files/guest_files.h"
#include "sw/files/sha256.h"
#include "sw/process/version.h"

namespace strobe {

result::InputFile this_executable() {
  static const std::string kHash = files::sha256_of_file("/proc/self/exe");
  return {"strobe", kHash};
}

void warn_of_program(const isa::ElfFile& program) {
  for (const std::string& fault : {program.isa_fault(), program.debug_fault()}) {
    if (!fault.empty()) fmt::print(stderr, "strobe: warning: {}\n", fault);
  }
}

result::ManifestInput manifest_input(const config::RunConfig& configuration,
                                     const platform::RunInputs& inputs) {
  const std::string& standard_input = configuration.workload.stdin_file;
  result::ManifestInput manifest;
  manifest.version = project_version();
  manifest.git_id = git_id();
  manifest.tools = tool_versions();
  manifest.strobe = this_executable();
  manifest.elf = {configuration.workload.elf, inputs.program.sha256()};
  manifest.debug = {inputs.program.debug_path(), inputs.program.debug_sha256()};
  manifest.firmware = {files::guest_file("firmware.elf"), inputs.firmware.sha256()};
  if (configuration.shim.given()) {
    const std::string observer = files::guest_file("observer.elf");
    manifest.observer = {observer, files::sha256_of_file(observer)};
  }
  if (inputs.standard_input >= 0) {
    manifest.standard_input = {standard_input,
                               files::sha256_of_descriptor(inputs.standard_input, standard_input)};
  }
  for (const dise::SourceFile& file : inputs.productions) {
    manifest.productions.push_back({file.name, files::sha256_of_text(file.text)});
  }
  manifest.seed = configuration.seed;
  return manifest;
}

}  // namespace strobe
