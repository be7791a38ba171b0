#include "sw/result/manifest.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "sw/files/sha256.h"

namespace strobe::result {
namespace {

using nlohmann::json;

class ManifestTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "manifest-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string file(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return (folder_ / name).string();
  }

  std::filesystem::path folder_;
};

// FIPS 180-4's examples.
TEST_F(ManifestTest, HashesAreSha256) {
  EXPECT_EQ(files::sha256_of_file(file("empty", "")),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(files::sha256_of_file(file("abc", "abc")),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(files::sha256_of_file(file("million", std::string(1000000, 'a'))),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST_F(ManifestTest, HoldsNamesAndHashesButNoPaths) {
  ManifestInput input;
  input.version = "0.1.0";
  input.git_id = "0123abc";
  input.tools = {{"systemc", "2.3.4"}, {"compiler", "GNU 12.2.0"}};
  input.strobe = {"strobe", "09"};
  input.elf = {"/a/b/program.elf", "0a"};
  input.firmware = {"firmware.elf", "0b"};
  input.productions = {{"/x/calls.dise", "0c"}, {"streams.dise", "0d"}};
  input.rtl = "0e";
  input.seed = 42;
  input.command = {"strobe", "run", "x.yaml"};
  EXPECT_EQ(make_manifest(input),
            (json{{"schema_version", 1},
                  {"version", "0.1.0"},
                  {"git_id", "0123abc"},
                  {"tools", {{"compiler", "GNU 12.2.0"}, {"systemc", "2.3.4"}}},
                  {"strobe", {{"name", "strobe"}, {"sha256", "09"}}},
                  {"elf", {{"name", "program.elf"}, {"sha256", "0a"}}},
                  {"firmware", {{"name", "firmware.elf"}, {"sha256", "0b"}}},
                  {"stdin", nullptr},
                  {"productions",
                   {{{"name", "calls.dise"}, {"sha256", "0c"}},
                    {{"name", "streams.dise"}, {"sha256", "0d"}}}},
                  {"rtl", {{"sha256", "0e"}}},
                  {"seed", 42},
                  {"command", {"strobe", "run", "x.yaml"}}}));
}

TEST_F(ManifestTest, NamesTheFileThatSymbolsCameFrom) {
  ManifestInput input;
  input.debug = {"/usr/lib/debug/program.debug", "0f"};
  EXPECT_EQ(make_manifest(input)["debug"], (json{{"name", "program.debug"}, {"sha256", "0f"}}));
}

TEST_F(ManifestTest, SaysWhichFileItCannotHash) {
  const std::string missing = (folder_ / "missing").string();
  try {
    files::sha256_of_file(missing);
    FAIL() << "hashed a file that is not there";
  } catch (const std::runtime_error& error) {
    EXPECT_EQ(error.what(), "cannot hash " + missing +
                                " for the manifest: No such file or directory; check that the file "
                                "is there and can be read");
  }
  EXPECT_THROW(files::sha256_of_file(folder_.string()), std::runtime_error);
}

TEST(MakeHost, GivesSpeedAndMemory) {
  const json host = make_host(2.0, 5000000);
  EXPECT_EQ(host["host_seconds"], 2.0);
  EXPECT_EQ(host["mips"], 2.5);
  EXPECT_GT(host["peak_rss_bytes"], 100000);
  EXPECT_EQ(make_host(0, 5)["mips"], json());
}

}  // namespace
}  // namespace strobe::result
