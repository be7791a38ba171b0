// Addresses of objects' bytes survive a link that shortens code.
#include "sw/object/file/address_table.h"

#include <gmock/gmock.h>

#include <sstream>

#include "tests/unit/object/objects.h"

namespace strobe::object {
namespace {

/// Links the objects alone, and reads the table from the program.
class Linked {
 public:
  explicit Linked(std::vector<ObjectFile> files, const std::string& flags = kAlone) {
    std::string names;
    for (uint32_t i = 0; i < files.size(); ++i) {
      table.add_anchors(i, &files[i]);
      const std::string name = folder_ / (std::to_string(i) + ".o");
      write_bytes(name, files[i].serialize());
      names += " " + name;
    }
    const Ran ran = run("riscv64-linux-gnu-g++ " + flags + " -o " + program() + names + " 2>&1");
    if (ran.code != 0) throw std::runtime_error("the linker refuses: " + ran.out);
    table.read(bytes_of_file(program()), "program");
  }

  std::string program() const { return folder_ / "program"; }
  /// A symbol's address, as nm has it.
  uint64_t symbol(const std::string& name) const {
    std::istringstream words(
        run("riscv64-linux-gnu-nm " + program() + " | grep ' " + name + "$'").out);
    uint64_t address = 0;
    words >> std::hex >> address;
    return address;
  }

  AddressTable table;

 private:
  Folder folder_;
};

std::string start(const std::string& body) {
  return ".globl _start\n.type _start,@function\n_start:\n" + std::string(kSetGp) + body;
}

TEST(AddressTable, CodeAfterAShortenedCallIsWhereItsLabelIs) {
  ObjectFile file =
      assembled(start(" call far\nafter: nop\n call far\nlast: ret\n.globl after, last\n"
                      ".globl far\nfar: ret\n"));
  const uint32_t text = section_named(file, ".text");
  const uint32_t after = value_of(file, "after"), last = value_of(file, "last");
  const Linked linked({file});
  EXPECT_EQ(linked.table.address({0, text, after}), linked.symbol("after"));
  EXPECT_EQ(linked.table.address({0, text, last}), linked.symbol("last"));
  // The call itself: its auipc and its jalr have become one instruction, right before the label.
  const uint64_t call = linked.table.address({0, text, after - 8}).value();
  EXPECT_LT(linked.symbol("after") - call, 8u);
  EXPECT_EQ(linked.table.address({0, text, after - 4}), call);
}

TEST(AddressTable, AlignmentsAreFollowed) {
  ObjectFile file =
      assembled(start(" call far\n.balign 64\naligned: nop\n.globl aligned\nfar: ret\n"));
  const Linked linked({file});
  const uint32_t text = section_named(file, ".text");
  EXPECT_EQ(linked.table.address({0, text, value_of(file, "aligned")}), linked.symbol("aligned"));
  EXPECT_EQ(linked.symbol("aligned") % 64, 0u);
}

TEST(AddressTable, DataAndWhatTheLinkerAllocatesHaveAddresses) {
  ObjectFile first =
      assembled(start(" ret\n.data\n.globl word\n.dword 0\nword: .dword 7\n"
                      ".comm shared,64,8\n"));
  ObjectFile second = assembled(".bss\n.globl room\nroom: .zero 16\n.comm shared,64,8\n");
  const uint32_t data = section_named(first, ".data");
  const uint32_t bss = section_named(second, ".bss");
  const uint32_t shared = symbol_named(second, "shared");
  const Linked linked({first, second});
  EXPECT_EQ(linked.table.address({0, data, 8}), linked.symbol("word"));
  EXPECT_EQ(linked.table.address({1, bss, 0}), linked.symbol("room"));
  EXPECT_EQ(linked.table.address({1, kCommon, shared}), linked.symbol("shared"));
  EXPECT_EQ(linked.table.address({1, 99, 0}), std::nullopt) << "no such section there";
}

TEST(AddressTable, EveryFunctionOfACProgramIsWhereItsSymbolIs) {
  ObjectFile file = compiled("plain_o2.o");
  const ObjectFile original = file;
  const Linked linked({file}, "-static");
  unsigned functions = 0;
  for (const Symbol& symbol : original.symbols) {
    if (symbol.type != STT_FUNC || symbol.section == kUndefined || symbol.local()) continue;
    EXPECT_EQ(linked.table.address({0, symbol.section, symbol.value}), linked.symbol(symbol.name))
        << symbol.name;
    ++functions;
  }
  EXPECT_GT(functions, 3u);
}

TEST(AddressTable, AStrippedProgramIsRefused) {
  EXPECT_THAT(
      [] { Linked({assembled(start(" ret\n"))}, std::string(kAlone) + " -s"); },
      testing::ThrowsMessage<ObjectError>(testing::HasSubstr("link it without the options")));
}

TEST(AddressTable, OneAnchorStandsForEachPlaceThatTheLinkerMayShorten) {
  // The linker's time grows with them.
  ObjectFile file = assembled(start(" call far\n nop\n call far\n nop\nfar: ret\n"));
  AddressTable table;
  table.add_anchors(0, &file);
  EXPECT_EQ(file.sections.back().bytes.size(), 3 * sizeof(uint64_t));
}

TEST(AddressTable, ASymbolThatIsAskedForNeedsNoAnchor) {
  ObjectFile file = assembled(start(" call far\nafter: nop\n.globl after\nfar: ret\n"));
  const uint32_t after = symbol_named(file, "after");
  AddressTable without, with;
  ObjectFile other = file;
  without.add_anchors(0, &other);
  with.add_anchors(0, &file, {after});
  EXPECT_EQ(file.sections.back().bytes.size(), other.sections.back().bytes.size());
  const Folder folder;
  link(file.serialize(), folder / "program", kAlone);
  with.read(bytes_of_file(folder / "program"), "program");
  EXPECT_EQ(with.address({0, kCommon, after}),
            with.address({0, section_named(file, ".text"), value_of(file, "after")}));
}

}  // namespace
}  // namespace strobe::object
