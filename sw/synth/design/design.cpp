#include "sw/synth/design/design.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <sstream>
#include <stdexcept>

#include "sw/synth/tools/files.h"
#include "sw/text/json_text.h"
#include "sw/yaml/map_reader.h"
#include "sw/yaml/scalar.h"

namespace strobe::synth {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

const std::string kMemory = "strobe_ram_1r1w";

// Packages come first, the other files in the order of their names.
std::vector<fs::path> rtl_files(const std::string& extension) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(source_directory() / "rtl")) {
    if (entry.path().extension() == extension) files.push_back(entry.path());
  }
  files.push_back(source_directory() / "sw/synth/design/strobe_yardstick.sv");
  if (extension != ".sv") files.pop_back();
  const auto package = [](const fs::path& path) { return path.parent_path().filename() == "pkg"; };
  std::sort(files.begin(), files.end(), [&](const fs::path& a, const fs::path& b) {
    return std::pair(!package(a), a) < std::pair(!package(b), b);
  });
  return files;
}

// Yosys writes a parameter's value as bits, most significant first, or as text.
std::optional<long> parameter_value(const std::string& bits) {
  if (bits.size() > 64 || bits.find_first_not_of("01") != std::string::npos) return std::nullopt;
  long value = 0;
  for (const char bit : bits) value = 2 * value + (bit - '0');
  return bits.size() == 32 ? static_cast<int32_t>(value) : value;
}

// The name that a module has in the source; Yosys derives another one for each parameter point.
std::string source_name(const std::string& key, const json& module) {
  std::string name = module["attributes"].value("hdlname", key);
  if (!name.empty() && name.front() == '\\') name.erase(0, 1);
  return name;
}

// Returns "strobe_lfsr.sv:17" for ".../strobe_lfsr.sv:17.3-19.6".
std::string line_of(const json& cell) {
  const std::string source = cell["attributes"].value("src", "");
  const std::string file = source.substr(source.rfind('/') + 1);
  return file.substr(0, file.find('.', file.find(':')));
}

bool is_memory(const json& cell, const json& all) {
  const std::string type = cell["type"];
  return all.contains(type) ? source_name(type, all[type]) == kMemory : type.rfind("$mem", 0) == 0;
}

Module read_module(const std::string& key, const json& source, const json& all) {
  Module module;
  module.name = source_name(key, source);
  if (source.contains("parameter_default_values")) {
    for (const auto& [name, bits] : source["parameter_default_values"].items()) {
      const std::optional<long> value = parameter_value(bits.get<std::string>());
      if (value) module.parameters[name] = *value;
      if (!value) module.no_number = name;
    }
  }
  for (const auto& [name, port] : source["ports"].items()) {
    module.ports.push_back(
        {name, static_cast<int>(port["bits"].size()), port["direction"] == "input"});
  }
  for (const auto& [name, cell] : source["cells"].items()) {
    const std::string type = cell["type"];
    if (all.contains(type)) module.instances[name] = type;
    if (module.memory.empty() && is_memory(cell, all)) module.memory = line_of(cell);
  }
  return module;
}

// The packages, the headers and the wanted modules.
std::vector<fs::path> sources(const std::function<bool(const std::string& module)>& wanted) {
  std::vector<fs::path> files;
  for (const char* extension : {".sv", ".svh"}) {
    for (const fs::path& file : rtl_files(extension)) {
      const bool module = file.extension() == ".sv" && file.parent_path().filename() != "pkg";
      if (!module || wanted(file.stem().string())) files.push_back(file);
    }
  }
  return files;
}

std::string hash_of(const std::vector<fs::path>& files) {
  std::string text;
  for (const fs::path& file : files) {
    const std::string content = read_file(file);
    text += fmt::format("{} {}\n{}", file.filename().string(), content.size(), content);
  }
  return sha256_of_text(text);
}

}  // namespace

std::map<MemorySize, int> Design::memories() const {
  std::map<MemorySize, int> found;
  const std::function<void(const std::string&)> visit = [&](const std::string& key) {
    const Module& module = modules.at(key);
    if (module.name == kMemory) {
      ++found[{static_cast<int>(module.parameters.at("Width")),
               static_cast<int>(module.parameters.at("Depth"))}];
    }
    for (const auto& [name, type] : module.instances) visit(type);
  };
  visit(top);
  return found;
}

Point Design::point() const { return {modules.at(top).name, modules.at(top).parameters}; }

std::vector<Point> Design::blocks() const {
  std::vector<Point> points;
  for (const auto& [key, module] : modules) {
    if (key != top && module.name != kMemory) points.push_back({module.name, module.parameters});
  }
  std::sort(points.begin(), points.end(),
            [](const Point& a, const Point& b) { return a.text() < b.text(); });
  points.push_back(point());
  return points;
}

std::set<std::string> Design::source_modules() const {
  std::set<std::string> names;
  for (const auto& [key, module] : modules) names.insert(module.name);
  return names;
}

SignalName Design::resolve(const std::string& path) const {
  const Module* module = &modules.at(top);
  std::string rest = path;
  for (;;) {
    const auto inside =
        std::find_if(module->instances.begin(), module->instances.end(), [&](const auto& instance) {
          const std::string& name = instance.first;
          return rest.compare(0, name.size(), name) == 0 && rest.size() > name.size() &&
                 rest[name.size()] == '.' && modules.at(instance.second).name != kMemory;
        });
    if (inside == module->instances.end()) return {module->name, rest};
    rest = rest.substr(inside->first.size() + 1);
    module = &modules.at(inside->second);
  }
}

std::string read_commands(const Point& point, const std::set<std::string>& modules,
                          const std::string& memories) {
  // Yosys names what it makes by file and a running number, and abc orders by names. The script
  // therefore reads only what the point needs, and names no folder of the tree.
  std::string text = "read_verilog -sv -Irtl/common";
  for (const fs::path& file : rtl_sources(modules)) {
    if (file.extension() != ".sv" || (!memories.empty() && file.stem() == kMemory)) continue;
    text += " " + file.lexically_relative(source_directory()).string();
  }
  if (!memories.empty()) text += " " + memories;
  // hierarchy -chparam is not used, because in Yosys 0.23 it fails on some of the points.
  if (!point.parameters.empty()) text += "\nchparam";
  for (const auto& [name, value] : point.parameters)
    text += fmt::format(" -set {} {}", name, value);
  if (!point.parameters.empty()) text += " " + point.module;
  // -check is not used, because at its default parameters a module may need modules that the point
  // does not have.
  return text + fmt::format("\nhierarchy -top {}\nrename -top strobe_block\n", point.module);
}

void require_module(const std::string& name) {
  std::vector<std::string> known;
  for (const fs::path& file : rtl_files(".sv")) {
    if (file.parent_path().filename() != "pkg") known.push_back(file.stem().string());
  }
  if (std::find(known.begin(), known.end(), name) != known.end()) return;
  throw std::invalid_argument(fmt::format("block: expected a module of rtl/, got {}{}",
                                          text::in_quotes(name), text::did_you_mean(name, known)));
}

Design elaborate(const Point& point) {
  const ScratchFolder folder;
  const std::string output = (folder / "design.json").string();
  std::set<std::string> all_modules;
  for (const fs::path& file : rtl_files(".sv")) all_modules.insert(file.stem().string());
  write_file(folder / "elaborate.ys", read_commands(point, all_modules, "") +
                                          "hierarchy -check\nproc -noopt\nwrite_json " + output +
                                          "\n");
  run(fmt::format("elaborating {}", point.text()),
      {"yosys", "-q", (folder / "elaborate.ys").string()});
  const json all = text::own_json_from(read_file(output))["modules"];
  Design design;
  for (const auto& [key, module] : all.items()) {
    design.modules.emplace(key, read_module(key, module, all));
  }
  design.top = "strobe_block";
  design.modules.at(design.top).name = point.module;
  return design;
}

std::string rtl_hash() {
  return hash_of(sources([](const std::string&) { return true; }));
}

std::string rtl_hash(const std::set<std::string>& modules) { return hash_of(rtl_sources(modules)); }

std::vector<fs::path> rtl_sources(const std::set<std::string>& modules) {
  return sources([&](const std::string& module) { return modules.count(module) != 0; });
}

}  // namespace strobe::synth
