#include <fmt/format.h>

#include <algorithm>

#include "sw/gen/emit/emit_blocks.h"
#include "sw/gen/words.h"

namespace strobe::gen {
namespace {

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// All settings of all compressors, in the order of their bits in the flat vector.
struct FlatSetting {
  const Setting* setting;
  unsigned low;
};
std::vector<FlatSetting> flat_settings(const Blocks& blocks) {
  std::vector<FlatSetting> all;
  unsigned low = 0;
  for (const Compressor& block : blocks.compressors) {
    for (const Setting& setting : block.settings) {
      all.push_back({&setting, low});
      low += setting.field.width();
    }
  }
  return all;
}

unsigned settings_width(const Blocks& blocks) {
  unsigned width = 0;
  for (const FlatSetting& one : flat_settings(blocks)) width += one.setting->field.width();
  return width;
}

std::string default_of(const Parameter& parameter) {
  if (parameter.name == "compressor") return "strobe_pkg::CompressorStratified";
  if (parameter.name == "pc_width") return "strobe_pkg::MaxPcWidth";
  if (parameter.name == "value_width") return "strobe_pkg::MaxValueWidth";
  if (parameter.choices.empty()) return std::to_string(parameter.default_value);
  return "strobe_pkg::" + parameter.rtl() + upper_camel(parameter.choices[parameter.default_value]);
}

/// The connection of a port of a compressor's module.
std::string port(const std::string& name, const std::string& to) {
  return name == to ? fmt::format("        .{},\n", name)
                    : fmt::format("        .{}({}),\n", name, to);
}

std::string input(const Blocks& blocks, const std::string& name) {
  for (const FlatSetting& one : flat_settings(blocks)) {
    if (one.setting->name + "_i" != name) continue;
    return port(name, fmt::format("settings_i[strobe_pkg::{}Low+:strobe_pkg::{}Width]",
                                  upper_camel(one.setting->name), upper_camel(one.setting->name)));
  }
  return port(name, name);
}

std::string unused_inputs(const Blocks& blocks, const RtlModule& rtl) {
  std::vector<std::string> unused;
  for (const char* name : {"period_i", "threshold_i", "seed_i"}) {
    if (!contains(rtl.inputs, name)) unused.push_back(name);
  }
  const std::vector<FlatSetting> all = flat_settings(blocks);
  const bool none = std::none_of(all.begin(), all.end(), [&](const FlatSetting& one) {
    return contains(rtl.inputs, one.setting->name + "_i");
  });
  for (const FlatSetting& one : all) {
    if (none || contains(rtl.inputs, one.setting->name + "_i")) continue;
    unused.push_back(fmt::format("settings_i[strobe_pkg::{0}Low+:strobe_pkg::{0}Width]",
                                 upper_camel(one.setting->name)));
  }
  if (none) unused.emplace_back("settings_i");
  return unused.empty()
             ? ""
             : fmt::format("    logic unused_rates;\n    assign unused_rates = ^{{{}}};\n",
                           fmt::join(unused, ", "));
}

std::string label_of(const RtlModule& rtl) {
  return "gen_" + rtl.module.substr(std::string("strobe_").size());
}

std::string instance(const Blocks& blocks, const Compressor& block, const RtlModule& rtl) {
  const bool knows = block.entry_width.empty();
  std::string text;
  if (!knows) text += fmt::format("    logic [({})-1:0] entry;\n", block.entry_width.sv);
  text += fmt::format("    {} #(\n", rtl.module);
  for (const auto& [own, of_path] : rtl.parameters)
    text += fmt::format("        .{}({}),\n", own, of_path);
  text += "        .PcWidth(PcWidth),\n        .ValueWidth(ValueWidth)\n    ) u_sampler (\n";
  for (const char* name : {"clk_i", "rst_ni", "clear_i"}) text += port(name, name);
  for (const std::string& name : rtl.inputs) text += input(blocks, name);
  for (const char* name : {"valid_i", "tuple_i", "ready_o"}) text += port(name, name);
  text += port("msg_valid_o", "sample_valid") + port("msg_tuple_o", "sample_tuple") +
          port("msg_count_o", "sample_count") + port("msg_ready_i", "sample_ready") +
          port("table_index_i", "table_index_i");
  if (knows) {
    text += port("table_valid_o", "sampler_known") + port("table_tuple_o", "sampler_held") +
            port("table_count_o", "sampler_entry");
  } else {
    text += port("table_data_o", "entry");
  }
  text += "        .init_o(sampler_init),\n        .idle_o(sampler_idle)\n    );\n";
  if (!knows) {
    text +=
        "    assign sampler_known = 1'b0;\n    assign sampler_held = '0;\n"
        "    assign sampler_entry = (CounterWidth + 1)'(entry);\n";
  }
  return text + unused_inputs(blocks, rtl);
}

}  // namespace

std::string package_constants(const Blocks& blocks) {
  std::string out = "  // What compresses tuples into messages; docs/blocks/compressor.md\n";
  for (const Compressor& block : blocks.compressors) {
    out += fmt::format("  localparam int Compressor{} = {};  // {}\n", block.camel(),
                       block.kind - 1, block.paper);
  }
  out += fmt::format("  localparam int Compressors = {};\n", blocks.compressors.size());
  for (const Parameter& parameter : blocks.parameters) {
    if (parameter.choices.empty()) continue;
    out += fmt::format("\n  // {}\n", parameter.description);
    for (size_t i = 0; i < parameter.choices.size(); ++i) {
      out += fmt::format("  localparam int {}{} = {};\n", parameter.rtl(),
                         upper_camel(parameter.choices[i]), i);
    }
    out += fmt::format("  localparam int {}Choices = {};\n", parameter.rtl(),
                       parameter.choices.size());
  }
  out += "\n  // Run-time parameters of the compressors, in one vector.\n";
  for (const FlatSetting& one : flat_settings(blocks)) {
    const std::string name = upper_camel(one.setting->name);
    out += fmt::format("  localparam int {}Low = {};\n  localparam int {}Width = {};\n", name,
                       one.low, name, one.setting->field.width());
  }
  return out + fmt::format("  localparam int SettingsWidth = {};\n", settings_width(blocks));
}

std::string parameter_list(const Blocks& blocks, const std::vector<std::string>& without,
                           const std::map<std::string, std::string>& defaults) {
  std::string out;
  for (const Parameter& parameter : blocks.parameters) {
    if (contains(without, parameter.rtl())) continue;
    const auto given = defaults.find(parameter.rtl());
    out += fmt::format("{}    parameter int {} = {}", out.empty() ? "" : ",\n", parameter.rtl(),
                       given != defaults.end() ? given->second : default_of(parameter));
  }
  return out + "\n";
}

std::string parameter_map(const Blocks& blocks, const std::vector<std::string>& without) {
  std::string out;
  for (const Parameter& parameter : blocks.parameters) {
    if (contains(without, parameter.rtl())) continue;
    out +=
        fmt::format("{}      .{}({})", out.empty() ? "" : ",\n", parameter.rtl(), parameter.rtl());
  }
  return out + "\n";
}

std::string compressor_instances(const Blocks& blocks) {
  std::string out;
  for (const Compressor& block : blocks.compressors) {
    for (size_t i = 0; i < block.rtl.size(); ++i) {
      const RtlModule& rtl = block.rtl[i];
      std::string condition = fmt::format("Compressor == strobe_pkg::Compressor{}", block.camel());
      if (!rtl.when.empty()) condition += " && " + rtl.when.sv;
      out += fmt::format("{}if ({}) begin : {}\n", out.empty() ? "  " : "  end else ", condition,
                         label_of(rtl)) +
             instance(blocks, block, rtl);
    }
  }
  return out;
}

std::string capability_constants(const Blocks& blocks) {
  std::string period, word;
  for (const Compressor& block : blocks.compressors) {
    const std::string is = fmt::format("Compressor == strobe_pkg::Compressor{}", block.camel());
    for (const LongestPeriod& limit : block.longest_period) {
      period += fmt::format("      {}{} ? {} :\n", is,
                            limit.when.empty() ? "" : " && " + limit.when.sv, limit.is.sv);
    }
    std::string fields;
    for (const Parameter& parameter : blocks.parameters) {
      const auto with = blocks.with_key(parameter.name);
      if (!parameter.capability.given()) continue;
      if (!with.empty() && std::find(with.begin(), with.end(), &block) == with.end()) continue;
      const Field& field = parameter.capability.field;
      fields += fmt::format("{}64'({}'({})) << {}", fields.empty() ? "" : " | ", field.width(),
                            parameter.rtl(), field.low);
    }
    word += fmt::format("      {} ?\n      {} :\n", is, fields.empty() ? "64'd0" : fields);
  }
  return "  localparam int LongestPeriod =\n" + period +
         "      1;\n  localparam logic [63:0] Cap2 =\n" + word + "      64'd0;\n";
}

std::string settings_module(const Blocks& blocks) {
  std::string out =
      "// SPDX-License-Identifier: Apache-2.0\n"
      "// Generated by strobe-gen from configs/blocks; do not edit.\n"
      "//\n"
      "// The run-time registers of the compressors, in one vector. A number that does not fit its "
      "field is stored as\n"
      "// the largest one that does; a 1 above a field makes its number too large.\n"
      "// docs/blocks/registers.md is the contract.\n"
      "module strobe_settings (\n"
      "    input logic clk_i,\n"
      "    input logic rst_ni,\n\n"
      "    input  logic        write_i,  // only while REGWEN is 1\n"
      "    input  logic [11:0] reg_addr_i,\n"
      "    input  logic [63:0] reg_wdata_i,\n"
      "    output logic [63:0] reg_rdata_o,  // 0 if known_o is 0\n"
      "    output logic        known_o,\n\n"
      "    output logic [strobe_pkg::SettingsWidth-1:0] settings_o\n"
      ");\n";
  std::string state, written, reset, write, known, read, value;
  for (const Compressor& block : blocks.compressors) {
    for (const Register& reg : block.registers) {
      const std::string offset = fmt::format("strobe_reg_pkg::{}Offset", upper_camel(reg.name));
      write += fmt::format("          {}: begin\n", offset);
      std::string fields;
      for (const Setting& setting : block.settings) {
        if (setting.register_name != reg.name) continue;
        const unsigned width = setting.field.width(), low = setting.field.low, above = low + width;
        const unsigned end = low + setting.number_bits;
        const std::string range = fmt::format("[{}:{}]", above - 1, low);
        state += fmt::format("  logic [{}:0] {}_q, {}_written;\n", width - 1, setting.name,
                             setting.name);
        written +=
            end > above
                ? fmt::format("  assign {}_written = |reg_wdata_i[{}:{}] ? '1 : reg_wdata_i{};\n",
                              setting.name, end - 1, above, range)
                : fmt::format("  assign {}_written = reg_wdata_i{};\n", setting.name, range);
        reset += fmt::format("      {}_q <= strobe_reg_pkg::{}ResetValue{};\n", setting.name,
                             upper_camel(reg.name), range);
        write += fmt::format("            {0}_q <= {0}_written;\n", setting.name);
        fields += fmt::format("{}64'({}_q) << {}", fields.empty() ? "" : " | ", setting.name, low);
      }
      write += "          end\n";
      known += fmt::format("{}reg_addr_i == {}", known.empty() ? "" : " || ", offset);
      read += fmt::format("{}(reg_addr_i == {} ? {} : 64'd0)", read.empty() ? "" : " |\n      ",
                          offset, fields);
    }
  }
  for (const FlatSetting& one : flat_settings(blocks)) {
    value = one.setting->name + "_q" + (value.empty() ? "" : ", ") + value;
  }
  return out + state + written +
         "  always_ff @(posedge clk_i or negedge rst_ni) begin\n"
         "    if (!rst_ni) begin\n" +
         reset + "    end else begin\n      if (write_i) begin\n        case (reg_addr_i)\n" +
         write +
         "          default: ;\n        endcase\n      end\n    end\n  end\n"
         "  assign known_o = " +
         known + ";\n  assign reg_rdata_o =\n      " + read + ";\n  assign settings_o = {" + value +
         "};\nendmodule\n";
}

}  // namespace strobe::gen
