#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "sw/gen/emit/emit_blocks.h"
#include "sw/gen/words.h"

namespace strobe::gen {
namespace {

/// The place of a parameter in the name of a point; the largest number for another word.
size_t place_of(const Blocks& blocks, const std::string& rtl) {
  for (size_t i = 0; i < blocks.parameters.size(); ++i) {
    if (blocks.parameters[i].rtl() == rtl) return i;
  }
  return blocks.parameters.size();
}

/// A point of a compressor as one of the path: with its Compressor, in the order of the parameters.
std::string path_point(const Blocks& blocks, const Compressor& block, const std::string& point) {
  std::vector<std::string> words;
  std::istringstream stream(point);
  for (std::string word; stream >> word;) words.push_back(word);
  if (block.kind != 1) words.push_back(fmt::format("Compressor={}", block.kind - 1));
  std::stable_sort(words.begin(), words.end(), [&](const std::string& a, const std::string& b) {
    return place_of(blocks, a.substr(0, a.find('='))) < place_of(blocks, b.substr(0, b.find('=')));
  });
  return fmt::format("{}", fmt::join(words, " "));
}

/// Words in lines of at most 120 characters that begin with `indent`.
std::string filled(const std::string& first, const std::string& indent,
                   const std::vector<std::string>& words, const std::string& end) {
  std::string text, line = first;
  for (const std::string& word : words) {
    if (line.size() + 1 + word.size() > 118) {
      text += line + "\n";
      line = indent + word;
    } else {
      line += " " + word;
    }
  }
  return text + line + end + "\n";
}

std::string range_text(const Parameter& parameter) {
  if (!parameter.choices.empty()) return fmt::format("{}", fmt::join(parameter.choices, ", "));
  return fmt::format("{}{} to {}", parameter.or_none ? "0, or " : "", parameter.low.text,
                     parameter.high.text);
}

/// "0 paper, 1 xor_fold".
std::string choices_text(const Parameter& parameter) {
  std::string text;
  for (size_t i = 0; i < parameter.choices.size(); ++i) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", i, parameter.choices[i]);
  }
  return text;
}

/// What a front end must refuse: the values next to the range, where its bounds are numbers.
std::vector<std::string> outside(const Parameter& parameter) {
  std::vector<std::string> points;
  const auto number = [](const std::string& text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
  };
  if (number(parameter.low.cpp)) {
    const int low = std::stoi(parameter.low.cpp);
    points.push_back(std::to_string(low - 1));
  }
  if (number(parameter.high.cpp)) {
    const int high = std::stoi(parameter.high.cpp);
    points.push_back(std::to_string(parameter.power_of_two ? 2 * high : high + 1));
  }
  return points;
}

}  // namespace

std::string bench_points(const Blocks& blocks) {
  std::string out;
  for (const Compressor& block : blocks.compressors) {
    const Bench& bench = block.bench;
    out += fmt::format("strobe_points({} TOP {} KEYS {}\n", bench.models, bench.top, bench.keys);
    out += filled("  POINTS", "    ", bench.points, bench.long_points.empty() ? ")" : "");
    if (!bench.long_points.empty()) out += filled("  LONG", "    ", bench.long_points, ")");
  }
  return out;
}

std::string bench_list(const Blocks& blocks) {
  std::string out;
  std::vector<std::string> names;
  for (const Compressor& block : blocks.compressors) {
    out += fmt::format("strobe_point_bench({} {})\n", block.bench.test, block.bench.models);
    names.push_back(block.bench.test);
  }
  return out + filled("set(compressor_benches", "    ", names, ")");
}

std::string path_points(const Blocks& blocks) {
  std::string out = "set(STROBE_COMPRESSOR_POINTS\n";
  for (const Compressor& block : blocks.compressors) {
    for (const std::string& point : block.path_points) {
      out += fmt::format("    \"{}\"\n", path_point(blocks, block, point));
    }
  }
  out.pop_back();
  return out + ")\n";
}

std::string lint_points(const Blocks& blocks) {
  std::string out;
  for (const Compressor& block : blocks.compressors) {
    for (const auto& [module, points] : block.lint) {
      out += filled(fmt::format("lint({} -", module), "    ", quoted(points), ")");
    }
  }
  return out;
}

std::string four_state_points(const Blocks& blocks) {
  std::string out;
  for (const bool is_long : {false, true}) {
    std::vector<std::string> points;
    for (const Compressor& block : blocks.compressors) {
      for (const std::string& point : is_long ? block.long_four_state : block.four_state) {
        points.push_back(path_point(blocks, block, point));
      }
    }
    out += filled(is_long ? "long_compressor_points=(" : "compressor_points=(", "  ",
                  quoted(points), ")");
  }
  return out;
}

std::string refused_points(const Blocks& blocks) {
  std::string out;
  for (const Compressor& block : blocks.compressors) {
    for (const RtlModule& rtl : block.rtl) {
      for (const auto& [own, of_path] : rtl.parameters) {
        for (const Parameter& parameter : blocks.parameters) {
          if (parameter.rtl() != of_path) continue;
          for (const std::string& value : outside(parameter)) {
            out += fmt::format("refused {} {}={}\n", rtl.module, own, value);
          }
        }
      }
    }
  }
  for (const Parameter& parameter : blocks.parameters) {
    if (parameter.name != "compressor") continue;
    for (const std::string& value : outside(parameter)) {
      out += fmt::format("refused strobe_compressor Compressor={}\n", value);
    }
  }
  for (const Compressor& block : blocks.compressors) {
    if (block.second_level) continue;
    out += fmt::format("refused strobe_compressor Compressor={} Strata=16 SecondEntries=16\n",
                       block.kind - 1);
  }
  return out;
}

std::string synthesis_blocks(const Blocks& blocks) {
  std::string out;
  for (const Compressor& block : blocks.compressors) {
    for (const std::string& module : block.synthesis)
      out += fmt::format("  - module: {}\n", module);
  }
  return out;
}

std::string test_points_header(const Blocks& blocks) {
  std::string points, runs;
  for (const Compressor& block : blocks.compressors) {
    for (const std::string& point : block.path_points) {
      points += fmt::format("    \"{}\",\n", path_point(blocks, block, point));
    }
    for (const std::string& run : block.runs) runs += fmt::format("    \"{}\",\n", run);
  }
  return "// Generated by strobe-gen from configs/blocks; do not edit.\n"
         "// The compressors as the tests make them.\n"
         "#pragma once\n\nnamespace strobe {\n\n"
         "/// Points of the path that are built with the project.\n"
         "inline constexpr const char* kCompressorPoints[] = {\n" +
         points +
         "};\n\n/// Keys of a profiler in a run.\ninline constexpr const char* kCompressorRuns[] = "
         "{\n" +
         runs + "};\n\n}  // namespace strobe\n";
}

std::string compressors_table(const Blocks& blocks) {
  std::string out =
      "| first level | `Compressor` | CAP1.kind | page | its parameters "
      "|\n|---|---:|---:|---|---|\n";
  for (const Compressor& block : blocks.compressors) {
    std::vector<std::string> names;
    for (const Use& use : block.uses) {
      names.push_back(fmt::format("`{}`{}", upper_camel(use.parameter),
                                  use.renamed() ? fmt::format(" ({})", use.key) : ""));
    }
    const std::string file = block.page.substr(block.page.rfind('/') + 1);
    out += fmt::format("| {} {} | {} | {} | [{}]({}) | {} |\n", lower(block.title), block.paper,
                       block.kind - 1, block.kind, file.substr(0, file.find('.')), file,
                       fmt::join(names, ", "));
  }
  return out;
}

std::string kinds_table(const Blocks& blocks) {
  std::string out = "| `kind` | paper | its keys |\n|---|---|---|\n";
  for (const Compressor& block : blocks.compressors) {
    std::vector<std::string> keys;
    if (block.rate) keys.emplace_back("`rate`");
    for (const std::string& key : blocks.keys) {
      const auto with = blocks.with_key(key);
      if (std::find(with.begin(), with.end(), &block) != with.end())
        keys.push_back("`" + key + "`");
    }
    for (const Setting& setting : block.settings) keys.push_back("`" + setting.name + "`");
    if (block.second_level) keys.emplace_back("`second_level`");
    out += fmt::format("| `{}` | {} | {} |\n", block.name, block.paper, fmt::join(keys, ", "));
    for (const ProfilerKind& kind : block.profiler_kinds) {
      std::vector<std::string> fixed;
      for (const auto& [name, value] : kind.parameters)
        fixed.push_back(fmt::format("{} = {}", name, value.text));
      out += fmt::format("| `{}` | {} | `rate`{}; it is `{}` with {} |\n", kind.name, kind.paper,
                         block.second_level ? ", `second_level`" : "", block.name,
                         fmt::join(fixed, ", "));
    }
  }
  return out;
}

std::string pages_list(const Blocks& blocks) {
  std::vector<std::string> words;
  for (const Compressor& block : blocks.compressors) {
    const std::string file = block.page.substr(std::string("docs/").size());
    words.push_back(fmt::format("[{}]({}){}", lower(block.title), file,
                                &block == &blocks.compressors.back() ? "." : ","));
  }
  return filled("The compressors: [all of them](blocks/compressor.md),", "", words, "");
}

std::string path_table(const Blocks& blocks) {
  std::string out = "| parameter | default | range | meaning |\n|---|---:|---|---|\n";
  for (const Parameter& parameter : blocks.parameters) {
    out += fmt::format("| `{}` | {} | {} | {} |\n", parameter.rtl(), parameter.default_value,
                       parameter.choices.empty() ? range_text(parameter) : choices_text(parameter),
                       parameter.description);
  }
  return out;
}

std::string parameters_table(const Blocks& blocks, const Compressor& block) {
  std::string out = "| parameter | key | default | range | meaning |\n|---|---|---:|---|---|\n";
  for (const Use& use : block.uses) {
    const Parameter& parameter = use.renamed() ? use.own : blocks.parameter(use.parameter);
    const std::string standard = parameter.choices.empty()
                                     ? std::to_string(parameter.default_value)
                                     : parameter.choices[parameter.default_value];
    out += fmt::format("| `{}` | `{}` | {} | {} | {} |\n", upper_camel(use.parameter), use.key,
                       standard, range_text(parameter), parameter.description);
  }
  for (const Setting& setting : block.settings) {
    out += fmt::format("| register {} | `{}` | {} | 0 to {} | {} |\n", setting.register_name,
                       setting.name, *setting.field.reset, setting.at_most.text,
                       setting.field.description);
  }
  out += fmt::format(
      "\nThe message of a tuple is there {} cycle{} after the tuple is taken. Bits of storage:\n\n "
      "   {}\n",
      block.latency, block.latency == 1 ? "" : "s", block.storage.text);
  return out;
}

void add_blocks(const Blocks& blocks, RegisterMap* map) {
  std::string kinds;
  Register* cap2 = nullptr;
  for (const Compressor& block : blocks.compressors) {
    kinds += fmt::format("{}{} {}", kinds.empty() ? "" : ", ", block.kind, lower(block.title));
    for (const Register& reg : block.registers) {
      // After the register with the largest offset below.
      size_t place = 0;
      uint64_t below = 0;
      for (size_t i = 0; i < map->registers.size(); ++i) {
        const uint64_t offset = map->registers[i].offset;
        if (offset < reg.offset && offset >= below) place = i + 1, below = offset;
      }
      const auto added =
          map->registers.insert(map->registers.begin() + static_cast<std::ptrdiff_t>(place), reg);
      added->of_compressor = true;
    }
  }
  for (Register& reg : map->registers) {
    if (reg.name == "CAP2") cap2 = &reg;
    if (reg.name != "CAP1") continue;
    for (Field& field : reg.fields) {
      if (field.name == "kind") field.description = kinds + ".";
    }
  }
  if (cap2 == nullptr) return;
  for (const Parameter& parameter : blocks.parameters) {
    if (parameter.capability.given()) cap2->fields.push_back(parameter.capability.field);
  }
  std::stable_sort(cap2->fields.begin(), cap2->fields.end(),
                   [](const Field& a, const Field& b) { return a.low < b.low; });
}

}  // namespace strobe::gen
