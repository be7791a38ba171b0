#include "sw/gen/generate.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "sc_models/isa/linux/calls/system_calls.h"
#include "sw/config/json_schema.h"
#include "sw/config/reference_page.h"
#include "sw/gen/configurations.h"
#include "sw/gen/emit/emit.h"
#include "sw/gen/emit/emit_blocks.h"
#include "sw/gen/limits_table.h"
#include "sw/gen/register_map.h"
#include "sw/gen/system_call_tables.h"
#include "sw/text/json_text.h"

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

/// Files of the tree of which regions are generated: each is read once and keeps its other text.
class Regions {
 public:
  explicit Regions(const std::string& root) : root_(root) {}

  void set(const std::string& path, const std::string& name, const std::string& text) {
    auto file = std::find_if(files_.begin(), files_.end(),
                             [&](const GeneratedFile& one) { return one.path == path; });
    if (file == files_.end()) file = files_.insert(files_.end(), {path, text_of(root_, path)});
    file->text = with_region(file->text, path, name, text);
  }
  const std::vector<GeneratedFile>& files() const { return files_; }

 private:
  const std::string& root_;
  std::vector<GeneratedFile> files_;
};

/// The regions that come from configs/blocks.
void set_regions(const Blocks& blocks, Regions* regions) {
  const std::vector<std::string> none;
  const std::vector<std::string> of_compressor = {"Lanes", "Selectors", "QueueDepth", "BufferDepth",
                                                  "Ring"};
  regions->set("rtl/pkg/strobe_pkg.sv", "compressors", package_constants(blocks));
  for (const char* top : {"rtl/top/strobe_profiler.sv", "rtl/top/strobe_rvfi_profiler.sv",
                          "rtl/message/strobe_registers.sv"}) {
    regions->set(top, "parameters", parameter_list(blocks, none));
  }
  // Small, so that a short run reaches every limit.
  regions->set("tests/flow/no_x.sv", "parameters",
               parameter_list(blocks, none,
                              {{"Lanes", "2"},
                               {"QueueDepth", "8"},
                               {"Strata", "16"},
                               {"CounterWidth", "4"},
                               {"BufferDepth", "8"}}));
  regions->set("rtl/sampler/strobe_compressor.sv", "parameters",
               parameter_list(blocks, of_compressor));
  regions->set("rtl/sampler/strobe_compressor.sv", "samplers", compressor_instances(blocks));
  regions->set("rtl/message/strobe_registers.sv", "limits", capability_constants(blocks));
  regions->set("rtl/top/strobe_profiler.sv", "compressor", parameter_map(blocks, of_compressor));
  regions->set("rtl/top/strobe_profiler.sv", "registers", parameter_map(blocks, none));
  regions->set("rtl/top/strobe_rvfi_profiler.sv", "profiler", parameter_map(blocks, none));
  regions->set("tests/flow/no_x.sv", "profiler", parameter_map(blocks, none));
  regions->set("tb/CMakeLists.txt", "points", bench_points(blocks));
  regions->set("tb/CMakeLists.txt", "benches", bench_list(blocks));
  regions->set("sc_models/profiling/verilated/CMakeLists.txt", "points", path_points(blocks));
  regions->set("tests/flow/CMakeLists.txt", "compressors", lint_points(blocks));
  regions->set("tests/flow/no_x.sh", "compressors", four_state_points(blocks));
  regions->set("tests/flow/parameters_are_refused.sh", "compressors", refused_points(blocks));
  regions->set("configs/synth/blocks.yaml", "compressors", synthesis_blocks(blocks));
  regions->set("docs/blocks/profiling_path.md", "parameters", path_table(blocks));
  regions->set("docs/blocks/compressor.md", "compressors", compressors_table(blocks));
  regions->set("docs/blocks/compressor.md", "kinds", kinds_table(blocks));
  regions->set("docs/index.md", "compressors", pages_list(blocks));
  for (const Compressor& block : blocks.compressors) {
    regions->set(block.page, "parameters", parameters_table(blocks, block));
  }
}

}  // namespace

std::vector<GeneratedFile> generate(const std::string& root, text::Diagnostics* diagnostics) {
  auto map = read_register_map(root + "/configs/registers.yaml", diagnostics);
  const auto blocks = read_blocks(root + "/configs/blocks", diagnostics);
  const auto configurations =
      read_configurations(root + "/configs/synth/maturity.yaml", diagnostics);
  if (!diagnostics->empty()) return {};
  add_blocks(*blocks, &*map);
  const auto measured = text::json_from(text_of(root, "configs/synth/measured.json"));
  Regions regions(root);
  set_regions(*blocks, &regions);
  regions.set("README.md", "configurations", configurations_table(configurations, measured, ""));
  regions.set("docs/linux-proxy.md", "system calls",
              system_call_tables(isa::SystemCalls::answers()));
  regions.set("docs/security.md", "limits", limits_table());
  std::vector<GeneratedFile> files = {
      {"rtl/pkg/strobe_reg_pkg.sv", register_package(*map)},
      {"rtl/pkg/strobe_hash_pkg.sv", hash_package()},
      {"rtl/sampler/strobe_hash_byte.sv", hash_byte_module()},
      {"rtl/message/strobe_settings.sv", settings_module(*blocks)},
      {"sc_models/port/path_params_generated.h", path_params_header(*blocks)},
      {"sc_models/port/path_facts_generated.h", path_facts_header(*blocks)},
      {"sc_models/profiling/reference/message/settings_generated.h", settings_header(*blocks)},
      {"sc_models/profiling/reference/sampler/first_level_generated.h", reference_header(*blocks)},
      {"sc_models/profiling/observers/first_level_generated.cpp", observers_source(*blocks)},
      {"sc_models/machine/config/compressor_config_generated.h", config_header(*blocks)},
      {"sw/config/keys/compressor_keys_generated.cpp", keys_source(*blocks)},
      {"tests/blocks_generated.h", test_points_header(*blocks)},
      {"sw/guest/include/strobe/registers.h", register_header(*map)},
      {"docs/registers.md", register_page(*map)},
      {"docs/configuration.md", config::reference_page()},
      {"configs/schema/run.schema.json", config::json_schema()},
      {"docs/tables/configurations.md", configurations_page(configurations, measured)},
  };
  files.insert(files.end(), regions.files().begin(), regions.files().end());
  return files;
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
