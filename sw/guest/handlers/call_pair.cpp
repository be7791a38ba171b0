// Hot call pairs: counts {pc of the call, callee} of each sampled call.
#include "sw/guest/handlers/dise.h"
#include "sw/guest/handlers/fold.h"
#include "sw/guest/include/strobe/handlers_abi.h"

extern "C" strobe_profile_table_t strobe_profile_table;

using namespace strobe::guest;

STROBE_HANDLER(strobe_call_pair) {
  fold(strobe_profile_table, dise_register<0>(), dise_register<1>(), STROBE_TAG_CALL_PAIR, 1);
}
