// Results of the flow, kept from one process to the next.
#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>

namespace strobe::synth {

/// The path where the result of these inputs is kept, without its extension. The name is a hash of
/// everything that decides the result.
std::filesystem::path stem_of(const std::string& inputs);
/// The path of the netlist that belongs to a result that has one.
std::filesystem::path netlist_of(const std::filesystem::path& stem);

/// Returns the kept result of these inputs. When there is none, `compute` makes it from the stem,
/// and the result is kept. A file appears whole or not at all. A result is computed again when it,
/// or its netlist, differs from what was kept. Throws files::ForeignFile when another user could
/// have written it.
nlohmann::json cached(
    const std::string& inputs,
    const std::function<nlohmann::json(const std::filesystem::path& stem)>& compute);

}  // namespace strobe::synth
