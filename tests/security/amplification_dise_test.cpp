// The worst productions and tables up to the limits of their readers.
#include <gtest/gtest.h>

#include <sstream>
#include <stdexcept>

#include "sw/dise/assemble.h"
#include "sw/explore/store/csv.h"
#include "tests/security/amplification.h"

namespace strobe::security {
namespace {

constexpr size_t kLargest = 1 << 16;  // bytes of a file of productions

TEST(Amplification, Productions) {
  const auto expect_cheap_set = [](const std::string& begin, const std::string& part) {
    const std::string text = begin + repeated(part, (kLargest - begin.size()) / part.size());
    expect_cheap(
        "productions " + part.substr(0, 20),
        [&] {
          return text::to_text(dise::assemble({{"t.dise", text}}, {}).faults);
        },
        "error: ");
  };
  const std::string sequence = "s: { T.INST }\n";
  for (const char* part :
       {"(", "!", "\x01", "a ", "a:", "a: b -> c;\n", "register a = d0, 1;\n", "a: { nop }\n",
        "a: inc_0;\n", "-1 ", "a: overflow_0 || overflow_0 -> s;\n"}) {
    expect_cheap_set("", part);
  }
  expect_cheap_set(sequence + "p: overflow_0", " || zero_0 && overflow_1");
  expect_cheap_set(sequence + "p: ", "(overflow_0 || zero_0) && ");
  expect_cheap_set(sequence + "p: T.PC < 0x7ffffffffffffff", " || T.PC < 0x7fffffff");
  std::string many = sequence;
  for (int i = 0; many.size() < kLargest - 60; ++i) {
    many += "p" + std::to_string(i) + ": T.OPCLASS == store -> s;\n";
  }
  expect_cheap(
      "many productions",
      [&] {
        return text::to_text(dise::assemble({{"t.dise", many}}, {}).faults);
      },
      "error: ");
}

TEST(Amplification, CsvRecords) {
  const auto expect_cheap_record = [](const std::string& what, const std::string& text,
                                      const std::string& sentence) {
    expect_cheap(
        "CSV of " + what,
        [&] {
          try {
            std::istringstream in(text);
            for (std::string record; explore::csv_record(in, &record);) explore::csv_fields(record);
            return std::string();
          } catch (const std::length_error& error) {
            return std::string(error.what());
          }
        },
        sentence);
  };
  const std::string most =
      "is too long: expected at most 1048576 bytes in a record, got at least 1048577";
  expect_cheap_record("a long line", std::string(100 << 20, 'x'), most);
  expect_cheap_record("lines in a quoted field", "\"" + std::string(100 << 20, '\n'), most);
  expect_cheap_record("fields", std::string(1 << 20, ','), "");
  expect_cheap_record("short lines", std::string(4 << 20, '\n'), "");
}

}  // namespace
}  // namespace strobe::security
