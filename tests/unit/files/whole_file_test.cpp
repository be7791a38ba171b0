#include "sw/files/whole_file.h"

#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "tests/unit/files/scratch.h"

namespace strobe::files {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class WholeFiles : public testing::Test {
 protected:
  /// Writes with a limit on the size of files, which is met as a full disk is. @return what was
  /// said
  template <class Write>
  static std::string with_little_room(rlim_t bytes, const Write& write) {
    rlimit before{};
    getrlimit(RLIMIT_FSIZE, &before);
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    const rlimit small{bytes, before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
    std::string said = "nothing";
    try {
      write();
    } catch (const WriteError& error) {
      said = error.what();
    }
    setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, handler);
    return said;
  }
  static std::string text_of(const fs::path& file) {
    std::ifstream stream(file);
    return {std::istreambuf_iterator<char>(stream), {}};
  }

  Scratch scratch_;
};

TEST_F(WholeFiles, OfWhichPartsDoNotFitLeaveNothing) {
  const fs::path file = scratch_.path() / "program";
  const std::string bytes(1000, 'x');
  EXPECT_EQ(with_little_room(100, [&] { write_whole(file, bytes); }),
            "cannot write " + file.string() +
                ": File too large; raise the limit on the size of a file ('ulimit -f unlimited')");
  EXPECT_TRUE(fs::is_empty(scratch_.path()));
}

TEST_F(WholeFiles, ThatBelongTogetherAreWrittenAllOrNone) {
  const fs::path map = scratch_.path() / "program.json", program = scratch_.path() / "program";
  const std::string bytes(1000, 'x');
  EXPECT_THAT(with_little_room(100,
                               [&] {
                                 write_whole({{map, "small"}, {program, bytes, true}});
                               }),
              HasSubstr("cannot write " + program.string()));
  EXPECT_TRUE(fs::is_empty(scratch_.path()));
  write_whole({{map, "small"}, {program, bytes, true}});
  EXPECT_EQ(text_of(map), "small");
  EXPECT_EQ(text_of(program), bytes);
  EXPECT_NE(fs::status(program).permissions() & fs::perms::owner_exec, fs::perms::none);
  EXPECT_EQ(fs::status(map).permissions() & fs::perms::owner_exec, fs::perms::none);
}

TEST_F(WholeFiles, ThatFailLeaveTheOldFile) {
  const fs::path file = scratch_.path() / "page";
  write_whole(file, "old");
  with_little_room(100, [&] { write_whole(file, std::string(1000, 'x')); });
  EXPECT_EQ(text_of(file), "old");
}

TEST_F(WholeFiles, AreMadeWithTheirFolders) {
  write_whole(scratch_.path() / "a/b/file", "text");
  EXPECT_EQ(text_of(scratch_.path() / "a/b/file"), "text");
}

TEST_F(WholeFiles, AreNotMadeInPlaceOfADevice) {
  ASSERT_EQ(mkfifo((scratch_.path() / "pipe").c_str(), 0600), 0);
  std::fstream reader(scratch_.path() / "pipe", std::ios::in | std::ios::out);
  write_whole(scratch_.path() / "pipe", "text\n");
  std::string line;
  std::getline(reader, line);
  EXPECT_EQ(line, "text");
  EXPECT_EQ(fs::status(scratch_.path() / "pipe").type(), fs::file_type::fifo);
}

}  // namespace
}  // namespace strobe::files
