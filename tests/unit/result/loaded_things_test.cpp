// The list of what Strobe executes or loads, the hashes of a manifest and the page on security say
// the same.
#include "sw/result/loaded_things.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <set>

#include "sw/result/manifest.h"
#include "tests/tree.h"

namespace strobe::result {
namespace {

using testing::HasSubstr;

/// The table of docs/security.md as it has to be.
std::string table() {
  std::string text =
      "| what | where | what it is to Strobe | its owner | may a program write it | hash in "
      "`manifest.json` |\n|---|---|---|---|---|---|\n";
  for (const LoadedThing& thing : loaded_things()) {
    const std::string hash = thing.manifest;
    text += fmt::format("| {} | {} | {} | {} | {} | {} |\n", thing.name, thing.place, thing.use,
                        thing.owner, thing.places == nullptr ? "yes" : "no, the run is refused",
                        hash.empty() ? "" : "`" + hash + "`");
  }
  return text;
}

TEST(LoadedThings, AreTheTableOfThePageOnSecurity) {
  std::ifstream stream(in_source("docs/security.md"));
  const std::string page{std::istreambuf_iterator<char>(stream), {}};
  EXPECT_THAT(page, HasSubstr("\n" + table() + "\n")) << "copy this table into docs/security.md:\n"
                                                      << table();
}

TEST(LoadedThings, NameEachHashOfAManifestAndNoOther) {
  ManifestInput input;
  for (InputFile* file : {&input.strobe, &input.elf, &input.firmware, &input.standard_input,
                          &input.observer, &input.link}) {
    *file = {"file", "00"};
  }
  input.productions = {{"a.dise", "00"}};
  input.rtl = input.instrumented = "00";
  std::set<std::string> hashed, named;
  const nlohmann::json manifest = make_manifest(input);
  for (const auto& [key, value] : manifest.items()) {
    const nlohmann::json& one = value.is_array() && !value.empty() ? value.front() : value;
    if (one.is_object() && one.contains("sha256")) hashed.insert(key);
  }
  for (const LoadedThing& thing : loaded_things()) named.insert(thing.manifest);
  named.erase("");
  EXPECT_EQ(named, hashed);
}

TEST(LoadedThings, CodeOfTheHostIsNeverInReachOfAProgram) {
  for (const LoadedThing& thing : loaded_things()) {
    if (std::string(thing.use).find("code of the host") == std::string::npos) continue;
    EXPECT_NE(thing.places, nullptr) << thing.name;
  }
}

}  // namespace
}  // namespace strobe::result
