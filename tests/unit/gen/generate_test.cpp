// Are the generated texts right, and is a wrong register map refused?
#include "sw/gen/generate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "sw/gen/emit/emit.h"
#include "tests/tree.h"
#include "tests/unit/config/scratch.h"

namespace strobe::gen {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

const std::string kHead = "block: b\nsize: 0x100\nregisters:\n";

std::string faults(const std::string& registers) {
  text::Diagnostics diagnostics;
  EXPECT_FALSE(parse_register_map(kHead + registers, "m.yaml", &diagnostics));
  return text::to_text(diagnostics);
}

RegisterMap shipped() {
  text::Diagnostics diagnostics;
  const auto map = read_register_map(in_source("configs/registers.yaml"), &diagnostics);
  if (!map) throw std::runtime_error(text::to_text(diagnostics));
  return *map;
}

std::string reg(const std::string& name, const std::string& offset, const std::string& fields,
                const std::string& more = "") {
  return "  - { name: " + name + ", offset: " + offset + ", access: rw, description: d, fields: [" +
         fields + "]" + more + " }\n";
}

TEST(RegisterMap, OverlappingRegistersAreRefused) {
  EXPECT_THAT(faults(reg("A", "0x10", "") + reg("B", "0x10", "")),
              HasSubstr("m.yaml:5:5: error: registers.1: B overlaps A at offset 0x10, expected an "
                        "offset of its own"));
  EXPECT_THAT(faults(reg("A", "0x10", "", ", count: 4, stride: 0x10") + reg("B", "0x30", "")),
              HasSubstr("B overlaps A at offset 0x30"));
}

TEST(RegisterMap, OverlappingBitsAreRefused) {
  EXPECT_THAT(faults(reg("A", "0", "{ name: x, bits: '7:0' }, { name: y, bits: '7' }")),
              HasSubstr("registers.0.fields.1: bits 7:7 overlap another field of A"));
}

TEST(RegisterMap, WrongBitsNamesAccessAndAlignmentAreRefused) {
  for (const char* bits : {"64", "0:7", "a", "", "7:", ":0", "100:0"}) {
    EXPECT_THAT(faults(reg("A", "0", std::string("{ name: x, bits: '") + bits + "' }")),
                HasSubstr("wrong bits, expected \"high:low\" or \"bit\" within 63 to 0"))
        << bits;
  }
  EXPECT_THAT(faults(reg("a", "0", "")), HasSubstr("expected UPPER_SNAKE_CASE, got 'a'"));
  EXPECT_THAT(faults(reg("A", "0", "{ name: X, bits: '0' }")),
              HasSubstr("expected lower_snake_case, got 'X'"));
  EXPECT_THAT(faults(reg("A", "4", "")), HasSubstr("expected multiples of 8"));
  EXPECT_THAT(faults(reg("A", "0x100", "")), HasSubstr("out of range, expected 0 to 248, got 256"));
  EXPECT_THAT(faults(reg("A", "0xf8", "", ", count: 2")), HasSubstr("A reaches offset 0x100"));
  EXPECT_THAT(faults("  - { name: A, offset: 0, access: rw1x, description: d, fields: [] }\n"),
              HasSubstr("unknown access, expected one of ro, rw, rw1c, rw0c, w1s, wo, pop, got "
                        "'rw1x' (did you mean 'rw1c'?)"));
  EXPECT_THAT(faults(reg("A", "0", "", ", regwne: true")),
              HasSubstr("unknown key (did you mean 'regwen'?)"));
  EXPECT_THAT(faults(reg("A", "0", "{ name: x, bits: '1:0', reset: 4 }")),
              HasSubstr("out of range, expected 0 to 3, got 4"));
  EXPECT_THAT(faults(reg("A", "0", "") + reg("A", "8", "")),
              HasSubstr("a second register 'A', expected unique names"));
}

TEST(RegisterMap, FieldsGiveMasksAndResets) {
  const RegisterMap map = shipped();
  const Register& id = map.registers.at(0);
  EXPECT_EQ(id.name, "ID");
  EXPECT_EQ(id.reset_value(), 0x00020000'42525453u);
  EXPECT_EQ(id.fields.at(2).mask(), 0xffff0000'00000000u);
}

TEST(Package, HoldsOffsetsResetsFieldsAndStrides) {
  EXPECT_THAT(register_package(shipped()),
              AllOf(HasSubstr("package strobe_reg_pkg;"),
                    HasSubstr("localparam logic [11:0] Cap0Offset = 12'h008;"),
                    HasSubstr("localparam logic [63:0] IdResetValue = 64'h00020000_42525453;"),
                    HasSubstr("localparam int MsgMetaTagLsb = 32;"),
                    HasSubstr("localparam int MsgMetaTagWidth = 4;"),
                    HasSubstr("localparam logic [11:0] SelCtrlStride = 12'h020;"),
                    HasSubstr("localparam int SelCtrlCount = 8;")));
}

TEST(Header, HoldsOffsetsShiftsAndMasks) {
  EXPECT_THAT(register_header(shipped()),
              AllOf(HasSubstr("#define STROBE_REG_WATERMARK 0x050\n"),
                    HasSubstr("#define STROBE_MSG_META_TAG_SHIFT 32\n"),
                    HasSubstr("#define STROBE_MSG_META_TAG_MASK 0xf00000000ull\n"),
                    HasSubstr("#define STROBE_REG_SEL_PC_HI_STRIDE 0x20\n"),
                    HasSubstr("#define STROBE_SEL_PC_HI_RESET 0xffffffffffffffffull\n")));
}

TEST(HashByteModule, TableIsAPermutation) {
  const std::string text = hash_byte_module();
  std::vector<int> seen(256);
  for (size_t at = text.find("byte_o = 8'h"); at != std::string::npos;
       at = text.find("byte_o = 8'h", at + 1)) {
    ++seen.at(std::stoul(text.substr(at + 12, 2), nullptr, 16));
  }
  EXPECT_THAT(seen, testing::Each(1));
}

TEST(HashPackage, FirstAndLastEntriesAreThoseOfAnIndependentComputation) {
  // Worked out with the recipes of docs/blocks/hash.md in another language.
  EXPECT_THAT(
      hash_byte_module(),
      AllOf(HasSubstr("8'h00: byte_o = 8'hab;\n"), HasSubstr("8'h01: byte_o = 8'h2f;\n"),
            HasSubstr("8'hfe: byte_o = 8'h65;\n"), HasSubstr("default: byte_o = 8'h25;\n")));
  EXPECT_THAT(hash_package(), AllOf(HasSubstr("64'hc8c8c331_95b81227,  // 127 and 126\n"),
                                    HasSubstr("64'h579f4d51_8fc99c97  // 1 and 0\n"),
                                    HasSubstr("64'h82f63b78_417b1dbc,  // 127 and 126\n"),
                                    HasSubstr("64'he1f46d0d_f20c0dfe  // 1 and 0\n"),
                                    HasSubstr("CrcOffset = 32'h42709aea;\n"),
                                    HasSubstr("MultiplyPc = 64'hd7ae6ae2_9c469757;\n"),
                                    HasSubstr("MultiplyValue = 64'h036ef3fa_a16c2f57;\n")));
}

TEST(Generate, WritesWhatIsStaleAndThenNothing) {
  const config::Scratch root;
  for (const char* file :
       {"configs/registers.yaml", "configs/synth/maturity.yaml", "configs/synth/measured.json"}) {
    root.write(file, config::read_whole(in_source("") + file));
  }
  const std::string empty_page =
      "# Page\n<!-- strobe-gen: configurations -->\n<!-- strobe-gen: end -->\nrest\n";
  root.write("README.md", empty_page);
  for (const auto& entry : std::filesystem::directory_iterator(in_source("configs/blocks"))) {
    root.write("configs/blocks/" + entry.path().filename().string(),
               config::read_whole(entry.path()));
  }
  const std::string path = std::filesystem::path(root.file("x")).parent_path().string();
  text::Diagnostics diagnostics;
  // Files with regions keep their other text, so they are there already.
  size_t with_regions = 0;
  for (const GeneratedFile& file : generate(in_source(""), &diagnostics)) {
    if (file.text.find("strobe-gen: end") == std::string::npos) continue;
    if (file.path == "README.md") continue;
    root.write(file.path, file.text);
    ++with_regions;
  }
  EXPECT_GE(with_regions, 15u);
  const auto files = generate(path, &diagnostics);
  ASSERT_EQ(text::to_text(diagnostics), "");
  EXPECT_EQ(stale(path, files).size(), files.size() - with_regions);
  EXPECT_EQ(write(path, files).size(), files.size() - with_regions);
  EXPECT_THAT(stale(path, files), ElementsAre());
  EXPECT_THAT(config::read_whole(root.file("README.md")),
              AllOf(HasSubstr("# Page\n"), HasSubstr("| [`stratified-2048`](configs/profilers/"),
                    HasSubstr("rest\n")));
  EXPECT_THAT(config::read_whole(root.file("docs/tables/configurations.md")),
              HasSubstr("| [`stratified-2048`](../../configs/profilers/"));
  root.write("docs/registers.md", "edited by hand\n");
  EXPECT_THAT(stale(path, files), ElementsAre("docs/registers.md"));
  EXPECT_THAT(write(path, files), ElementsAre("docs/registers.md"));
  EXPECT_THAT(stale(path, files), ElementsAre());
}

TEST(Generate, WrongMapWritesNothing) {
  const config::Scratch root;
  root.write("configs/registers.yaml", "block: [\n");
  text::Diagnostics diagnostics;
  const std::string path = std::filesystem::path(root.file("x")).parent_path().string();
  EXPECT_TRUE(generate(path, &diagnostics).empty());
  EXPECT_FALSE(diagnostics.empty());
}

}  // namespace
}  // namespace strobe::gen
