// Static programs on the hart, and the same programs under qemu-riscv64.
#pragma once

#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "sc_models/isa/linux/process_environment.h"
#include "tests/tree.h"

namespace strobe::isa {

/// Has a directory `work`, in which programs may write, and gives them the file `input`.
class ProgramTest : public testing::Test {
 protected:
  struct Result {
    std::string out, err;
    int code = -1;
    std::string failure;  // why the proxy stopped the run
    uint64_t instructions = 0;
  };

  ProgramTest() {
    std::string pattern = (std::filesystem::temp_directory_path() / "strobe-XXXXXX").string();
    top_ = std::filesystem::canonical(mkdtemp(pattern.data()));
    std::filesystem::create_directory(top_ / "work");
    std::ofstream(top_ / "input") << "first line\nsecond line\n";
  }
  ~ProgramTest() override { std::filesystem::remove_all(top_); }

  static std::string content(const std::filesystem::path& path) {
    std::stringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }

  /// The path of a program that this directory's CMakeLists.txt builds.
  static std::string program(const std::string& name) {
    return in_build("tests/unit/linux/programs/") + name;
  }

  /// What a program does on the hart.
  Result run(const std::string& name, const std::vector<std::string>& args = {},
             uint64_t seed = 1) {
    ProcessOptions options;
    options.elf = program(name);
    options.args = args;
    options.env = {"STROBE_COLOR=green"};
    options.stdin_file = (top_ / "input").string();
    options.write = {(top_ / "work").string()};
    options.seed = seed;
    GuestMemory memory;
    LinuxProcess process(memory, options);
    ProcessEnvironment world(process);
    Hart hart(memory, world);
    process.set_clock([&hart] { return hart.user_instructions(); });
    hart.set_user_entry(process.entry(), process.stack_pointer());
    EXPECT_EQ(hart.run(uint64_t{200'000'000}), StopReason::kEcallStop)
        << "pc " << std::hex << hart.state().pc;
    return {process.captured_stdout(), process.captured_stderr(), process.exit().code,
            process.exit().error, hart.instructions()};
  }

  /// @param args  as a shell takes them
  Result run_in_qemu(const std::string& name, const std::string& args = "") {
    const std::string command = "cd " + (top_ / "work").string() +
                                " && env -i STROBE_COLOR=green qemu-riscv64 " + program(name) +
                                " " + args + " < ../input > ../out 2> ../err";
    const int status = std::system(("exec 2>/dev/null; ulimit -c 0; " + command).c_str());
    return {content(top_ / "out"), content(top_ / "err"), WEXITSTATUS(status), "", 0};
  }

  /// Expects both outputs and the exit code of qemu-riscv64.
  void expect_the_same(const std::string& name) {
    const Result ours = run(name);
    const Result theirs = run_in_qemu(name);
    EXPECT_EQ(ours.failure, "");
    EXPECT_EQ(ours.out, theirs.out);
    EXPECT_EQ(ours.err, theirs.err);
    EXPECT_EQ(ours.code, theirs.code);
    EXPECT_FALSE(ours.out.empty());
  }

  std::filesystem::path top_;
};

}  // namespace strobe::isa
