// The texts that strobe-gen makes from configs/blocks: each one a pure function of the
// descriptions.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "sw/gen/blocks/block.h"
#include "sw/gen/register_map.h"

namespace strobe::gen {

/// Adds the compressors' registers to the map, and the fields of CAP1.kind and CAP2.
void add_blocks(const Blocks& blocks, RegisterMap* map);

// C++ of the models, whole files.
std::string path_params_header(const Blocks& blocks);  // sc_models/port/path_params_generated.h
std::string path_facts_header(const Blocks& blocks);   // sc_models/port/path_facts_generated.h
std::string settings_header(const Blocks& blocks);     // .../reference/settings_generated.h
std::string reference_header(const Blocks& blocks);    // .../reference/first_level_generated.h
std::string observers_source(const Blocks& blocks);    // .../observers/first_level_generated.cpp
std::string config_header(const Blocks& blocks);       // sc_models/machine/config/..._generated.h
std::string keys_source(const Blocks& blocks);  // sw/config/keys/compressor_keys_generated.cpp

// SystemVerilog. Regions have two spaces of indentation more for each level.
std::string settings_module(const Blocks& blocks);    // rtl/message/strobe_settings.sv, whole
std::string package_constants(const Blocks& blocks);  // a region of strobe_pkg
/// Parameters of a module's head; `without` are left out, and `defaults` differ from the RTL's.
std::string parameter_list(const Blocks& blocks, const std::vector<std::string>& without,
                           const std::map<std::string, std::string>& defaults = {});
/// The same of an instance; `ends` is what follows the last one.
std::string parameter_map(const Blocks& blocks, const std::vector<std::string>& without);
std::string compressor_instances(const Blocks& blocks);  // of strobe_compressor
std::string capability_constants(const Blocks& blocks);  // of strobe_registers

// Lists and tables.
std::string bench_points(const Blocks& blocks);        // of tb/CMakeLists.txt
std::string bench_list(const Blocks& blocks);          // of tb/CMakeLists.txt
std::string path_points(const Blocks& blocks);         // of .../verilated/CMakeLists.txt
std::string lint_points(const Blocks& blocks);         // of tests/flow/CMakeLists.txt
std::string four_state_points(const Blocks& blocks);   // of tests/flow/no_x.sh
std::string refused_points(const Blocks& blocks);      // of tests/flow/parameters_are_refused.sh
std::string synthesis_blocks(const Blocks& blocks);    // of configs/synth/blocks.yaml
std::string test_points_header(const Blocks& blocks);  // tests/blocks_generated.h, whole
std::string compressors_table(const Blocks& blocks);   // of docs/blocks/compressor.md
std::string kinds_table(const Blocks& blocks);         // of docs/blocks/compressor.md
std::string pages_list(const Blocks& blocks);          // of docs/index.md
std::string parameters_table(const Blocks& blocks, const Compressor& block);  // its page
std::string path_table(const Blocks& blocks);  // of docs/blocks/profiling_path.md

}  // namespace strobe::gen
