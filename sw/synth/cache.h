// Results of the flow, kept from one process to the next.
#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>

namespace strobe::synth {

/// Where the result of these inputs is kept, without its ending: what everything that decides it
/// hashes to.
std::filesystem::path stem_of(const std::string& inputs);
/// The netlist that belongs to a result, if there is one.
std::filesystem::path netlist_of(const std::filesystem::path& stem);

/// The kept result of these inputs, or what `compute` makes of the stem, which is then kept. A file
/// appears whole or not at all. A result that is not what was kept, or whose netlist is not, is
/// computed again. Throws files::ForeignFile when another user could have written it.
nlohmann::json cached(
    const std::string& inputs,
    const std::function<nlohmann::json(const std::filesystem::path& stem)>& compute);

}  // namespace strobe::synth
