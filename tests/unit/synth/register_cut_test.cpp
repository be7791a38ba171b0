#include "sw/synth/proof/register_cut.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

namespace strobe::synth {
namespace {

using nlohmann::json;
using testing::HasSubstr;

json flip_flop(const std::string& type, int d, int q) {
  return {{"type", type},
          {"port_directions", {{"C", "input"}, {"D", "input"}, {"Q", "output"}}},
          {"connections", {{"C", {2}}, {"D", {d}}, {"Q", {q}}}}};
}

json inverter(int a, int y) {
  return {{"type", "$_NOT_"},
          {"port_directions", {{"A", "input"}, {"Y", "output"}}},
          {"connections", {{"A", {a}}, {"Y", {y}}}}};
}

json wire(const json& bits) { return {{"hide_name", 0}, {"bits", bits}}; }

// Two registers that hold the same, the inverse of d_i; q_o is one of them. Nets: clk_i 2, d_i 3.
json twice_stored() {
  return json::parse(R"({"modules": {"strobe_block": {
    "ports": {"clk_i": {"direction": "input", "bits": [2]},
              "d_i": {"direction": "input", "bits": [3]},
              "q_o": {"direction": "output", "bits": [5]}},
    "cells": {}, "netnames": {}}}})")
      .patch({{{"op", "replace"},
               {"path", "/modules/strobe_block/cells"},
               {"value",
                {{"n", inverter(3, 4)},
                 {"one", flip_flop("$_DFF_P_", 4, 5)},
                 {"two", flip_flop("$_DFF_P_", 4, 6)}}}},
              {{"op", "replace"},
               {"path", "/modules/strobe_block/netnames"},
               {"value", {{"q_o", wire({5})}, {"one_q", wire({5})}, {"two_q", wire({6})}}}}});
}

// The same with one register, which has the names of both.
json once_stored() {
  json design = twice_stored();
  json& module = design["modules"]["strobe_block"];
  module["cells"].erase("two");
  module["netnames"]["two_q"] = wire({5});
  return design;
}

std::multiset<std::string> of(const std::string& keyword, const std::string& blif) {
  std::multiset<std::string> names;
  std::istringstream words(blif);
  for (std::string word; words >> word;) {
    if (word == keyword && words >> word) names.insert(word);
  }
  return names;
}

void expect_alike(const CutPair& pair) {
  EXPECT_EQ(pair.difference, "");
  for (const char* keyword : {".inputs", ".outputs"})
    EXPECT_EQ(of(keyword, pair.rtl), of(keyword, pair.netlist));
}

TEST(RegisterCut, MakesInputsOfWhatRegistersHoldAndOutputsOfWhatComes) {
  const CutPair pair = cut_at_registers(twice_stored(), twice_stored());
  expect_alike(pair);
  EXPECT_EQ(pair.rtl, pair.netlist);
  EXPECT_EQ(of(".inputs", pair.rtl),
            (std::multiset<std::string>{"$x", "clk_i", "d_i", "one_q.Q", "two_q.Q"}));
  EXPECT_EQ(of(".outputs", pair.rtl),
            (std::multiset<std::string>{"q_o", "one_q.C", "one_q.D", "two_q.C", "two_q.D"}));
  EXPECT_THAT(pair.rtl, HasSubstr(".names 3 4\n0 1\n"));
  EXPECT_THAT(pair.rtl, HasSubstr(".names 4 one_q.D\n1 1\n"));
  EXPECT_THAT(pair.rtl, HasSubstr(".names one_q.Q 5\n1 1\n"));
}

TEST(RegisterCut, OneRegisterMayStandForSeveralThatAllGetTheSame) {
  const CutPair pair = cut_at_registers(twice_stored(), once_stored());
  expect_alike(pair);
  EXPECT_EQ(of(".inputs", pair.rtl), (std::multiset<std::string>{"$x", "clk_i", "d_i", "one_q.Q"}));
  EXPECT_EQ(of(".outputs", pair.rtl),
            (std::multiset<std::string>{"q_o", "one_q.C", "one_q.D", "one_q.C/2", "one_q.D/2"}));
  EXPECT_THAT(pair.rtl, HasSubstr(".names one_q.Q 6\n1 1\n")) << "the second holds it, too";
}

TEST(RegisterCut, ARegisterOfAnotherKindIsADifference) {
  json netlist = twice_stored();
  netlist["modules"]["strobe_block"]["cells"]["two"]["type"] = "$_DFF_N_";
  EXPECT_EQ(cut_at_registers(twice_stored(), netlist).difference,
            "two_q is a $_DFF_P_, in the netlist a $_DFF_N_");
}

TEST(RegisterCut, AFlipFlopWithItsSetOrResetTiedOffIsOneWithTheOther) {
  const auto with = [](const std::string& type, const std::string& pin, json other) {
    json design = twice_stored();
    json& cell = design["modules"]["strobe_block"]["cells"]["two"];
    cell["type"] = type;
    for (const char* name : {"S", "R"}) {
      if (type == "$_DFFSR_PNN_" || pin == name) cell["port_directions"][name] = "input";
      if (type == "$_DFFSR_PNN_") cell["connections"][name] = {"1"};
    }
    cell["connections"][pin] = json::array({std::move(other)});
    return design;
  };
  const json reset = with("$_DFF_PN0_", "R", 3), set = with("$_DFF_PN1_", "R", 3);
  const json both_reset = with("$_DFFSR_PNN_", "R", 3), both_set = with("$_DFFSR_PNN_", "S", 3);
  expect_alike(cut_at_registers(reset, both_reset));
  expect_alike(cut_at_registers(set, both_set));
  EXPECT_EQ(cut_at_registers(reset, both_set).difference,
            "two_q is a $_DFF_PN0_, in the netlist a $_DFF_PN1_");
}

TEST(RegisterCut, WhatOnlyOneHasHoldsAnything) {
  json netlist = once_stored();
  netlist["modules"]["strobe_block"]["netnames"].erase("two_q");
  const CutPair pair = cut_at_registers(twice_stored(), netlist);
  expect_alike(pair);
  EXPECT_EQ(of(".inputs", pair.netlist).count("two_q.Q"), 1u);
  EXPECT_EQ(of(".outputs", pair.rtl).count("two_q.D"), 0u);
}

TEST(RegisterCut, AConstantMayStandForARegisterThatGetsNothingElse) {
  json netlist = once_stored();
  netlist["modules"]["strobe_block"]["netnames"]["two_q"] = wire({"0"});
  const CutPair pair = cut_at_registers(twice_stored(), netlist);
  expect_alike(pair);
  EXPECT_EQ(of(".inputs", pair.rtl).count("two_q.Q"), 0u);
  EXPECT_THAT(pair.rtl, HasSubstr(".names $0 6\n1 1\n"));
  EXPECT_THAT(pair.rtl, HasSubstr(".names 4 two_q.D/1\n1 1\n"));
  EXPECT_THAT(pair.netlist, HasSubstr(".names $0 two_q.D/1\n1 1\n"));

  json rtl = twice_stored();
  rtl["modules"]["strobe_block"]["cells"]["two"]["type"] = "$_DFF_PN1_";
  EXPECT_EQ(cut_at_registers(rtl, netlist).difference,
            "two_q is 1 after reset, in the netlist always 0");
}

TEST(RegisterCut, BitsOfASplitVectorAreThoseOfTheWholeOne) {
  json whole = once_stored();
  json& names = whole["modules"]["strobe_block"]["netnames"];
  names = {{"word_q", wire({7, 8, 5})}};
  json split = once_stored();
  json third = wire({5});
  third["offset"] = 2;
  split["modules"]["strobe_block"]["netnames"] = {{"word_q[2]", third}};
  const CutPair pair = cut_at_registers(whole, split);
  expect_alike(pair);
  EXPECT_EQ(of(".inputs", pair.rtl).count("word_q[2].Q"), 1u);

  names = {{"word_q", wire({5, 8})}};
  split["modules"]["strobe_block"]["netnames"] = {{"word_q[0]", wire({5})}};
  EXPECT_EQ(of(".inputs", cut_at_registers(whole, split).rtl).count("word_q.Q"), 1u);
}

// In the RTL "seen" is the register two_q through two inverters; in the netlist it is a register.
TEST(RegisterCut, ARegisterMayHaveTheNameOfWhatIsSeenThroughGates) {
  json rtl = twice_stored();
  json& module = rtl["modules"]["strobe_block"];
  module["cells"]["in"] = inverter(6, 7);
  module["cells"]["out"] = inverter(7, 8);
  module["netnames"]["seen"] = wire({8});
  json netlist = twice_stored();
  json& names = netlist["modules"]["strobe_block"]["netnames"];
  names.erase("two_q");
  names["seen"] = wire({6});
  const CutPair pair = cut_at_registers(rtl, netlist);
  expect_alike(pair);
  EXPECT_TRUE(pair.unknown.empty());
  EXPECT_EQ(of(".outputs", pair.rtl).count("seen.D"), 1u);

  module["netnames"]["seen"] = wire({7});  // the inverse
  EXPECT_EQ(cut_at_registers(rtl, netlist).unknown, std::vector<std::string>{"seen"});
}

json and_gate(int a, int b, int y) {
  return {{"type", "$_AND_"},
          {"port_directions", {{"A", "input"}, {"B", "input"}, {"Y", "output"}}},
          {"connections", {{"A", {a}}, {"B", {b}}, {"Y", {y}}}}};
}

// Two registers that become the NAND of what they hold and an input: of the first d_i, of the
// second net `input`.
json two_that_hold(int input) {
  json design = twice_stored();
  json& module = design["modules"]["strobe_block"];
  module["ports"]["e_i"] = {{"direction", "input"}, {"bits", {7}}};
  module["cells"] = {{"a", and_gate(3, 5, 8)},
                     {"b", and_gate(input, 6, 9)},
                     {"not_a", inverter(8, 10)},
                     {"not_b", inverter(9, 11)},
                     {"one", flip_flop("$_DFF_P_", 10, 5)},
                     {"two", flip_flop("$_DFF_P_", 11, 6)}};
  module["netnames"] = {{"one_q", wire({5})}, {"two_q", wire({6})}};
  return design;
}

// Only the second is left in the netlist.
json second_alone(int input = 3) {
  json design = two_that_hold(input);
  json& module = design["modules"]["strobe_block"];
  for (const char* cell : {"a", "not_a", "one"}) module["cells"].erase(cell);
  module["ports"]["q_o"]["bits"] = {6};
  module["netnames"].erase("one_q");
  return design;
}

TEST(RegisterCut, OfRegistersThatKeepWhatTheyHoldAndHoldTheSameOneIsEnough) {
  const CutPair pair = cut_at_registers(two_that_hold(3), second_alone(), Correspondence::kValues);
  expect_alike(pair);
  EXPECT_TRUE(pair.unknown.empty());
  EXPECT_EQ(of(".inputs", pair.rtl).size(), 5u);   // $x, clk_i, d_i, e_i and one for both
  EXPECT_EQ(of(".outputs", pair.rtl).size(), 5u);  // q_o, and C and D of each
}

// The first register becomes the AND, so it stays 0; the netlist does without it.
TEST(RegisterCut, WhatStaysZeroMayBeGone) {
  json rtl = two_that_hold(7), netlist = second_alone(7);
  rtl["modules"]["strobe_block"]["cells"]["one"] = flip_flop("$_DFF_P_", 8, 5);
  netlist["modules"]["strobe_block"]["ports"]["q_o"]["bits"] = {"0"};
  EXPECT_EQ(of(".inputs", cut_at_registers(rtl, netlist).rtl).count("one_q.Q"), 1u);
  const CutPair pair = cut_at_registers(rtl, netlist, Correspondence::kValues);
  expect_alike(pair);
  EXPECT_EQ(of(".inputs", pair.rtl).count("one_q.Q"), 0u);
  EXPECT_EQ(of(".outputs", pair.rtl).count("one_q.D/1"), 1u);
}

// The first register gets 1 or what it holds: not (d_i and not itself).
TEST(RegisterCut, WhatStaysOneMayBeGone) {
  json rtl = two_that_hold(7), netlist = second_alone(7);
  json& cells = rtl["modules"]["strobe_block"]["cells"];
  cells["not_one"] = inverter(5, 12);
  cells["a"] = and_gate(3, 12, 8);
  netlist["modules"]["strobe_block"]["ports"]["q_o"]["bits"] = {"1"};
  const CutPair pair = cut_at_registers(rtl, netlist, Correspondence::kValues);
  expect_alike(pair);
  EXPECT_EQ(of(".inputs", pair.rtl).count("one_q.Q"), 0u);
  EXPECT_THAT(pair.netlist, HasSubstr(".names $1 one_q.D/1\n1 1\n"));

  cells["one"] = flip_flop("$_DFF_PN0_", 10, 5);  // never 1
  EXPECT_EQ(
      of(".inputs", cut_at_registers(rtl, netlist, Correspondence::kValues).rtl).count("one_q.Q"),
      1u);
}

TEST(RegisterCut, OfRegistersThatGetDifferentThingsOneIsNot) {
  const CutPair pair = cut_at_registers(two_that_hold(7), second_alone(), Correspondence::kValues);
  EXPECT_EQ(of(".inputs", pair.rtl).size(), 6u);
  EXPECT_EQ(of(".outputs", pair.rtl).size(), 3u);
}

TEST(RegisterCut, WhatNothingDrivesMayBeAnything) {
  json netlist = twice_stored();
  netlist["modules"]["strobe_block"]["cells"].erase("n");
  EXPECT_THAT(cut_at_registers(twice_stored(), netlist).netlist, HasSubstr(".names $x 4\n1 1\n"));
  netlist["modules"]["strobe_block"]["ports"]["q_o"]["bits"] = {"x"};
  EXPECT_THAT(cut_at_registers(twice_stored(), netlist).netlist, HasSubstr(".names $x q_o\n1 1\n"));
}

// It is in one where other memories of the design are macros.
TEST(RegisterCut, AMemoryOfFlipFlopsMayBeInABlock) {
  json rtl = once_stored(), netlist = once_stored();
  rtl["modules"]["strobe_block"]["netnames"] = {{"genblk1.u_ram.gen_flip_flops.mem[0]", wire({5})}};
  netlist["modules"]["strobe_block"]["netnames"] = {{"u_ram.mem[0]", wire({5})}};
  const CutPair pair = cut_at_registers(rtl, netlist);
  expect_alike(pair);
  EXPECT_TRUE(pair.unknown.empty());
}

TEST(RegisterCut, AMemoryIsCutAtItsPins) {
  json design = once_stored();
  json& module = design["modules"]["strobe_block"];
  module["cells"]["u_ram.u_macro"] = {
      {"type", "strobe_sram_2x16"},
      {"port_directions", {{"wdata_i", "input"}, {"we_i", "input"}, {"rdata_o", "output"}}},
      {"connections", {{"wdata_i", {3, 5}}, {"we_i", {"1"}}, {"rdata_o", {8, 9}}}}};
  json other = design;
  json& cells = other["modules"]["strobe_block"]["cells"];
  cells["u_ram.genblk2.u_macro"] = cells["u_ram.u_macro"];
  cells.erase("u_ram.u_macro");
  const CutPair pair = cut_at_registers(design, other);
  expect_alike(pair);
  EXPECT_TRUE(pair.unknown.empty());
  EXPECT_EQ(of(".inputs", pair.rtl).count("u_ram.u_macro.rdata_o[1]"), 1u);
  EXPECT_EQ(of(".outputs", pair.rtl).count("u_ram.u_macro.wdata_i[1]"), 1u);
  EXPECT_THAT(pair.rtl, HasSubstr(".names $1 u_ram.u_macro.we_i\n1 1\n"));
}

}  // namespace
}  // namespace strobe::synth
