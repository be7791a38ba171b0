#include "sw/files/sealed.h"

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "tests/unit/files/scratch.h"

namespace strobe::files {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class Sealed : public testing::Test {
 protected:
  Sealed() : file_(scratch_.write("object.so", "the bytes")) {}

  std::string refusal() const {
    try {
      is_whole(file_);
    } catch (const ForeignFile& error) {
      return error.what();
    }
    return "not refused";
  }

  Scratch scratch_;
  fs::path file_;
};

TEST_F(Sealed, AFileThatWasSealedIsWhole) {
  seal(file_);
  EXPECT_TRUE(is_whole(file_));
}

TEST_F(Sealed, AFileWithoutASealOrWithAnotherByteIsNotWhole) {
  EXPECT_FALSE(is_whole(file_));
  seal(file_);
  scratch_.write("object.so", "the byteS");
  EXPECT_FALSE(is_whole(file_));
  EXPECT_FALSE(is_whole(scratch_.path() / "none.so"));
}

TEST_F(Sealed, AFileThatOthersMayWriteIsRefused) {
  seal(file_);
  chmod(file_.c_str(), 0666);
  EXPECT_EQ(refusal(),
            "the cache has " + file_.string() +
                ", which other users may write (mode 666): expected that only its owner may; "
                "remove it, or set STROBE_CACHE to a folder of your own");
}

TEST_F(Sealed, AFolderOrASealThatOthersMayWriteIsRefused) {
  seal(file_);
  chmod(scratch_.path().c_str(), 0777);
  EXPECT_THAT(refusal(), HasSubstr(scratch_.path().string() + ", which other users may write"));
  chmod(scratch_.path().c_str(), 0700);
  chmod((file_.string() + ".sha256").c_str(), 0622);
  EXPECT_THAT(refusal(), HasSubstr("object.so.sha256, which other users may write"));
}

TEST_F(Sealed, AFileOfAnotherUserIsRefused) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can give a file away";
  seal(file_);
  ASSERT_EQ(chown(file_.c_str(), 65534, 65534), 0);
  EXPECT_EQ(refusal(), "the cache has " + file_.string() +
                           ", which belongs to user 65534: expected user 0 or root; remove it, or "
                           "set STROBE_CACHE to a folder of your own");
}

TEST_F(Sealed, AFolderForThemIsItsUsersAlone) {
  const mode_t before = umask(0);
  make_own_folder(scratch_.path() / "a/b");
  umask(before);
  EXPECT_EQ(fs::status(scratch_.path() / "a/b").permissions(), fs::perms(0755));
  chmod((scratch_.path() / "a/b").c_str(), 0777);
  EXPECT_THROW(make_own_folder(scratch_.path() / "a/b"), ForeignFile);
}

}  // namespace
}  // namespace strobe::files
