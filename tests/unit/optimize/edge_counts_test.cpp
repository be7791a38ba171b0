// Profiles from result directories, and what is said of those that cannot be used.
#include "sw/optimize/edge_counts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "sw/files/scratch_folder.h"

namespace strobe::optimize {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr const char* kManifest = R"({"elf": {"name": "p.elf", "sha256": "abc"}})";
constexpr const char* kHeader = "tag,pc,value,count,symbol\n";

class EdgeCountsOf : public testing::Test {
 protected:
  void put(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
  }
  /// What is said of the folder, or of a file in it.
  std::string refusal(const std::string& name = "") const {
    try {
      read_edge_counts(name.empty() ? folder_.path() : folder_ / name);
    } catch (const ProfileError& error) {
      return error.what();
    }
    return "accepted";
  }

  files::ScratchFolder folder_;
};

TEST_F(EdgeCountsOf, AreThoseOfTheOnlyProfile) {
  put("manifest.json", kManifest);
  put("profile.p.csv",
      std::string(kHeader) + "0,0x10,0x14,7,main\n3,0x10,0x14,2,\"a,b\"\n0,0x10,0x20,5,\n");
  const EdgeCounts counts = read_edge_counts(folder_.path());
  EXPECT_EQ(counts.program, "abc");
  EXPECT_EQ(counts.profile.count({0x10, 0x14, 0}), 9u) << "whatever the selector's tag is";
  EXPECT_EQ(counts.profile.count({0x10, 0x20, 0}), 5u);
}

TEST_F(EdgeCountsOf, AreThoseOfTheFileThatIsNamed) {
  put("manifest.json", kManifest);
  put("profile.a.csv", std::string(kHeader) + "0,0x10,0x14,7,main\n");
  put("profile.b.csv", std::string(kHeader) + "0,0x10,0x14,8,main\n");
  EXPECT_THAT(refusal(), AllOf(HasSubstr("expected one profile.NAME.csv"),
                               HasSubstr("profile.a.csv, profile.b.csv; name the file itself")));
  EXPECT_EQ(read_edge_counts(folder_ / "profile.b.csv").profile.total(), 8u);
}

TEST_F(EdgeCountsOf, ADirectoryThatIsNoResultIsRefused) {
  EXPECT_THAT(refusal(), AllOf(HasSubstr("manifest.json: cannot be read: "),
                               HasSubstr("give the result directory of a run")));
  for (const char* text : {"", "[]", "{}", R"({"elf": null})", R"({"elf": {"sha256": 3}})"}) {
    put("manifest.json", text);
    EXPECT_THAT(refusal(), HasSubstr("expected the key elf.sha256")) << text;
  }
  put("manifest.json", kManifest);
  EXPECT_THAT(refusal(), HasSubstr("expected one profile.NAME.csv, got none"));
}

TEST_F(EdgeCountsOf, ALineThatIsNoneOfAProfileIsRefusedWithItsNumber) {
  put("manifest.json", kManifest);
  put("profile.p.csv", "a,b\n");
  EXPECT_THAT(refusal(), HasSubstr("expected the header 'tag,pc,value,count,symbol', got 'a,b'"));
  for (const char* line :
       {"", "0,16,0x14,7,main", "0,0x10,0x14,7", "0,0x10,0x14,-7,main", "0,0x10,0x14", "x",
        "0,0x10,0x1ffffffffffffffff,7,m", "300,0x10,0x14,7,main", "0,0x10,0x14,7.5,main"}) {
    put("profile.p.csv", std::string(kHeader) + "0,0x10,0x14,7,main\n" + line + "\n");
    EXPECT_THAT(refusal(), HasSubstr("profile.p.csv:3: expected a line")) << line;
  }
}

}  // namespace
}  // namespace strobe::optimize
