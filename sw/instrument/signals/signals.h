// Software signals of methods and loops (Yang, Blackburn and McKinley, "Computer Performance
// Microscopy with SHIM", ISCA 2015, sections 3 and 6.1): the program writes the identifier of the
// function and of the loop that runs into a word of memory, which anyone may read at any time.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sw/instrument/edited_program.h"
#include "sw/object/analysis/program.h"
#include "sw/object/file/address_table.h"

namespace strobe::instrument {

struct SignalsOptions {
  bool methods = true, loops = true;  // which of the words there are; at least one
  bool library = true;                // else only objects that the link command names are edited
};

/// A function with an identifier, and a loop with one, in the original objects. Identifiers count
/// from 1: n is that of the element n - 1. 0 is none.
struct SignalMethod {
  object::ObjectPlace entry;
  std::string name;
};
struct SignalLoop {
  object::ObjectPlace header;
  uint32_t method = 0;  // the identifier of its function
};

/// Places in the code, but for the bytes.
struct SignalsCounts {
  uint64_t functions = 0, loops = 0;
  uint64_t entries = 0;     // where control arrives from another function, without returns
  uint64_t returns = 0;     // after calls
  uint64_t back_edges = 0;  // at the ends of loop iterations
  uint64_t spills = 0;      // where no register was free
  uint64_t bytes_before = 0, bytes_after = 0;  // of code
};

struct Signals {
  Edit edit;
  std::vector<SignalMethod> methods;
  std::vector<SignalLoop> loops;
  SignalsCounts counts;
  std::vector<object::LeftAlone> left_alone;
};

/// Edits every object of `program`, which is used up. Throws object::ObjectError when one has
/// signals already.
///
/// The method word is written at the entry of each function, at each of its landing pads and labels
/// that other functions jump to, and after each call returns. Therefore it is the identifier of the
/// function that runs, in every instruction of the original.
///
/// The loop word is written at the same places, with the innermost loop around the place, which is
/// 0 at an entry, and at the end of each iteration (a back-edge), before the branch that ends it.
/// Therefore it is 0 or a loop of the function that runs. After a loop's end it stays until the
/// next write.
Signals make_signals(object::Program* program, const SignalsOptions& options);

}  // namespace strobe::instrument
