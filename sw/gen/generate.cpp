#include "sw/gen/generate.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "sw/config/json_schema.h"
#include "sw/config/reference_page.h"
#include "sw/gen/configurations.h"
#include "sw/gen/emit.h"
#include "sw/gen/register_map.h"

namespace strobe::gen {
namespace {

// The text of a file of the tree. Throws std::runtime_error when it cannot be read.
std::string text_of(const std::string& root, const std::string& path) {
  std::ifstream stream(root + "/" + path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  if (!stream) throw std::runtime_error("cannot read " + root + "/" + path);
  return text.str();
}

// README.md with the table of named configurations in its region.
GeneratedFile readme(const std::string& root, const std::vector<NamedConfiguration>& configurations,
                     const nlohmann::json& measured) {
  return {"README.md", with_region(text_of(root, "README.md"), "README.md", "configurations",
                                   configurations_table(configurations, measured, ""))};
}

}  // namespace

std::vector<GeneratedFile> generate(const std::string& root, text::Diagnostics* diagnostics) {
  const auto map = read_register_map(root + "/configs/registers.yaml", diagnostics);
  if (!map) return {};
  const auto configurations =
      read_configurations(root + "/configs/synth/maturity.yaml", diagnostics);
  if (!diagnostics->empty()) return {};
  const auto measured = nlohmann::json::parse(text_of(root, "configs/synth/measured.json"));
  return {
      {"rtl/pkg/strobe_reg_pkg.sv", register_package(*map)},
      {"rtl/pkg/strobe_hash_pkg.sv", hash_package()},
      {"rtl/sampler/strobe_hash_byte.sv", hash_byte_module()},
      {"sw/guest/include/strobe/registers.h", register_header(*map)},
      {"docs/registers.md", register_page(*map)},
      {"docs/configuration.md", config::reference_page()},
      {"configs/schema/run.schema.json", config::json_schema()},
      readme(root, configurations, measured),
      {"docs/tables/configurations.md", configurations_page(configurations, measured)},
  };
}

std::vector<std::string> stale(const std::string& root, const std::vector<GeneratedFile>& files) {
  std::vector<std::string> paths;
  for (const GeneratedFile& file : files) {
    std::ifstream stream(root + "/" + file.path, std::ios::binary);
    std::ostringstream text;
    text << stream.rdbuf();
    if (!stream || text.str() != file.text) paths.push_back(file.path);
  }
  return paths;
}

std::vector<std::string> write(const std::string& root, const std::vector<GeneratedFile>& files) {
  const std::vector<std::string> paths = stale(root, files);
  for (const GeneratedFile& file : files) {
    if (std::find(paths.begin(), paths.end(), file.path) == paths.end()) continue;
    const std::filesystem::path target = std::filesystem::path(root) / file.path;
    std::filesystem::create_directories(target.parent_path());
    std::ofstream stream(target, std::ios::binary | std::ios::trunc);
    stream << file.text;
    stream.close();
    if (!stream) throw std::runtime_error("cannot write " + target.string());
  }
  return paths;
}

}  // namespace strobe::gen
