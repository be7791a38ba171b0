// The Liberty text of memory macros.
#include <fmt/format.h>

#include "sw/synth/library/cell_library.h"
#include "sw/synth/memory/sram.h"

namespace strobe::synth {
namespace {

int address_bits(int depth) {
  int bits = 1;
  while ((1L << bits) < depth) ++bits;
  return bits;
}

std::string input(const std::string& name, int width, double capacitance, double setup) {
  const std::string body = fmt::format("      direction : input; capacitance : {:.5f};\n{}",
                                       capacitance, liberty_checks(setup));
  if (width == 0) return fmt::format("    pin ({}) {{\n{}    }}\n", name, body);
  return fmt::format("    bus ({}) {{\n      bus_type : bus{};\n{}    }}\n", name, width, body);
}

std::string cell(const Macro& macro, double capacitance, double transition) {
  const int address = address_bits(macro.size.depth);
  const int width = macro.size.width;
  std::string text =
      fmt::format("  cell ({}) {{\n    area : {:.2f};\n", macro.size.cell_name(), macro.area);
  for (const int bits : {address, width}) {
    text += fmt::format(
        "    type (bus{}) {{ base_type : array; data_type : bit; bit_width : {}; bit_from : {}; "
        "bit_to : 0; downto : true; }}\n",
        bits, bits, bits - 1);
    if (address == width) break;
  }
  text +=
      fmt::format("    pin (clk_i) {{ direction : input; clock : true; capacitance : {:.5f}; }}\n",
                  capacitance);
  text += input("we_i", 0, capacitance, macro.setup);
  text += input("waddr_i", address, capacitance, macro.setup);
  text += input("wdata_i", width, capacitance, macro.setup);
  text += input("re_i", 0, capacitance, macro.setup);
  text += input("raddr_i", address, capacitance, macro.setup);
  text += fmt::format("    bus (rdata_o) {{\n      bus_type : bus{};\n      direction : output;\n",
                      width);
  text += "      timing () { related_pin : \"clk_i\"; timing_type : rising_edge;\n";
  for (const char* edge : {"rise", "fall"}) {
    text += fmt::format(
        "        cell_{0} (scalar) {{ values (\"{1:.4f}\"); }} {0}_transition (scalar) {{ values "
        "(\"{2:.4f}\"); }}\n",
        edge, macro.access, transition);
  }
  return text + "      }\n    }\n  }\n";
}

}  // namespace

std::string liberty_checks(double setup) {
  std::string text;
  for (const auto& [type, value] :
       {std::pair("setup_rising", setup), std::pair("hold_rising", 0.0)}) {
    text += fmt::format(
        "      timing () {{ related_pin : \"clk_i\"; timing_type : {}; rise_constraint (scalar) {{ "
        "values (\"{:.4f}\"); }} fall_constraint (scalar) {{ values (\"{:.4f}\"); }} }}\n",
        type, value, value);
  }
  return text;
}

std::string macro_liberty(const std::vector<Macro>& macros, const std::string& other_cells,
                          const CellLibrary& library) {
  std::string text = "library (strobe_macros) {\n  delay_model : table_lookup;\n";
  text += "  time_unit : \"1ns\";\n  voltage_unit : \"1V\";\n  current_unit : \"1uA\";\n";
  text += "  pulling_resistance_unit : \"1kohm\";\n  leakage_power_unit : \"1nW\";\n";
  text += "  capacitive_load_unit (1,pf);\n";
  for (const char* edge : {"rise", "fall"}) {
    text += fmt::format(
        "  slew_upper_threshold_pct_{0} : 80;\n  slew_lower_threshold_pct_{0} : 20;\n"
        "  input_threshold_pct_{0} : 50;\n  output_threshold_pct_{0} : 50;\n",
        edge);
  }
  text += fmt::format("  nom_process : 1;\n  nom_temperature : 25;\n  nom_voltage : {};\n",
                      library.voltage);
  const Cell& flip_flop = library.cells.at(library.flip_flop);
  const double capacitance = flip_flop.pin(flip_flop.next_state)->capacitance;
  for (const Macro& macro : macros) {
    // The transition time of an output is a tenth of its access time.
    text += cell(macro, capacitance, macro.access / 10);
  }
  return text + other_cells + "}\n";
}

}  // namespace strobe::synth
