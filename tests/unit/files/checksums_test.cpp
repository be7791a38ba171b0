#include "sw/files/checksums.h"

#include <gmock/gmock.h>

#include "tests/unit/files/scratch.h"

namespace strobe::files {
namespace {

using nlohmann::json;
using testing::HasSubstr;

class Checksums : public testing::Test {
 protected:
  Scratch scratch_;
};

TEST_F(Checksums, AFileThatChangedOrIsGoneIsNamed) {
  scratch_.write("result.json", "{}");
  scratch_.write("stdout.txt", "hello");
  scratch_.write("host.json", "differs between equal runs");
  const json sums = checksums_of(scratch_.path());
  EXPECT_EQ(sums.size(), 2u);
  const auto manifest = [&](const json& files) {
    scratch_.write("manifest.json", json{{"files", files}}.dump());
  };
  manifest(sums);
  scratch_.write("report.html", "made later");
  EXPECT_EQ(damage_of(scratch_.path()), "");
  scratch_.write("stdout.txt", "hellp");
  EXPECT_THAT(damage_of(scratch_.path()),
              HasSubstr((scratch_.path() / "stdout.txt").string() +
                        " is damaged: expected SHA-256 2cf24dba5fb0a30e"));
  std::filesystem::remove(scratch_.path() / "stdout.txt");
  EXPECT_EQ(damage_of(scratch_.path()), (scratch_.path() / "stdout.txt").string() + " is missing");
  for (const json& bad : {json(), json::object(), json({{"stdout.txt", "00"}}), json("text")}) {
    manifest(bad);
    EXPECT_THAT(damage_of(scratch_.path()), HasSubstr("manifest.json is damaged")) << bad;
  }
  manifest({{"result.json", 7}});
  EXPECT_THAT(damage_of(scratch_.path()),
              HasSubstr("result.json is damaged: expected SHA-256 7, got "));
  std::filesystem::remove(scratch_.path() / "manifest.json");
  EXPECT_THAT(damage_of(scratch_.path()), HasSubstr("manifest.json is missing"));
}

}  // namespace
}  // namespace strobe::files
