// Hot methods: counts the target of each sampled call and backward branch. The host finds the
// method that contains a target.
#include "sw/guest/handlers/dise.h"
#include "sw/guest/handlers/fold.h"
#include "sw/guest/include/strobe/handlers_abi.h"

extern "C" strobe_profile_table_t strobe_profile_table;

using namespace strobe::guest;

STROBE_HANDLER(strobe_hot_method) {
  fold(strobe_profile_table, dise_register<1>(), 0, STROBE_TAG_METHOD, 1);
}
