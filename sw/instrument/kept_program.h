// The cache of edited programs, and the document in which one says how to read its profile.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sw/instrument/address_map.h"
#include "sw/instrument/edited_program.h"
#include "sw/object/analysis/code.h"

namespace strobe::instrument {

/// An edited program as the cache keeps it: the file, and what is needed to read its profile.
struct KeptProgram {
  std::vector<uint8_t> elf;
  nlohmann::json document;
};

/// Makes the program, or takes it from the cache, which one process fills while others wait. What
/// decides the result is the program's bytes, the command that linked it, `options`, the file
/// `runtime`, if it is not empty, and this executable.
KeptProgram find_or_make(const LinkedProgram& program, const std::filesystem::path& runtime,
                         const std::string& options, const std::function<KeptProgram()>& make);

/// The keys `code`, `data` and `left_alone` of the document of an edited program.
void put_map(const AddressMap& map, const std::vector<object::LeftAlone>& left_alone,
             nlohmann::json* document);
/// Throws nlohmann::json::exception when the document has no such keys.
AddressMap map_from(const nlohmann::json& document);
std::vector<object::LeftAlone> left_alone_from(const nlohmann::json& document);

}  // namespace strobe::instrument
