// Only regular files are read: a file that blocks or never ends is refused.
#include "sw/files/regular_file.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>

namespace strobe::files {
namespace {

namespace fs = std::filesystem;

class RegularFileTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "files-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string at(const char* name) const { return (folder_ / name).string(); }
  static std::string refusal(const std::string& path, uint64_t most = 100) {
    std::string text, why;
    if (read_whole(path, most, &text, &why)) return "read: " + text;
    return why;
  }

  fs::path folder_;
};

TEST_F(RegularFileTest, AFileIsReadWholeUpToItsBound) {
  std::ofstream(at("file"), std::ios::binary) << "ten bytes\n";
  EXPECT_EQ(refusal(at("file"), 10), "read: ten bytes\n");
  EXPECT_EQ(refusal(at("file"), 9), "it has more than 9 bytes");
  EXPECT_EQ(why_unreadable(at("file")), "");
}

TEST_F(RegularFileTest, APipeIsNotWaitedFor) {
  ASSERT_EQ(mkfifo(at("pipe").c_str(), 0600), 0);
  EXPECT_EQ(refusal(at("pipe")), "it is a pipe");
  EXPECT_EQ(why_unreadable(at("pipe")), "it is a pipe");
}

TEST_F(RegularFileTest, ADeviceIsNotReadWithoutEnd) {
  EXPECT_EQ(refusal("/dev/zero"), "it is a device");
  EXPECT_EQ(refusal("/dev/null"), "it is a device");
}

TEST_F(RegularFileTest, DirectoriesAndSocketsAreNamed) {
  EXPECT_EQ(refusal(folder_.string()), "it is a directory");
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, at("socket").c_str(), sizeof address.sun_path - 1);
  const int socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
  ASSERT_EQ(bind(socket, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  EXPECT_EQ(refusal(at("socket")), "it is a socket");
  close(socket);
}

TEST_F(RegularFileTest, WhatIsNotThereHasTheHostsReason) {
  EXPECT_EQ(refusal(at("nothing")), "No such file or directory");
}

}  // namespace
}  // namespace strobe::files
