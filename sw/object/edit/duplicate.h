// Copies of whole functions, with their jump tables, descriptions of frames and exception tables.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sw/object/analysis/code.h"
#include "sw/object/analysis/references.h"
#include "sw/object/file/object_file.h"

namespace strobe::object {

/// A function and its copy in the same section. The copy is the same bytes: what is at
/// `original.start + n` is at `start + n`.
struct Copy {
  Function original;
  uint32_t symbol = 0;  // its name is the original's and a suffix
  uint32_t
      start = 0,
      end = 0;  // without the jump that a copy needs after a function that ends by falling through
};

/// Empty, or why a copy of the function would not do what it does: "the entries of its jump table
/// are not in a row, ...".
std::string obstacle_to_copy(const Function& function, const References& references);

/// Appends a copy of each function to its section. A branch inside a function stays inside its
/// copy; a call goes where the original's goes, to itself too. A jump to a label whose address
/// is kept elsewhere arrives in the original, and so does a jump through a table of distances whose
/// address the code computes in more than one place: a program that changes the copy between two of
/// them would take a distance from one table and add it to the other. Nothing of the originals
/// moves, so a branch of a copy to what is far from it reaches that after the next edit of the
/// section only.
/// @param functions  of one object, each of Code::functions() and without an obstacle
std::vector<Copy> duplicate(ObjectFile* file, const std::vector<Function>& functions,
                            const std::string& suffix);

}  // namespace strobe::object
