#include "sw/measure/confinement.h"

#include <fmt/format.h>

#include <cstdio>
#include <string>

#include "sw/files/guest_files.h"
#include "sw/process/exit_code.h"

namespace strobe {

using confine::Access;
static_assert(confine::kExitRefusedCall == kExitSimulation);

confine::Grants sandbox_grants(const config::RunConfig& configuration) {
  confine::Grants grants;
  for (const std::string& path : configuration.workload.read) {
    grants.paths.push_back({path, Access::kRead});
  }
  for (const std::string& path : configuration.workload.write) {
    grants.paths.push_back({path, Access::kWrite});
  }
  return grants;
}

void grant_again(const config::RunConfig& configuration, confine::Grants& grants) {
  grants.paths.push_back({files::guest_file("firmware.elf"), Access::kRead});
  if (configuration.shim.given()) {
    grants.paths.push_back({files::guest_file("observer.elf"), Access::kRead});
  }
  const std::string& standard_input = configuration.workload.stdin_file;
  if (!standard_input.empty()) grants.paths.push_back({standard_input, Access::kRead});
}

void grant_result(const result::ResultDirectory& directory, confine::Grants& grants) {
  grants.paths.push_back({directory.workspace().string(), Access::kWrite});
  grants.paths.push_back({directory.path().string(), Access::kRemove});  // --force replaces it
  grants.paths.push_back({directory.path().parent_path().string(), Access::kPlaceDirectory});
}

confine::Confinement confine_or_warn(const confine::Grants& grants, bool wanted) {
  if (!wanted) {
    fmt::print(
        stderr,
        "strobe: warning: --no-confine: a program that exploits a fault of the simulator can do "
        "all that you can do on this host; use it only for debugging, with programs you trust\n");
    return {};
  }
  const confine::Confinement confinement = confine::confine(grants);
  for (const std::string& sentence : confinement.missing) {
    fmt::print(stderr, "strobe: warning: {}; the run continues without this confinement\n",
               sentence);
  }
  return confinement;
}

nlohmann::json confinement_json(const confine::Confinement& confinement) {
  nlohmann::json landlock;
  if (confinement.landlock) landlock = *confinement.landlock;
  return {{"seccomp", confinement.system_calls}, {"landlock", landlock}};
}

}  // namespace strobe
