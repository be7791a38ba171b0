#include "sw/synth/mapping/composition.h"

#include <fmt/format.h>

#include <set>
#include <sstream>
#include <stdexcept>

#include "sw/synth/tools/files.h"

namespace strobe::synth {
namespace {

const std::string kBlock = "strobe_block";
constexpr size_t kDigits = 8;  // the length of the hash that tells the points of a module apart

// Adds the modules of a child's netlist, its top under the child's name. Yosys begins and ends a
// module on a line of its own.
void add_modules(const Child& child, std::map<std::string, std::string>* modules) {
  std::istringstream lines(read_file(child.netlist));
  std::string* body = nullptr;
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("module ", 0) == 0) {
      const size_t end = line.find('(');
      std::string name = line.substr(7, end - 7);
      if (name == kBlock) name = child.module();
      body = &(*modules)[name];
      *body = "module " + name + line.substr(end) + "\n";
    } else if (body != nullptr) {
      *body += line + "\n";
      if (line == "endmodule") body = nullptr;
    }
  }
}

}  // namespace

std::string Child::module() const {
  return point.module + "_" + sha256_of_text(point.text()).substr(0, kDigits);
}

void require_composable(const Design& design) {
  const Module& top = design.modules.at(design.top);
  const std::string where = "configs/synth/blocks.yaml: composed: ";
  if (!top.memory.empty()) {
    throw std::invalid_argument(
        fmt::format("{}expected modules that connect others, got {}, which has a memory of its own "
                    "({}); take it off the list",
                    where, top.name, top.memory));
  }
  if (top.instances.empty()) {
    throw std::invalid_argument(
        fmt::format("{}expected modules that connect others, got {}, which instantiates none; take "
                    "it off the list",
                    where, top.name));
  }
  for (const auto& [instance, key] : top.instances) {
    const Module& child = design.modules.at(key);
    if (child.no_number.empty()) continue;
    throw std::invalid_argument(
        fmt::format("{}expected modules that connect blocks with numbers as parameters, got {}, "
                    "whose {} has the parameter {}; take it off the list",
                    where, top.name, child.name, child.no_number));
  }
}

std::string black_box_commands(const Children& children) {
  std::string text;
  for (const auto& [key, child] : children) {
    const std::string name = child.module();
    text += fmt::format("blackbox {0}\nrename {0} {1}\nchtype -map {0} {1}\n", key, name);
    text += fmt::format("setattr -set keep 1 t:{}\n", name);
  }
  return text + "hierarchy -top " + kBlock + "\n";
}

std::string netlist_of(const Children& children) {
  std::map<std::string, std::string> modules;
  for (const auto& [key, child] : children) add_modules(child, &modules);
  std::string text;
  for (const auto& [name, body] : modules) text += "\n" + body;
  return text;
}

std::vector<Part> parts_of(const Design& design, const Children& children) {
  std::vector<Part> parts;
  if (children.empty()) return parts;
  for (const auto& [instance, key] : design.modules.at(design.top).instances) {
    const Child& child = children.at(key);
    parts.push_back({instance, child.point, child.cells.logic_area, child.cells.flip_flop_area,
                     child.cells.memory_area, child.cells.period});
  }
  return parts;
}

std::vector<std::string> failed_recipes_of(const Children& children) {
  std::set<std::string> failed;
  for (const auto& [key, child] : children) {
    for (const std::string& recipe : child.cells.failed_recipes) {
      const bool deeper = recipe.find(" of ") != std::string::npos;
      failed.insert(deeper ? recipe : recipe + " of " + child.point.module);
    }
  }
  return {failed.begin(), failed.end()};
}

}  // namespace strobe::synth
