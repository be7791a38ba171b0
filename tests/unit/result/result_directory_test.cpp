#include "sw/result/result_directory.h"

#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <map>
#include <sstream>

#include "sw/files/checksums.h"
#include "sw/files/temporary.h"

namespace strobe::result {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) {
    names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

RunFiles sample_files() {
  RunFiles files;
  files.config = "seed: 1\n";
  files.manifest = {{"version", "0.1.0"}, {"command", {"strobe"}}};
  files.result = {{"b", 0.1}, {"a", nullptr}};
  files.host = {{"host_seconds", 1.5}};
  files.profiles = {{profile_file_name("strat"), profile::Profile({{Tuple{0x10, 0x20, 0}, 3}})}};
  files.symbol_of = [](uint64_t) { return std::string("main"); };
  files.reports = {{"stdout.txt", "hello\n"}};
  return files;
}

/// Each test has a folder of its own, in which any leftover file would be seen.
class ResultDirectoryTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "result-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = fs::canonical(name);
    target_ = folder_ / "out";
  }
  void TearDown() override { fs::remove_all(folder_); }

  void make_old_result() {
    fs::create_directory(target_);
    std::ofstream(target_ / "manifest.json") << "old";
    std::ofstream(target_ / "profile.gone.csv") << "old";
  }

  /// What ResultDirectory says when it refuses `directory`.
  static std::string refusal(const fs::path& directory, bool force = false) {
    try {
      ResultDirectory refused(directory, force);
      return "not refused";
    } catch (const ResultError& error) {
      return error.what();
    }
  }

  fs::path folder_, target_;
};

TEST_F(ResultDirectoryTest, HoldsEveryFileOfARun) {
  ResultDirectory(target_, false).write(sample_files());
  EXPECT_THAT(names_in(target_), ElementsAre("config.yaml", "host.json", "manifest.json",
                                             "profile.strat.csv", "result.json", "stdout.txt"));
  EXPECT_EQ(read(target_ / "config.yaml"), "seed: 1\n");
  EXPECT_EQ(read(target_ / "result.json"), "{\n  \"a\": null,\n  \"b\": 0.1\n}\n");
  EXPECT_EQ(read(target_ / "profile.strat.csv"), "tag,pc,value,count,symbol\n0,0x10,0x20,3,main\n");
  EXPECT_EQ(read(target_ / "stdout.txt"), "hello\n");
  json manifest = sample_files().manifest;
  manifest["files"] = files::checksums_of(target_);
  EXPECT_EQ(manifest["files"].size(), 4u);
  EXPECT_EQ(json::parse(read(target_ / "manifest.json")), manifest);
  EXPECT_EQ(files::damage_of(target_), "");
  EXPECT_EQ(json::parse(read(target_ / "host.json")), sample_files().host);
  EXPECT_THAT(names_in(folder_), ElementsAre("out"));
}

TEST_F(ResultDirectoryTest, HasIntervalsOnlyWhenTheRunHad) {
  RunFiles files = sample_files();
  files.intervals = {{"core.cycles", "l1d.misses"}, {{10, 2}, {9, 0}}};
  ResultDirectory(target_, false).write(files);
  EXPECT_EQ(read(target_ / "intervals.csv"), "interval,core.cycles,l1d.misses\n0,10,2\n1,9,0\n");
}

TEST_F(ResultDirectoryTest, IsTheSameBytesTwice) {
  ResultDirectory(target_, false).write(sample_files());
  ResultDirectory(folder_ / "deeper" / "again", false).write(sample_files());
  ASSERT_EQ(names_in(target_), names_in(folder_ / "deeper" / "again"));
  for (const auto& name : names_in(target_)) {
    EXPECT_EQ(read(target_ / name), read(folder_ / "deeper" / "again" / name)) << name;
  }
}

TEST_F(ResultDirectoryTest, IsNotThereUntilItIsWhole) {
  ResultDirectory directory(target_, false);
  EXPECT_FALSE(fs::exists(target_));
  EXPECT_THAT(names_in(folder_), ElementsAre(files::temporary_of(target_).filename().string()));
  directory.write(sample_files());
  EXPECT_THAT(names_in(folder_), ElementsAre("out"));
}

TEST_F(ResultDirectoryTest, LeavesNothingWhenTheRunFails) {
  { const ResultDirectory unused(target_, false); }
  EXPECT_THAT(names_in(folder_), IsEmpty());
}

TEST_F(ResultDirectoryTest, ClearsAwayWhatAKilledProcessOfTheSameNumberLeft) {
  const fs::path left = files::temporary_of(target_);
  fs::create_directory(left);
  std::ofstream(left / "config.yaml") << "old";
  ResultDirectory(target_, false).write(sample_files());
  EXPECT_EQ(read(target_ / "config.yaml"), "seed: 1\n");
  EXPECT_THAT(names_in(folder_), ElementsAre("out"));
}

TEST_F(ResultDirectoryTest, GivesAnOldResultItsNameBackThatAKilledProcessMovedAway) {
  const pid_t child = fork();
  if (child == 0) {
    fs::create_directory(files::replaced_of(target_));
    std::ofstream(files::replaced_of(target_) / "manifest.json") << "old";
    kill(getpid(), SIGKILL);
  }
  waitpid(child, nullptr, 0);
  { const ResultDirectory unused(folder_ / "other", false); }
  EXPECT_EQ(read(target_ / "manifest.json"), "old");
}

TEST_F(ResultDirectoryTest, TakesAnEmptyDirectory) {
  fs::create_directory(target_);
  ResultDirectory(target_, false).write(sample_files());
  EXPECT_EQ(read(target_ / "stdout.txt"), "hello\n");
}

TEST_F(ResultDirectoryTest, TakesASlashAtTheEndAndASymbolicLink) {
  fs::create_directory(folder_ / "real");
  fs::create_directory_symlink("real", folder_ / "link");
  ResultDirectory directory(folder_ / "link" / "", false);
  EXPECT_EQ(directory.path(), folder_ / "real");
  directory.write(sample_files());
  EXPECT_EQ(read(folder_ / "link" / "stdout.txt"), "hello\n");
  EXPECT_TRUE(fs::is_symlink(folder_ / "link"));
}

TEST_F(ResultDirectoryTest, RefusesADirectoryThatIsNotEmpty) {
  make_old_result();
  EXPECT_EQ(refusal(target_), "the output directory " + target_.string() +
                                  " exists and is not empty: give another name, or --force to "
                                  "replace it");
  EXPECT_EQ(read(target_ / "manifest.json"), "old");
  EXPECT_THAT(names_in(folder_), ElementsAre("out"));
}

TEST_F(ResultDirectoryTest, ReplacesAnOldResultByForce) {
  make_old_result();
  ResultDirectory directory(target_, true);
  EXPECT_EQ(read(target_ / "manifest.json"), "old");  // until the new one is whole
  directory.write(sample_files());
  EXPECT_FALSE(fs::exists(target_ / "profile.gone.csv"));
  EXPECT_EQ(read(target_ / "stdout.txt"), "hello\n");
  EXPECT_THAT(names_in(folder_), ElementsAre("out"));
}

TEST_F(ResultDirectoryTest, DoesNotReplaceByForceWhatIsNoResult) {
  fs::create_directory(target_);
  std::ofstream(target_ / "thesis.tex") << "years of work";
  EXPECT_EQ(refusal(target_, true),
            "the output directory " + target_.string() +
                " holds something that is not the result of a run (it has no manifest.json), which "
                "--force does not replace: give another name");
  EXPECT_EQ(read(target_ / "thesis.tex"), "years of work");
}

TEST_F(ResultDirectoryTest, RefusesAFileAndAnEmptyName) {
  std::ofstream(target_) << "a file";
  EXPECT_EQ(refusal(target_, true), "the output directory " + target_.string() +
                                        " exists and is not a directory: give another name");
  EXPECT_EQ(refusal(""), "the output directory '' is not a usable path: it is empty");
  EXPECT_THAT(refusal(target_ / "below"), HasSubstr("Not a directory"));
}

TEST_F(ResultDirectoryTest, RefusesWhatCameIntoBeingWhileTheProgramRan) {
  ResultDirectory directory(target_, false);
  make_old_result();
  EXPECT_THROW(directory.write(sample_files()), ResultError);
  EXPECT_EQ(read(target_ / "manifest.json"), "old");
  EXPECT_THAT(names_in(folder_), ElementsAre("out"));
}

TEST_F(ResultDirectoryTest, KnowsBeforeTheRunThatItCannotWrite) {
  // Root may write anywhere, so the test takes another user's id.
  const uid_t self = geteuid();
  fs::create_directory(folder_ / "closed");
  chmod(folder_.c_str(), 0755);
  chmod((folder_ / "closed").c_str(), 0555);
  ASSERT_EQ(seteuid(self == 0 ? 65534 : self), 0);
  const std::string message = refusal(folder_ / "closed" / "out");
  ASSERT_EQ(seteuid(self), 0);
  EXPECT_EQ(message, "cannot make " + files::temporary_of(folder_ / "closed/out").string() +
                         ": Permission denied; no result was kept: make that place writable, or "
                         "give another output directory");
  EXPECT_THAT(names_in(folder_ / "closed"), IsEmpty());
}

/// Limits the size of files as a full disk would, while it lives.
class FullDisk {
 public:
  FullDisk() {
    getrlimit(RLIMIT_FSIZE, &before_);
    handler_ = std::signal(SIGXFSZ, SIG_IGN);
    const rlimit small{4096, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
  }
  ~FullDisk() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;

 private:
  rlimit before_{};
  void (*handler_)(int);
};

TEST_F(ResultDirectoryTest, KeepsNothingWhenTheDiskIsFull) {
  RunFiles files = sample_files();
  files.reports = {{"stdout.txt", std::string(10000, 'x')}};
  std::string message = "no error";
  {
    const FullDisk full;
    ResultDirectory directory(target_, false);
    try {
      directory.write(files);
    } catch (const ResultError& error) {
      message = error.what();
    }
    EXPECT_THAT(names_in(folder_), IsEmpty());
  }
  EXPECT_EQ(message, "cannot write " + files::temporary_of(target_).string() +
                         "/stdout.txt: File too large; no result was kept: raise the limit on the "
                         "size of a file ('ulimit -f unlimited'), or give another output "
                         "directory");
}

TEST_F(ResultDirectoryTest, KeepsTheOldResultWhenTheDiskIsFull) {
  make_old_result();
  RunFiles files = sample_files();
  files.config.assign(10000, 'x');
  {
    const FullDisk full;
    EXPECT_THROW(ResultDirectory(target_, true).write(files), ResultError);
  }
  EXPECT_EQ(read(target_ / "manifest.json"), "old");
  EXPECT_THAT(names_in(folder_), ElementsAre("out"));
}

TEST(NamedProfiles, TheExhaustiveOneFollowsEachWhenItIsAskedFor) {
  platform::ProfilerOutcome profiler;
  profiler.name = "strat";
  profiler.profile =
      std::make_shared<const platform::TupleCounts>(platform::TupleCounts{{Tuple{0x10, 0, 0}, 3}});
  profiler.exhaustive =
      std::make_shared<const platform::TupleCounts>(platform::TupleCounts{{Tuple{0x10, 0, 0}, 5}});
  const std::vector<NamedProfile> alone = named_profiles({profiler}, false);
  ASSERT_EQ(alone.size(), 1u);
  EXPECT_EQ(alone[0].file, "profile.strat.csv");
  const std::vector<NamedProfile> both = named_profiles({profiler, profiler}, true);
  ASSERT_EQ(both.size(), 4u);
  EXPECT_EQ(both[1].file, "exhaustive.profile.strat.csv");
  EXPECT_EQ(both[0].profile.total(), 3u);
  EXPECT_EQ(both[1].profile.total(), 5u);
}

TEST_F(ResultDirectoryTest, ProfilersOfAnyNameHaveAFileOfTheirOwn) {
  RunFiles files = sample_files();
  files.profiles = {{profile_file_name("../a b"), profile::Profile()},
                    {profile_file_name("..%2Fa b"), profile::Profile()}};
  ResultDirectory(target_, false).write(files);
  EXPECT_THAT(names_in(target_),
              ElementsAre("config.yaml", "host.json", "manifest.json", "profile...%252Fa%20b.csv",
                          "profile...%2Fa%20b.csv", "result.json", "stdout.txt"));
}

TEST_F(ResultDirectoryTest, TakesAnErrorTextThatIsNotUtf8) {
  RunFiles files = sample_files();
  files.result = {{"error", "bad byte \xff"}};
  ResultDirectory(target_, false).write(files);
  EXPECT_EQ(json::parse(read(target_ / "result.json"))["error"], "bad byte \xef\xbf\xbd");
}

}  // namespace
}  // namespace strobe::result
