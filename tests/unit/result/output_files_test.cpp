// The output of a program is in the result's files, or one sentence says why it is not.
#include "sw/result/output_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "sw/result/result_directory.h"

namespace strobe::result {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class OutputFilesTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "output-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string read(const char* name) const {
    std::ostringstream text;
    text << std::ifstream(folder_ / name, std::ios::binary).rdbuf();
    return text.str();
  }

  fs::path folder_;
};

TEST_F(OutputFilesTest, EachDescriptorHasItsFileAndTheTextIsWhole) {
  OutputFiles output(folder_);
  output.write(1, "one ", 4);
  output.write(2, "oops", 4);
  output.write(1, std::string("two\0\n", 5).data(), 5);
  output.close();
  EXPECT_EQ(read("stdout.txt"), std::string("one two\0\n", 9));
  EXPECT_EQ(read("stderr.txt"), "oops");
}

TEST_F(OutputFilesTest, StdoutIsThereAlwaysAndStderrOnlyWhenTheProgramWroteThere) {
  OutputFiles(folder_).close();
  EXPECT_TRUE(fs::exists(folder_ / "stdout.txt"));
  EXPECT_FALSE(fs::exists(folder_ / "stderr.txt"));
}

TEST_F(OutputFilesTest, TheTextIsInTheFileWhileTheProgramRuns) {
  OutputFiles output(folder_);
  const std::string text(1 << 20, 'x');
  output.write(1, text.data(), text.size());
  EXPECT_GT(fs::file_size(folder_ / "stdout.txt"), text.size() / 2);
}

TEST_F(OutputFilesTest, AFullDiskIsOneSentence) {
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit full = {4096, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &full);
  std::string message = "no error";
  try {
    OutputFiles output(folder_);
    const std::string text(1 << 20, 'x');
    output.write(1, text.data(), text.size());
    output.close();
  } catch (const ResultError& error) {
    message = error.what();
  }
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  EXPECT_THAT(message, HasSubstr("cannot write the program's output to " + folder_.string() +
                                 "/stdout.txt: File too large; no result was kept: "));
}

}  // namespace
}  // namespace strobe::result
