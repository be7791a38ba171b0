// Every hostile path, from every directory, with every operation: nothing outside of the sandbox is
// read, created or changed.
#include <sys/stat.h>

#include <functional>
#include <utility>

#include "tests/security/canary.h"
#include "tests/security/nightly.h"
#include "tests/unit/linux/call_fixture.h"

namespace strobe::security {
namespace {

namespace fs = std::filesystem;
namespace abi = isa::abi;

class PathMatrix : public isa::CallTest {
 protected:
  static constexpr uint64_t kRead = 2048;  // bytes of the buffer that calls fill

  PathMatrix() : canary_(top_ / "secret") {
    fs::create_directory(top_ / "chain");
    fs::create_symlink("../in/good", top_ / "chain/link0");
    for (int i = 1; i < 45; ++i) {
      fs::create_symlink("link" + std::to_string(i - 1),
                         top_ / "chain" / ("link" + std::to_string(i)));
    }
    options_.read.push_back((top_ / "chain").string());
    restart();
    fill("in");
    fill("out");
  }

  /// The files of a sandbox directory as they are before an attack.
  void fill(const std::string& name) {
    const fs::path folder = top_ / name;
    for (const auto& entry : fs::directory_iterator(folder)) fs::remove_all(entry.path());
    fs::create_directories(folder / "sub/empty");
    put_file(name + "/hello.txt", "hello, world");
    put_file(name + "/sub/f", "inside");
    for (const auto& [link, target] : std::vector<std::pair<std::string, std::string>>{
             {"absolute", (top_ / "secret/key").string()},
             {"relative", "../secret/key"},
             {"folder", "../secret"},
             {"dots", "sub/../../secret"},
             {"up", ".."},
             {"root", "/"},
             {"fresh", "../secret/new"},
             {"self", "self"},
             {"loop1", "loop2"},
             {"loop2", "loop1/x"},
             {"chain", "folder/key"},
             {"magic", "/proc/self/root"},
             {"fd", "/proc/self/fd/0"},
             {"cwd", "/proc/self/cwd"},
             {"environ", "/proc/self/environ"},
             {"device", "/dev/zero"},
             {"good", "sub/f"}}) {
      fs::create_symlink(target, folder / link);
    }
    EXPECT_EQ(mkfifo((folder / "fifo").c_str(), 0600), 0);
  }

  std::vector<std::string> paths() const {
    const std::string top = top_.string(), secret = top + "/secret/key";
    const std::string token = Canary::kText;
    return {"..",
            "../",
            "../..",
            "../secret",
            "../secret/",
            "../secret/key",
            "..//secret///key",
            "./.././secret/./key",
            "sub/../../secret/key",
            "none/../../secret/key",
            "../secret/new",
            "../secret/file-" + token,
            "../secret/sub-" + token + "/deep",
            "../new",
            "../in2",
            top,
            top + "/",
            secret,
            top + "/in/../secret/key",
            "/" + secret,
            top + "/secret/sub-" + token,
            "/etc/passwd",
            "/",
            "//",
            "/..",
            "/proc/self/environ",
            "/proc/self/root" + secret,
            "/proc/self/cwd/../secret/key",
            "/proc/self/fd/3",
            "/proc/self/mem",
            "/sys/kernel",
            "/dev/zero",
            "/dev/fd/0",
            "absolute",
            "relative",
            "folder/key",
            "folder/",
            "folder/new",
            "dots/key",
            "up/secret/key",
            "root" + secret,
            "fresh",
            "self",
            "loop1",
            "chain",
            "magic" + secret,
            "fd",
            "cwd/../secret/key",
            "environ",
            "device",
            "fifo",
            "../chain/link44",
            "../chain/link9",
            "folder/../secret/key",
            "hello.txt/../../secret/key",
            std::string(300, 'n'),
            "\xff\xfe/../../secret/key",
            ".",
            "sub/empty/.",
            std::string(4000, '/') + secret};
  }

  /// The directories a path counts from, as the values of the argument.
  std::vector<uint64_t> directories() {
    std::vector<uint64_t> result = {kHere};
    for (const auto& [path, flags] :
         std::vector<std::pair<std::string, uint64_t>>{{in("."), 0},
                                                       {out("."), 0},
                                                       {in("sub"), abi::kDirectory},
                                                       {out("sub/empty"), 0},
                                                       {top_.string(), 0},
                                                       {"/", 0},
                                                       {out("sub"), abi::kPathOnly},
                                                       {in("hello.txt"), 0},
                                                       {"/dev/null", 0}}) {
      const int64_t fd = open(path, flags);
      EXPECT_GE(fd, 0) << path;
      result.push_back(static_cast<uint64_t>(fd));
    }
    for (const uint64_t odd : {uint64_t{1}, uint64_t{99}, ~uint64_t{0}, (uint64_t{1} << 32) + 3}) {
      result.push_back(odd);
    }
    return result;
  }

  struct Operation {
    std::string name;
    std::function<int64_t(uint64_t directory, const std::string& path)> run;
    bool changes = false;
  };
  std::vector<Operation> operations() {
    std::vector<Operation> all;
    const auto add = [&all](std::string name, bool changes, auto run) {
      all.push_back({std::move(name), std::move(run), changes});
    };
    using namespace isa::abi;
    for (const uint64_t flags :
         {kReadOnly, kWriteOnly, kReadWrite, kWriteOnly | kCreate,
          kReadWrite | kCreate | kExclusive, kReadOnly | kTruncate,
          kWriteOnly | kTruncate | kCreate, kWriteOnly | kAppend, kReadOnly | kDirectory,
          kReadOnly | kNofollow, kReadOnly | kPathOnly, kReadWrite | kTemporary | kDirectory,
          kWriteOnly | kCreate | kNofollow}) {
      const uint64_t changing = kWriteOnly | kReadWrite | kCreate | kTruncate;
      add("openat " + std::to_string(flags), (flags & changing) != 0,
          [this, flags](uint64_t d, const auto& p) {
            const int64_t fd = call("openat", {d, text(p), flags, 0600});
            if (fd >= 0) use(static_cast<uint64_t>(fd));
            return fd;
          });
    }
    for (const uint64_t flags : {uint64_t{0}, kAtSymlinkNofollow, kAtEmptyPath}) {
      add("newfstatat", false, [this, flags](uint64_t d, const auto& p) {
        return call("newfstatat", {d, text(p), kBuffer, flags});
      });
    }
    add("statx", false, [this](uint64_t d, const auto& p) {
      return call("statx", {d, text(p), 0, 0x7ff, kBuffer});
    });
    for (const uint64_t mode : {0, 2, 4}) {
      add("faccessat", false, [this, mode](uint64_t d, const auto& p) {
        return call("faccessat", {d, text(p), mode});
      });
    }
    add("readlinkat", false, [this](uint64_t d, const auto& p) {
      return call("readlinkat", {d, text(p), kBuffer, kRead});
    });
    add("chdir", false, [this](uint64_t, const auto& p) {
      const int64_t result = call("chdir", {text(p)});
      if (result == 0) {
        const int64_t fd = open("secret/key");
        EXPECT_LT(fd, 0) << "after chdir";
        call("chdir", {text(in("."))});
      }
      return result;
    });
    for (const uint64_t flags : {uint64_t{0}, kAtRemoveDir}) {
      add("unlinkat", true, [this, flags](uint64_t d, const auto& p) {
        return call("unlinkat", {d, text(p), flags});
      });
    }
    add("mkdirat", true, [this](uint64_t d, const auto& p) {
      return call("mkdirat", {d, text(p), 0755});
    });
    for (const uint64_t flags : {0, 1, 2}) {
      add("renameat2 from", true, [this, flags](uint64_t d, const auto& p) {
        return call("renameat2", {d, text(p), kHere, text(out("moved"), 1), flags});
      });
      add("renameat2 to", true, [this, flags](uint64_t d, const auto& p) {
        return call("renameat2", {kHere, text(out("hello.txt"), 1), d, text(p), flags});
      });
    }
    add("truncate", true, [this](uint64_t, const auto& p) {
      return call("truncate", {text(p), 3});
    });
    add("fchmodat", true, [this](uint64_t d, const auto& p) {
      return call("fchmodat", {d, text(p), 0777});
    });
    add("utimensat", true, [this](uint64_t d, const auto& p) {
      return call("utimensat", {d, text(p), 0, 0});
    });
    add("mknodat", true, [this](uint64_t d, const auto& p) {
      return call("mknodat", {d, text(p), 0010644, 0});
    });
    add("symlinkat", true, [this](uint64_t d, const auto& p) {
      return call("symlinkat", {text("/etc", 1), d, text(p)});
    });
    add("linkat", true, [this](uint64_t d, const auto& p) {
      return call("linkat", {d, text(p), kHere, text(out("hard"), 1), 0x400});
    });
    add("fchownat", true, [this](uint64_t d, const auto& p) {
      return call("fchownat", {d, text(p), 0, 0, 0});
    });
    return all;
  }

  /// What a program does with a file that opened.
  void use(uint64_t fd) {
    const uint64_t data = kBuffer;
    call("getdents64", {fd, data, kRead / 2});
    call("pread64", {fd, data + kRead / 2, kRead / 2, 0});
    call("write", {fd, text("overwritten", 2), 11});
    call("fchmod", {fd, 0700});
    call("ftruncate", {fd, 5});
    call("close", {fd});
  }

  Canary canary_;
};

TEST_F(PathMatrix, NothingOutsideIsReadMadeOrChanged) {
  const std::vector<std::string> paths = this->paths();
  const std::vector<uint64_t> directories = this->directories();
  const std::vector<Operation> operations = this->operations();
  ASSERT_GE(paths.size(), 56u);
  ASSERT_EQ(directories.size(), 14u);
  ASSERT_GE(operations.size(), 35u);
  const std::string before = canary_.print(), empty(kRead, '\0');
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(top_)) names.push_back(entry.path().string());
  uint64_t good = 0;
  for (const std::string& path : paths) {
    for (const uint64_t directory : directories) {
      for (const Operation& operation : operations) {
        ASSERT_TRUE(user_->copy_out(kBuffer, empty.data(), kRead));
        const int64_t result = operation.run(directory, path);
        ASSERT_FALSE(calls_->stopped());
        ASSERT_EQ(guest(kBuffer, kRead).find(Canary::kText), std::string::npos)
            << operation.name << " " << path << " from " << directory << " read the outside";
        if (result < 0) continue;
        ++good;
        if (operation.changes) fill("out");
      }
    }
    ASSERT_EQ(canary_.print(), before) << path << " changed the outside";
  }
  std::vector<std::string> names_after;
  for (const auto& entry : fs::directory_iterator(top_))
    names_after.push_back(entry.path().string());
  EXPECT_EQ(names_after, names) << "something was made beside the sandbox";
  EXPECT_GT(good, 1000u) << "the operations never work";
}

TEST_F(PathMatrix, TheOperationsDoReadAndChangeWhatIsInside) {
  const std::string before = canary_.print();
  const Canary inside(top_ / "out/box");
  const std::string box = inside.print();
  bool read = false;
  for (const Operation& operation : operations()) {
    operation.run(kHere, out("box/key"));
    read = read || guest(kBuffer, kRead).find(Canary::kText) != std::string::npos;
  }
  EXPECT_TRUE(read) << "the check for reading cannot fail";
  EXPECT_NE(inside.print(), box) << "the check for changes cannot fail";
  EXPECT_EQ(canary_.print(), before);
}

}  // namespace
}  // namespace strobe::security
