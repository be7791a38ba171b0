// Does a program find the files that come with Strobe, in a clone and in an installation?
#include "sw/files/own_files.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "tests/tree.h"

namespace strobe::files {
namespace {

namespace fs = std::filesystem;

TEST(OwnFiles, AProgramOfABuildFindsItsFolderAndItsSourceTree) {
  EXPECT_EQ(built_directory() / "", fs::path(in_build("")));
  EXPECT_EQ(source_directory() / "", fs::path(in_source("")));
}

TEST(OwnFiles, AnInstalledProgramFindsItsFilesBesideIt) {
  EXPECT_EQ(source_directory_of("/opt/a/lib/strobe"), fs::path("/opt/a/share/strobe"));
  EXPECT_EQ(source_directory_of("/usr/lib/strobe"), fs::path("/usr/share/strobe"));
}

TEST(OwnFiles, AFolderOfAnotherNameIsABuild) {
  for (const char* built : {"/opt/lib/other", "/opt/strobe", "/opt/lib/strobe/build"}) {
    EXPECT_EQ(source_directory_of(built) / "", fs::path(in_source(""))) << built;
  }
}

}  // namespace
}  // namespace strobe::files
