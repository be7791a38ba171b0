// The files of configs/synth that `strobe synth` reads: the list of blocks, the cell libraries, and
// the model of memories.
#pragma once

#include <string>

#include "sw/text/diagnostic.h"

namespace strobe::synth {

/// What is wrong with such a file; its first key says which of the three it is.
text::Diagnostics check_synth_file(const std::string& file);

/// The JSON schema (draft-07) of such a file.
std::string synth_schema();

}  // namespace strobe::synth
