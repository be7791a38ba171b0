// Keys of a run file whose value may be a name, such as `core: hps2005`: the name of a file that
// comes with Strobe.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace strobe::config {

/// The folder of configs/ with the files that the value at a key path may name: "cores" for every
/// core, "workloads" for the workload, "" for any other key.
std::string folder_of_names(const std::string& path);

/// The file of a name, which need not be there.
std::filesystem::path named_file(const std::string& folder, const std::string& name);

/// The names of a folder, sorted. Empty when the folder cannot be read.
std::vector<std::string> names_in(const std::string& folder);

}  // namespace strobe::config
