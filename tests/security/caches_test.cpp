// docs/security.md: a cached file is loaded and trusted only when it is unchanged and this
// user put it there.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <fstream>
#include <random>

#include "sc_models/profiling/verilated/rtl_object.h"
#include "sw/files/sealed.h"
#include "sw/synth/design/cache.h"
#include "tests/e2e/process/strobe_process.h"
#include "tests/security/nightly.h"
#include "tests/tree.h"

namespace strobe::security {
namespace {

namespace fs = std::filesystem;
using e2e::read_file;
using files::ForeignFile;

class Caches : public testing::Test {
 protected:
  Caches() : path_(std::getenv("PATH")) {
    setenv("STROBE_CACHE", (scratch_.path() / "cache").c_str(), 1);
    unsetenv("STROBE_RTL_DIR");
  }
  ~Caches() override {
    setenv("PATH", path_.c_str(), 1);
    unsetenv("STROBE_CACHE");
  }

  /// From here on a build is a copy of an object of the build tree, and counted.
  void build_quickly() const {
    const fs::path bin = scratch_.path() / "bin";
    fs::create_directory(bin);
    std::ofstream(bin / "bash") << "#!/bin/sh\ncp " << good() << " \"$4\"\necho >> " << built()
                                << "\n";
    fs::permissions(bin / "bash", fs::perms::owner_all);
    setenv("PATH", (bin.string() + ":" + path_).c_str(), 1);
  }
  static fs::path good() { return in_build("rtl/libstrobe_dise_default.so"); }
  fs::path built() const { return scratch_.path() / "built"; }
  size_t builds() const { return read_file(built()).size(); }

  static void flip(const fs::path& file, size_t place, uint8_t bits) {
    std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
    stream.seekg(static_cast<std::streamoff>(place));
    const int byte = stream.get();
    stream.seekp(static_cast<std::streamoff>(place));
    stream.put(static_cast<char>(byte ^ bits));
  }

  e2e::ScratchDirectory scratch_;
  std::string path_;
  profiling::RtlTarget target_{"strobe_dise", "Nobody=1"};
};

TEST_F(Caches, AnObjectWithAFlippedBitIsNeverLoaded) {
  build_quickly();
  const std::string whole = read_file(good());
  const fs::path object = profiling::find_or_build(target_);
  ASSERT_EQ(builds(), 1u);
  std::mt19937_64 random(9);
  const uint64_t count = rounds(20, 500);
  for (uint64_t i = 0; i < count; ++i) {
    flip(object, random() % whole.size(), static_cast<uint8_t>(1u << random() % 8));
    ASSERT_EQ(profiling::find_or_build(target_), object);
    ASSERT_EQ(read_file(object), whole) << "flip " << i;
  }
  EXPECT_EQ(builds(), 1 + count);
}

TEST_F(Caches, AnObjectThatIsCutOffOrHasNoSealIsBuiltAgain) {
  build_quickly();
  const fs::path object = profiling::find_or_build(target_);
  fs::resize_file(object, 100);
  profiling::find_or_build(target_);
  EXPECT_EQ(read_file(object), read_file(good()));
  fs::remove(object.string() + ".sha256");
  profiling::find_or_build(target_);
  EXPECT_EQ(builds(), 3u);
  profiling::find_or_build(target_);
  EXPECT_EQ(builds(), 3u);
}

TEST_F(Caches, AnObjectThatAnotherUserCouldHaveWrittenIsRefused) {
  build_quickly();
  const fs::path object = profiling::find_or_build(target_);
  chmod(object.c_str(), 0777);
  EXPECT_THROW(profiling::find_or_build(target_), ForeignFile);
  chmod(object.c_str(), 0755);
  chmod(object.parent_path().c_str(), 0777);
  EXPECT_THROW(profiling::find_or_build(target_), ForeignFile);
  chmod(object.parent_path().c_str(), 0755);
  EXPECT_EQ(profiling::find_or_build(target_), object);
}

TEST_F(Caches, ADamagedResultOfASynthesisIsComputedAgain) {
  size_t computed = 0;
  const auto result = [&] {
    return synth::cached("inputs", [&](const fs::path& stem) {
      ++computed;
      std::ofstream(synth::netlist_of(stem)) << "module m; endmodule\n";
      return nlohmann::json{{"area", 42}};
    });
  };
  const nlohmann::json expected = {{"area", 42}};
  const fs::path stem = synth::stem_of("inputs");
  const fs::path kept = stem.string() + ".json";
  for (size_t i = 0; i < 3; ++i) EXPECT_EQ(result(), expected);
  EXPECT_EQ(computed, 1u);
  std::ofstream(kept) << R"({"area":41})";
  EXPECT_EQ(result(), expected);
  EXPECT_EQ(computed, 2u);
  flip(synth::netlist_of(stem), 8, 1);
  EXPECT_EQ(result(), expected);
  EXPECT_EQ(computed, 3u);
  EXPECT_EQ(read_file(synth::netlist_of(stem)), "module m; endmodule\n");
  chmod(kept.c_str(), 0666);
  EXPECT_THROW(result(), ForeignFile);
}

}  // namespace
}  // namespace strobe::security
