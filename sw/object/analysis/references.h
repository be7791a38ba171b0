// Which places inside the functions of an object others know: where control may arrive that no
// branch of the function shows.
#pragma once

#include <cstdint>
#include <vector>

#include "sw/object/analysis/code.h"
#include "sw/object/file/frames.h"
#include "sw/object/file/object_file.h"

namespace strobe::object {

/// Offsets by section, each list sorted, and even: code begins at no other. A function's own
/// address is in `functions` only.
struct References {
  std::vector<std::vector<uint32_t>> tables;        // labels in data: jump tables, computed gotos
  std::vector<std::vector<uint32_t>> taken;         // labels whose address code computes
  std::vector<std::vector<uint32_t>> entered;       // labels that other functions jump to
  std::vector<std::vector<uint32_t>> landing_pads;  // of exceptions
  std::vector<uint32_t> functions;                  // symbols whose address data or code takes
  /// Code that computes the address of a jump table: with a label in another function, such as a
  /// part that the compiler split off; and whose end is not known.
  std::vector<std::vector<uint32_t>> table_leads_out, table_is_open;

  /// The ones of `list` inside a function, its first instruction left out.
  static std::vector<uint32_t> inside(const std::vector<uint32_t>& list, const Function& function);
  /// Whether one of `list` is inside a function.
  static bool any_inside(const std::vector<uint32_t>& list, const Function& function);
};

/// `codes` are those of the object's sections of code.
References find_references(const ObjectFile& file, const std::vector<Code>& codes,
                           const std::vector<Handlers>& handlers);

}  // namespace strobe::object
