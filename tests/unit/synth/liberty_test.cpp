// Does the Liberty reader take what libraries write, and say what is wrong with the rest?
#include "sw/synth/library/liberty.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sw/synth/library/cell_library.h"
#include "tests/unit/config/scratch.h"

namespace strobe::synth {
namespace {

std::string message_of(const std::string& text) {
  try {
    parse_liberty(text, "x.lib");
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

const std::string kHeader =
    "library(tiny) { time_unit : \"1ns\"; capacitive_load_unit (1,pf); nom_voltage : 1.8;\n";
const std::string kPins = "pin(A) { direction : input; capacitance : 0.01; }\n";
const std::string kGates =
    "cell(INV) { area : 2; " + kPins + "pin(Y) { direction : output; function : \"(!A)\"; } }\n" +
    "cell(BUF) { area : 3; " + kPins + "pin(Y) { direction : output; function : \"A\"; } }\n" +
    "cell(BIGINV) { area : 9; " + kPins + "pin(Y) { direction : output; function : \"!A\"; } }\n" +
    "cell(ND2) { area : 4; " + kPins +
    "pin(B) { direction : input; } pin(Y) { direction : output; function : \"(!(A * B))\"; } }\n";
const std::string kFlipFlop =
    "cell(DFF) { area : 16; ff(IQ,IQN) { next_state : \"D\"; clocked_on : \"CK\"; }\n"
    "pin(D) { direction : input; } pin(CK) { direction : input; clock : true; }\n"
    "pin(Q) { direction : output; function : \"IQ\"; } }\n";

std::string library_error(const std::string& text) {
  const config::Scratch folder;
  const std::string file = folder.write("tiny.lib", text);
  try {
    load_cell_library(file);
  } catch (const std::runtime_error& error) {
    const std::string what = error.what();
    EXPECT_EQ(what.rfind(file, 0), 0u) << what;
    return what.substr(file.size());
  }
  return "";
}

TEST(Liberty, ReadsGroupsAttributesCommentsStringsAndContinuedLines) {
  const LibertyGroup library = parse_liberty(
      "/* a comment\nover two lines */ library (tiny) {\n  area : 1.5;\n  unit (1, pf);\n"
      "  table (a) { values ( \\\n \"1, 2\", \\\n \"3, 4\" ); }\n  area : 2\n ;}\n",
      "x.lib");
  EXPECT_EQ(library.name(), "tiny");
  ASSERT_NE(library.attribute("area"), nullptr);
  EXPECT_EQ(*library.attribute("area"), "2") << "the last value counts";
  ASSERT_NE(library.group("unit"), nullptr);
  EXPECT_THAT(library.group("unit")->arguments, testing::ElementsAre("1", "pf"));
  ASSERT_NE(library.group("table"), nullptr);
  EXPECT_THAT(library.group("table")->group("values")->arguments,
              testing::ElementsAre("1, 2", "3, 4"));
  EXPECT_EQ(library.attribute("none"), nullptr);
  EXPECT_EQ(library.group("none"), nullptr);
}

TEST(Liberty, SaysWhereAFileIsNotLiberty) {
  EXPECT_EQ(message_of("module x;"),
            "x.lib:1: not Liberty: expected 'library (NAME) {', got module");
  EXPECT_EQ(message_of("library (x) {\n  cell (a) {\n"),
            "x.lib:3: not Liberty: expected a name or '}', got the end of the file");
  EXPECT_EQ(message_of("library (x) {\n area : ; }"),
            "x.lib:2: not Liberty: expected a value, got ;");
  EXPECT_EQ(message_of("library (x) { a : \"open"),
            "x.lib:1: not Liberty: expected the end of a string, got the end of the file");
  std::string deep = "library (x) {";
  for (int i = 0; i < 100; ++i) deep += "g () {";
  EXPECT_THAT(message_of(deep), testing::HasSubstr("nested"));
}

TEST(CellLibrary, FindsTheSmallestCellOfEachRole) {
  const config::Scratch folder;
  const CellLibrary library =
      load_cell_library(folder.write("tiny.lib", kHeader + kGates + kFlipFlop + "}"));
  EXPECT_EQ(library.name, "tiny");
  EXPECT_EQ(library.nand2, "ND2");
  EXPECT_EQ(library.inverter, "INV");
  EXPECT_EQ(library.buffer, "BUF");
  EXPECT_EQ(library.flip_flop, "DFF");
  EXPECT_DOUBLE_EQ(library.nand2_area(), 4);
  EXPECT_DOUBLE_EQ(library.voltage, 1.8);
  EXPECT_EQ(library.cells.at("DFF").output()->name, "Q");
}

TEST(CellLibrary, RefusesALibraryTheFlowCannotUse) {
  EXPECT_EQ(library_error(kHeader + kGates + "}"),
            ": no rising-edge D flip-flop without reset among its cells");
  EXPECT_EQ(library_error(kHeader + kFlipFlop + "}"), ": no 2-input NAND among its cells");
  EXPECT_EQ(library_error("library(t) { time_unit : \"1ps\"; }"),
            ": time_unit: expected 1ns, got '1ps'");
  EXPECT_EQ(library_error("library(t) { time_unit : \"1ns\"; capacitive_load_unit (1,ff); }"),
            ": capacitive_load_unit: expected (1,pf)");
  EXPECT_EQ(library_error(kHeader + "cell(X) { area : big; } }"),
            ": area of X: expected a number, got 'big'");
  EXPECT_THROW(load_cell_library("/no/such.lib"), std::runtime_error);
}

}  // namespace
}  // namespace strobe::synth
