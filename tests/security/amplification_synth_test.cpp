// The worst Liberty and VCD files up to the limits of their readers.
#include <gtest/gtest.h>

#include <set>
#include <sstream>

#include "sw/synth/library/liberty.h"
#include "sw/synth/netlist/activity.h"
#include "tests/security/amplification.h"

namespace strobe::security {
namespace {

constexpr size_t kMebibyte = 1 << 20;

void expect_cheap_library(const std::string& what, const std::string& text,
                          const std::string& sentence) {
  expect_cheap(
      "liberty of " + what,
      [&] {
        try {
          synth::parse_liberty(text, "t.lib");
          return std::string();
        } catch (const std::runtime_error& error) {
          return std::string(error.what());
        }
      },
      sentence);
}

TEST(Amplification, Liberty) {
  const std::string begin = "library(l){";
  const std::string most =
      "t.lib:1: too large: expected at most 600000 values, got at least 600001; leave out";
  expect_cheap_library("groups", begin + repeated("a();", 599'000) + "}", "");
  expect_cheap_library("too many groups", begin + repeated("a();", 4 * kMebibyte - 4) + "}", most);
  expect_cheap_library("arguments", begin + "a(" + repeated("b,", 599'000) + ");}", "");
  expect_cheap_library("attributes", begin + repeated("a:b;", 599'000) + "}", "");
  expect_cheap_library("groups in groups", begin + repeated("a(){", 4 * kMebibyte - 4),
                       "groups that are not nested as deeply");
  expect_cheap_library("a long value", begin + "a:" + repeated("b ", 8 * kMebibyte - 10) + ";}",
                       "");
  expect_cheap_library("a long string",
                       begin + "a:\"" + std::string(16 * kMebibyte - 20, 'x') + "\";}", "");
  expect_cheap_library("comments", begin + repeated("/**/", 4 * kMebibyte - 4) + "}", "");
  expect_cheap_library("17 MiB", std::string(17 * kMebibyte, ' '),
                       "t.lib: too large: expected at most 16777216 bytes, got 17825792");
}

void expect_cheap_activity(const std::string& what, const std::string& text,
                           const std::string& sentence) {
  expect_cheap(
      "VCD with " + what,
      [&] {
        try {
          std::istringstream in(text);
          synth::read_activity(in, "t.vcd", "dut", "clk", {"n"});
          return std::string();
        } catch (const std::runtime_error& error) {
          return std::string(error.what());
        }
      },
      sentence);
}

TEST(Amplification, Vcd) {
  const std::string scope = "$scope module dut $end $var wire 1 ! clk $end $var wire 1 \" n $end ";
  const std::string begin = scope + "$enddefinitions $end ";
  const std::string cycles = "#0 0! 0\" #1 1! #2 0! #3 1! ";
  expect_cheap_activity(
      "a wide variable", scope + "$var wire 2000000000 $ w $end",
      "t.vcd: word 22: the variables have too many bits: expected at most 1000000 bits");
  expect_cheap_activity(
      "wide variables",
      scope + repeated("$var wire 99000 $ w $end ", 10) + "$enddefinitions $end " + cycles, "");
  std::string many = scope;
  for (int i = 0; i < 300'000; ++i) many += "$var wire 1 i" + std::to_string(i) + " w $end ";
  expect_cheap_activity("variables", many + "$enddefinitions $end " + cycles, "");
  expect_cheap_activity("scopes", repeated("$scope module a $end ", 1'000'000),
                        "scopes are nested too deeply: expected at most 256");
  expect_cheap_activity("long names",
                        scope +
                            repeated("$scope module " + std::string(100'000, 's') + " $end ", 200) +
                            repeated("$var wire 1 % w $end ", 100'000),
                        "the names of the nets are too long: expected at most 67108864 bytes");
  expect_cheap_activity("a long word", std::string(100 * kMebibyte, 'x'),
                        "a word is too long: expected at most 131072 bytes");
  expect_cheap_activity("a long comment", "$comment " + repeated("x ", 5'000'000),
                        "there is no $enddefinitions");
  expect_cheap_activity("changes at one time", begin + "#0 " + repeated("1\" ", 1'000'000),
                        "too many changes at one time: expected at most 33554432 bytes");
  expect_cheap_activity("cycles", begin + cycles + repeated("#4 0! #5 1! ", 300'000), "");
}

}  // namespace
}  // namespace strobe::security
