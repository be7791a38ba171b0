#include "sw/confine/confine.h"

#include <sys/prctl.h>

#include <cerrno>
#include <cstring>

#include "sw/confine/file_rules.h"
#include "sw/confine/system_call_filter.h"

namespace strobe::confine {

Confinement confine(const Grants& grants) {
  Confinement confinement;
  if (!kBuildCanConfine) return confinement;
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
    confinement.missing.push_back(
        std::string("the kernel takes no privileges from this process (PR_SET_NO_NEW_PRIVS): ") +
        std::strerror(errno));
    return confinement;
  }
  bound_paths(grants.paths, confinement);  // first: the filter refuses the calls that it needs
  filter_system_calls(grants, confinement);
  return confinement;
}

}  // namespace strobe::confine
