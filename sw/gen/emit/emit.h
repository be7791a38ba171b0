// The texts that strobe-gen writes. Each one is a pure function of its input.
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

/// rtl/pkg/strobe_hash_pkg.sv: the constants of the hashes (docs/blocks/hash.md has their recipes).
std::string hash_package();

/// rtl/sampler/strobe_hash_byte.sv: the byte table of the paper's hash, as a module.
std::string hash_byte_module();

}  // namespace strobe::gen
