// Whole programs with the library that they use, edited at random, for bursty tracing and for
// ephemeral instrumentation: they do what they did, under qemu and under strobe. The fetched ones
// are among them where they are.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <sstream>
#include <stdexcept>

#include "sw/files/guest_files.h"
#include "sw/files/scratch_folder.h"
#include "sw/instrument/bursty/bursts.h"
#include "sw/instrument/bursty/instrumented_program.h"
#include "sw/instrument/ephemeral/hooked_program.h"
#include "sw/object/edit/editor.h"
#include "sw/object/edit/encode.h"
#include "tests/tree.h"

namespace strobe::instrument {
namespace {

namespace fs = std::filesystem;
using object::Code;
using object::Place;

struct Subject {
  std::string name, elf, arguments, input;
};

void PrintTo(const Subject& subject, std::ostream* out) { *out << subject.name; }

std::vector<Subject> subjects() {
  std::vector<Subject> all;
  for (const char* name : {"btree", "desim", "hashjoin", "json", "lisp", "lz", "othello", "paths",
                           "raytrace", "regex"}) {
    all.push_back({name, in_build(std::string("guest/workloads/") + name + ".elf"), "tiny", ""});
  }
  for (const auto& [name, arguments] :
       {std::pair("bzip2", "-9 -c"), std::pair("gzip", "-9 -n -c"), std::pair("lua", "-"),
        std::pair("gnugo", "--mode gtp --level 1 --seed 1")}) {
    const fs::path folder = fs::path(files::fetched_directory()) / name;
    if (!fs::exists(folder / (std::string(name) + ".link"))) continue;
    all.push_back({name, (folder / (std::string(name) + ".elf")).string(), arguments,
                   (folder / "input").string()});
  }
  return all;
}

/// Bytes of both outputs and how it ends.
std::string behavior(const std::string& simulator, const std::string& program,
                     const Subject& subject) {
  const std::string command = "{ " + simulator + " " + program + " " + subject.arguments + " < " +
                              (subject.input.empty() ? std::string("/dev/null")
                                                     : "<(head -c 60000 " + subject.input + ")") +
                              "; echo exit $?; } 2>&1";
  FILE* const pipe = popen(("bash -c '" + command + "'").c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("bash cannot be started");
  std::string text;
  std::array<char, 4096> buffer;
  for (size_t n; (n = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) {
    text.append(buffer.data(), n);
  }
  if (pclose(pipe) != 0) throw std::runtime_error(command + " failed");
  return text;
}

void put(const fs::path& file, const std::vector<uint8_t>& bytes) {
  std::ofstream stream(file, std::ios::binary);
  stream.write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
  if (!stream.flush()) throw std::runtime_error("cannot write " + file.string());
  fs::permissions(file, fs::perms::owner_all);
}

class WholePrograms : public testing::TestWithParam<Subject> {
 protected:
  std::string under_qemu(const std::string& program) const {
    return behavior("qemu-riscv64", program, GetParam());
  }
  /// The same under strobe, where standard output is a file.
  std::string under_strobe(const std::string& program) const {
    const Subject& subject = GetParam();
    std::string arguments;
    std::istringstream words(subject.arguments);
    for (std::string word; words >> word;)
      arguments += (arguments.empty() ? "\"" : ", \"") + word + "\"";
    std::string workload = "elf: " + program + ", args: [" + arguments + "]";
    if (!subject.input.empty()) {
      const std::string input = (folder_ / "input").string();
      if (std::system(("head -c 60000 " + subject.input + " > " + input).c_str()) != 0) {
        throw std::runtime_error("cannot copy " + subject.input);
      }
      workload += ", stdin: " + input;
    }
    std::ofstream(folder_ / "run.yaml")
        << "mode: functional\nworkload: { " << workload << " }\nprofilers: []\n";
    const std::string out = (folder_ / "out").string();
    const int status =
        std::system((in_build("bin/strobe") + " run " + (folder_ / "run.yaml").string() +
                     " --quiet --force --out " + out + " > " + out + ".txt 2>&1")
                        .c_str());
    std::string text;
    for (const char* name : {"/stdout.txt", "/stderr.txt"}) {
      std::ifstream file(out + name, std::ios::binary);
      text.append(std::istreambuf_iterator<char>(file), {});
    }
    return text + "exit " + std::to_string(status) + "\n";
  }

  files::ScratchFolder folder_;
};

TEST_P(WholePrograms, ABurstAnywhereChangesNoOutput) {
  const std::string expected = under_qemu(GetParam().elf);
  ASSERT_THAT(expected, testing::HasSubstr("exit 0"));
  // The link of the objects as they are gives the program itself, or this throws.
  InstrumentedProgram program = instrument_program(
      linked_program(GetParam().elf, ""), in_build("guest/bursty/fold.o"), variant("EC+L4"));
  const std::string edited = (folder_ / "edited").string();
  for (const auto& [checks, instrumented] :
       {std::pair(0x7fffffffu, 1u), {1u, 0x7fffffffu}, {7u, 3u}, {1000u, 50u}}) {
    set_bursts(&program.elf, checks, instrumented);
    put(edited, program.elf);
    EXPECT_EQ(under_qemu(edited), expected) << checks << ":" << instrumented;
  }
  const std::string original = under_strobe(GetParam().elf);
  EXPECT_THAT(original, testing::EndsWith("exit 0\n"));
  EXPECT_TRUE(under_strobe(edited) == original);
}

TEST_P(WholePrograms, HookedBranchesChangeNoOutput) {
  const std::string expected = under_qemu(GetParam().elf);
  ASSERT_THAT(expected, testing::HasSubstr("exit 0"));
  const HookedProgram made = make_hooked_program(linked_program(GetParam().elf, ""),
                                                 in_build("guest/ephemeral/unhook.o"), {});
  const std::string edited = (folder_ / "edited").string();
  // qemu translates a page anew whenever a stub on it counts.
  for (const uint64_t persistence : {1, 50, 1000}) {
    HookedProgram program = made;
    hook_all(&program, persistence);
    put(edited, program.elf);
    EXPECT_EQ(under_qemu(edited), expected) << persistence;
  }
  EXPECT_TRUE(under_strobe(edited) == under_strobe(GetParam().elf));
}

TEST_P(WholePrograms, AHundredThousandNoOpsChangeNoOutput) {
  const std::string expected = under_qemu(GetParam().elf);
  const LinkedProgram linked = linked_program(GetParam().elf, "");
  object::Program program(object::link_inputs(linked.record, folder_ / "original"));
  uint64_t instructions = 0, inserted = 0;
  for (const object::ProgramFunction& function : program.functions()) {
    instructions += (function.function.end - function.function.start) / 4;
  }
  constexpr uint64_t kNoOps = 100'000;
  std::mt19937_64 random(1);
  object::Snippet no_op;
  no_op.add(object::addi(object::kZero, object::kZero, 0));
  std::vector<fs::path> objects;
  for (object::ProgramObject& object : program.objects()) {
    for (const Code& code : object.codes) {
      object::Editor editor(&object.file, code);
      for (const object::Function& function : code.functions()) {
        for (size_t i = code.at(function.start);
             i < code.instructions().size() && code.instructions()[i].offset < function.end; ++i) {
          const object::Instruction& instruction = code.instructions()[i];
          if (instruction.glued) continue;
          for (uint64_t n =
                   kNoOps / instructions + (random() % instructions < kNoOps % instructions);
               n > 0; --n) {
            editor.insert(instruction.offset,
                          random() % 2 == 0 ? Place::kBeforeLabels : Place::kAfterLabels, no_op);
            ++inserted;
          }
        }
      }
      editor.apply();
    }
    objects.push_back(folder_ / (std::to_string(objects.size()) + ".o"));
    put(objects.back(), object.file.serialize());
  }
  EXPECT_GT(inserted, kNoOps / 2);
  const std::string edited = (folder_ / "edited").string();
  object::link_objects(linked.record, objects, edited);
  EXPECT_EQ(under_qemu(edited), expected);
  const std::string original = under_strobe(GetParam().elf);
  EXPECT_THAT(original, testing::EndsWith("exit 0\n"));
  EXPECT_TRUE(under_strobe(edited) == original);
  std::cout << inserted << " no-ops in " << instructions << " instructions\n";
}

INSTANTIATE_TEST_SUITE_P(Each, WholePrograms, testing::ValuesIn(subjects()),
                         [](const auto& one) { return one.param.name; });

}  // namespace
}  // namespace strobe::instrument
