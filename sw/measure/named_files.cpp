#include "sw/measure/named_files.h"

#include <filesystem>

#include "sw/instrument/edited_program.h"

namespace strobe {

result::NamedFiles named_files_of(const config::LoadResult& loaded) {
  const config::RunConfig& configuration = loaded.configuration;
  result::NamedFiles files{configuration, {loaded.files.begin(), loaded.files.end()}, {}};
  if (configuration.instrument.given()) {
    files.link_files = instrument::link_files(
        instrument::linked_program(configuration.workload.elf, configuration.workload.objects));
  }
  return files;
}

}  // namespace strobe
