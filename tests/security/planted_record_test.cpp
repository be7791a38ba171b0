// A guest writes what a later command of Strobe reads: the link record of its own program. Nothing
// of the host is executed for it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/e2e/process/strobe_process.h"
#include "tests/tree.h"

namespace strobe::e2e {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::AnyOf;
using testing::HasSubstr;

/// box/plant.elf with its object and its link record, in a directory that it may write, and the run
/// file beside the box.
class PlantedRecord : public testing::Test {
 protected:
  PlantedRecord() {
    fs::create_directory(at("box"));
    scratch_.write("box/plant.link", "riscv64-linux-gnu-gcc\n-static\nplant.o\n");
    const std::string compile = "cd " + at("box") + " && riscv64-linux-gnu-gcc -O2 -c " +
                                in_source("tests/security/programs/plant.c") +
                                " && riscv64-linux-gnu-gcc -static plant.o -o plant.elf";
    if (std::system(compile.c_str()) != 0) throw std::runtime_error(compile);
  }

  std::string at(const std::string& name) const { return (scratch_.path() / name).string(); }

  /// A run of the program that writes `text`, in double quotes of YAML, to `file`.
  std::string writing(const std::string& file, const std::string& text,
                      const std::string& more = "") const {
    return scratch_
        .write("run.yaml", "mode: functional\nworkload: { elf: box/plant.elf, args: ['" + file +
                               "', \"" + text + "\"], sandbox: { write: [box] } }\n" + more)
        .string();
  }
  void plant(const std::string& text) const {
    const ProcessResult run =
        strobe({"run", writing(at("box/plant.link"), text), "--out", at("out"), "--force"});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    ASSERT_EQ(read_file(scratch_.path() / "out/stdout.txt"), "planted\n");
  }
  /// The commands that link a program again.
  std::vector<ProcessResult> linked() const {
    const std::string run = scratch_
                                .write("edit.yaml",
                                       "mode: functional\nworkload: { elf: box/plant.elf, args: "
                                       "[a] }\ninstrument: { kind: bursty, events: [call] }\n")
                                .string();
    return {strobe({"instrument", run, "--out", at("edited.elf")}),
            strobe({"run", run, "--out", at("edited"), "--force"})};
  }

  ScratchDirectory scratch_;
};

TEST_F(PlantedRecord, ExecutesNothingOnTheHost) {
  const std::string canary = at("canary"), gcc = "riscv64-linux-gnu-gcc\\n";
  scratch_.write("box/more", "-wrapper\n'/bin/sh,-c,touch " + canary + "'\n");
  for (const std::string& record :
       {"/bin/sh\\n-c\\ntouch " + canary + "\\n", "touch\\n" + canary + "\\n",
        gcc + "-wrapper\\n/bin/sh,-c,touch " + canary + "\\nplant.o\\n",
        gcc + "@more\\nplant.o\\n"}) {
    plant(record);
    for (const ProcessResult& process : linked()) {
      EXPECT_EQ(process.exit_code, 2) << record;
      EXPECT_THAT(process.err,
                  AllOf(HasSubstr(at("box/plant.link") + ":"),
                        AnyOf(HasSubstr("1: expected the name of a linker for RISC-V"),
                              HasSubstr("2: expected an object (.o), an archive (.a)"))))
          << record;
      EXPECT_FALSE(fs::remove(canary)) << record;
    }
  }
}

TEST_F(PlantedRecord, WritesNothingOnTheHost) {
  const std::string canary = at("canary");
  for (const std::string& argument :
       {"-o\\n" + canary, "-Wl,-Map=" + canary, "-Wl,--dependency-file=" + canary}) {
    plant("riscv64-linux-gnu-gcc\\n-static\\nplant.o\\n" + argument + "\\n");
    for (const ProcessResult& process : linked()) {
      EXPECT_EQ(process.exit_code, 2) << argument;
      EXPECT_FALSE(fs::remove(canary)) << argument;
    }
  }
}

TEST_F(PlantedRecord, IsRefusedBeforeTheFirstRunOfASweep) {
  plant("touch\\n" + at("canary") + "\\n");
  scratch_.write("base.yaml",
                 "mode: functional\nworkload: { elf: box/plant.elf, args: [a] }\n"
                 "instrument: { kind: bursty, events: [call] }\n");
  scratch_.write("sweep.yaml", "base: base.yaml\ngrid: { instrument.n_check0: [100, 200] }\n");
  const ProcessResult sweep = strobe({"sweep", at("sweep.yaml"), "--out", at("swept")});
  EXPECT_EQ(sweep.exit_code, 2) << sweep.err;
  EXPECT_THAT(sweep.err, HasSubstr("strobe: error: " + at("box/plant.link") +
                                   ":1: expected the name of a linker for RISC-V"));
  EXPECT_FALSE(fs::exists(at("swept")));
}

TEST_F(PlantedRecord, IsOutOfReachOfAProgramThatIsEdited) {
  const std::string more = "instrument: { kind: bursty, events: [call] }\n";
  const ProcessResult run =
      strobe({"run", writing(at("box/plant.link"), "x", more), "--out", at("out")});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_THAT(run.err, HasSubstr("a file of the program's link " + at("box/plant.o") +
                                 " and the sandbox directory " + at("box") +
                                 ", which the program may write (workload.sandbox.write), must not "
                                 "overlap: the program could change what later runs load"));
  EXPECT_FALSE(fs::exists(at("out")));
}

TEST_F(PlantedRecord, IsNoWayToARunFileEither) {
  const std::string text =
      "include: grants.yaml\nmode: functional\nworkload: { elf: plant.elf, args: [a, b] }\n";
  scratch_.write("box/run.yaml", text);
  fs::create_directory(at("parts"));
  scratch_.write("box/grants.yaml", "workload: { sandbox: { write: [../parts] } }\n");
  const auto refusal = [&](const std::string& command, const std::string& file,
                           const std::string& write) {
    const ProcessResult run = strobe({command, at(file), "--out", at("out"), "--set",
                                      "workload.sandbox.write=[" + at(write) + "]"});
    EXPECT_EQ(run.exit_code, 2) << run.err;
    return run.err;
  };
  EXPECT_THAT(refusal("run", "box/run.yaml", "box"), HasSubstr("the run file " + at("box/")));
  scratch_.write("parts/run.yaml", "include: ../box/run.yaml\nmax_instructions: 1000\n");
  EXPECT_THAT(refusal("run", "parts/run.yaml", "box"), HasSubstr("the run file " + at("box/")));
  scratch_.write("base.yaml", "include: box/run.yaml\nworkload: { sandbox: { write: [parts] } }\n");
  scratch_.write("parts/sweep.yaml", "base: ../base.yaml\ngrid: { core.rob: [96, 128] }\n");
  const ProcessResult sweep = strobe({"sweep", at("parts/sweep.yaml"), "--out", at("swept")});
  EXPECT_EQ(sweep.exit_code, 2);
  EXPECT_THAT(sweep.err, HasSubstr("the run file " + at("parts/sweep.yaml")));
}

}  // namespace
}  // namespace strobe::e2e
