// The texts strobe-gen writes, each a pure function of its input.
#pragma once

#include <string>

#include "sw/gen/register_map.h"

namespace strobe::gen {

/// rtl/pkg/strobe_reg_pkg.sv: offsets, reset values, field positions.
std::string register_package(const RegisterMap& map);

/// sw/guest/include/strobe/registers.h: the same for the firmware, plain C.
std::string register_header(const RegisterMap& map);

/// docs/registers.md.
std::string register_page(const RegisterMap& map);

/// rtl/pkg/strobe_hash_pkg.sv: the byte table of the sampler's hash
/// (docs/blocks/stratified_sampler.md gives the algorithm).
std::string hash_package();

}  // namespace strobe::gen
