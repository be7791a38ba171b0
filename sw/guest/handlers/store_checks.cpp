// Stores that a production reports: counts {pc of the store, address}.
#include "sw/guest/handlers/dise.h"
#include "sw/guest/handlers/fold.h"
#include "sw/guest/include/strobe/handlers_abi.h"

extern "C" strobe_profile_table_t strobe_profile_table;

using namespace strobe::guest;

/// A store outside the program's segment (software fault isolation).
STROBE_HANDLER(strobe_sandbox) {
  fold(strobe_profile_table, dise_register<0>(), dise_register<1>(), STROBE_TAG_SANDBOX, 1);
}

/// A store to the double word that is watched.
STROBE_HANDLER(strobe_watchpoint) {
  fold(strobe_profile_table, dise_register<0>(), dise_register<1>(), STROBE_TAG_WATCHPOINT, 1);
}
