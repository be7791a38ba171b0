// The files that a run names, for the check that its program cannot write them.
#pragma once

#include "sw/config/load.h"
#include "sw/result/loaded_things.h"

namespace strobe {

/// The result keeps a reference to the configuration. Throws object::ObjectError when the program
/// is to be edited and its link record is missing or may not be what it is.
result::NamedFiles named_files_of(const config::LoadResult& loaded);

}  // namespace strobe
