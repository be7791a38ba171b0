// Points that were not built with the project are built once, on demand, and with clear errors.
#include "sc_models/profiling/verilated/rtl_object.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "sc_models/port/path_check.h"
#include "sc_models/profiling/reference/profiler_path.h"
#include "sc_models/profiling/verilated/verilated_path.h"
#include "sw/files/sha256.h"
#include "tests/tree.h"

namespace strobe::profiling {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

// Three lanes in rows of four places, one stratum: a point that the build does not make in advance.
PathParams unusual() {
  PathParams params;
  params.lanes = 3;
  params.selectors = 1;
  params.queue_depth = 8;
  params.strata = 1;
  params.counter_width = 2;
  params.buffer_depth = 2;
  return params;
}

template <class Call>
std::string error_of(Call call) {
  try {
    call();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "no error";
}

class RtlObject : public testing::Test {
 protected:
  RtlObject() {
    std::string pattern = (fs::temp_directory_path() / "strobe-rtl-XXXXXX").string();
    cache_ = mkdtemp(pattern.data());
    setenv("STROBE_CACHE", cache_.c_str(), 1);
    unsetenv("STROBE_RTL_DIR");
  }
  ~RtlObject() override {
    unsetenv("STROBE_CACHE");
    fs::remove_all(cache_);
  }

  /// As build_point.sh does, of one source.
  void give_sources(const fs::path& object) const {
    std::ofstream(object.string() + ".sha256") << files::sha256_of_file(object.string()) << "\n";
    std::ofstream(cache_ / "module.sv") << "a module\n";
    std::ofstream(object.string() + ".sources")
        << files::sha256_of_file((cache_ / "module.sv").string()) << "  "
        << (cache_ / "module.sv").string() << "\n";
  }

  std::vector<fs::path> cached_objects() const {
    std::vector<fs::path> objects;
    for (const auto& entry : fs::recursive_directory_iterator(cache_)) {
      if (entry.path().extension() == ".so") objects.push_back(entry.path());
    }
    return objects;
  }

  fs::path cache_;
};

TEST_F(RtlObject, APointOfTheBuildTreeIsNotBuiltAgain) {
  const std::string object = find_or_build_point(PathParams{});
  EXPECT_EQ(object, in_build("rtl/libstrobe_profiler_default.so"));
  EXPECT_TRUE(cached_objects().empty());
}

// Else it is built twice, and a mutant of it is built but never looked at.
TEST_F(RtlObject, EveryPointBuiltWithTheProjectIsFound) {
  std::istringstream points(STROBE_RTL_POINTS);
  std::string point;
  unsigned count = 0;
  for (; std::getline(points, point, '|'); ++count) {
    if (point == "default") point.clear();
    EXPECT_EQ(describe_point(parse_point(point.c_str()), "=", " "), point);
  }
  EXPECT_GT(count, 10u);
}

TEST_F(RtlObject, AnUnusualPointIsBuiltOnDemandAndEqualsTheReference) {
  const std::unique_ptr<ProfilerPath> rtl = make_verilated_path(unusual());
  const std::unique_ptr<ProfilerPath> reference = make_reference_path(unusual());
  EXPECT_EQ(rtl->params(), unusual());
  PathInputs in;
  for (unsigned cycle = 0; cycle < 1000; ++cycle) {
    in = PathInputs{};
    in.reg_we = cycle < 3;
    in.reg_re = cycle > 500 && cycle % 3 == 0;
    in.reg_addr = static_cast<uint16_t>(cycle == 0   ? 0x18
                                        : cycle == 1 ? 0x100
                                        : cycle == 2 ? 0x48
                                                     : 0x50 + 8 * (cycle % 9));
    in.reg_wdata = cycle == 0 ? 1 : cycle == 1 ? 0xffff0731 : 3;
    for (unsigned k = 0; k < 3; ++k) {
      in.lane[k].valid = (cycle * (k + 1)) % 7 < 3;
      in.lane[k].insn = 0x13;
      in.lane[k].pc_rdata = 0x1000 + 4 * ((cycle + k) % 5);
    }
    const PathOutputs a = rtl->step(in), b = reference->step(in);
    ASSERT_EQ(a.reg_rdata, b.reg_rdata) << "cycle " << cycle << ", register " << in.reg_addr;
    ASSERT_EQ(a.reg_error, b.reg_error) << "cycle " << cycle;
    ASSERT_EQ(a.irq, b.irq) << "cycle " << cycle;
    ASSERT_EQ(a.idle, b.idle) << "cycle " << cycle;
  }
  EXPECT_EQ(cached_objects().size(), 1u);
}

TEST_F(RtlObject, ASecondRequestIsServedFromTheCache) {
  const std::string first = find_or_build_point(unusual());
  const auto written = fs::last_write_time(first);
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(find_or_build_point(unusual()), first);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(2));
  EXPECT_EQ(fs::last_write_time(first), written);
}

TEST_F(RtlObject, TwoProcessesAtOnceBuildOnce) {
  // The second process finds the object that the first one made: the same file, written once.
  std::vector<pid_t> children;
  for (unsigned k = 0; k < 2; ++k) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      const std::string object = find_or_build_point(unusual());
      std::ofstream(cache_ / ("inode" + std::to_string(k)))
          << fs::last_write_time(object).time_since_epoch().count();
      _exit(0);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = -1;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  std::string seen[2];
  for (unsigned k = 0; k < 2; ++k) std::ifstream(cache_ / ("inode" + std::to_string(k))) >> seen[k];
  EXPECT_FALSE(seen[0].empty());
  EXPECT_EQ(seen[0], seen[1]);
  EXPECT_EQ(cached_objects().size(), 1u);
}

TEST_F(RtlObject, AMissingToolIsNamedWithItsPackage) {
  const std::string path = std::getenv("PATH");
  setenv("PATH", "/nonexistent", 1);
  const std::string error = error_of([] { find_or_build_point(unusual()); });
  setenv("PATH", path.c_str(), 1);
  EXPECT_THAT(error, HasSubstr("needs verilator, which is not in PATH"));
  EXPECT_THAT(error, HasSubstr("install the Debian package verilator"));
}

TEST_F(RtlObject, ACacheThatCannotBeWrittenIsNamed) {
  std::ofstream(cache_ / "file") << "not a folder";
  setenv("STROBE_CACHE", (cache_ / "file").c_str(), 1);
  EXPECT_THAT(error_of([] { find_or_build_point(unusual()); }),
              HasSubstr("set STROBE_CACHE to a folder that can be written"));
}

TEST_F(RtlObject, AFailedBuildShowsWhatTheToolSaid) {
  const fs::path bin = cache_ / "bin";
  fs::create_directories(bin);
  std::ofstream(bin / "verilator") << "#!/bin/sh\n[ \"$1\" = --version ] && exit 0\n"
                                      "echo 'verilator: out of memory'\nexit 7\n";
  fs::permissions(bin / "verilator", fs::perms::owner_all);
  const std::string path = std::getenv("PATH");
  setenv("PATH", (bin.string() + ":" + path).c_str(), 1);
  const std::string error = error_of([] { find_or_build_point(unusual()); });
  setenv("PATH", path.c_str(), 1);
  EXPECT_THAT(
      error,
      HasSubstr("Verilating "
                "strobe_profiler_Lanes3_Selectors1_QueueDepth8_Strata1_CounterWidth2_BufferDepth2 "
                "failed (exit code 7)"));
  EXPECT_THAT(error, HasSubstr("verilator: out of memory"));
  EXPECT_TRUE(cached_objects().empty());
}

TEST_F(RtlObject, AnObjectThatIsNoPathIsRefused) {
  PathParams params = unusual();
  params.buffer_depth = 8;
  const fs::path object = cache_ / ("libstrobe_profiler_" + point_key(params) + ".so");
  std::ofstream(object) << "garbage";
  give_sources(object);
  setenv("STROBE_RTL_DIR", cache_.c_str(), 1);
  EXPECT_THAT(error_of([&] { make_verilated_path(params); }), HasSubstr("cannot load"));
  unsetenv("STROBE_RTL_DIR");
}

TEST_F(RtlObject, AnObjectInAGivenFolderIsRefusedWhenItsSourcesHaveChanged) {
  const fs::path object = cache_ / "libstrobe_profiler_default.so";
  fs::copy_file(in_build("rtl/libstrobe_profiler_default.so"), object);
  setenv("STROBE_RTL_DIR", cache_.c_str(), 1);
  const auto refusal = [&] { return error_of([] { find_or_build_point(PathParams{}); }); };
  EXPECT_THAT(refusal(), HasSubstr(object.string() + ", which STROBE_RTL_DIR gives, is not "
                                                     "loaded: its SHA-256 is not known without "));
  give_sources(object);
  fs::remove(object.string() + ".sources");
  EXPECT_THAT(refusal(), HasSubstr("it is out of date: what it was made of is not known"));
  give_sources(object);
  EXPECT_EQ(refusal(), "no error");
  EXPECT_EQ(find_or_build_point(PathParams{}), object);
  std::ofstream(cache_ / "module.sv") << "another module\n";
  EXPECT_THAT(refusal(), HasSubstr((cache_ / "module.sv").string() + " has changed since"));
  fs::remove(cache_ / "module.sv");
  EXPECT_THAT(refusal(), HasSubstr((cache_ / "module.sv").string() + " is gone"));
  unsetenv("STROBE_RTL_DIR");
}

TEST_F(RtlObject, ADamagedObjectInAGivenFolderIsRefusedByItsHash) {
  const fs::path object = cache_ / "libstrobe_profiler_default.so";
  fs::copy_file(in_build("rtl/libstrobe_profiler_default.so"), object);
  give_sources(object);
  setenv("STROBE_RTL_DIR", cache_.c_str(), 1);
  std::fstream(object, std::ios::binary | std::ios::in | std::ios::out).seekp(0x4000) << "damage";
  EXPECT_THAT(
      error_of([] { make_verilated_path(PathParams{}); }),
      AllOf(HasSubstr(object.string() + ", which STROBE_RTL_DIR gives, is not loaded: it is "
                                        "damaged: expected SHA-256 "),
            HasSubstr("or unset STROBE_RTL_DIR")));
  unsetenv("STROBE_RTL_DIR");
}

TEST_F(RtlObject, AnObjectOfTheBuildTreeIsBuiltAgainWhenItsSourcesHaveChanged) {
  const RtlTarget target{"strobe_dise", "OfThisTest=1"};
  const fs::path folder = in_build("rtl");
  const fs::path built = folder / ("lib" + name_of(target) + ".so");
  fs::copy_file(folder / "libstrobe_dise_default.so", built, fs::copy_options::overwrite_existing);
  give_sources(built);
  EXPECT_EQ(find_or_build(target), built);
  std::ofstream(cache_ / "module.sv") << "another module\n";
  fs::create_directories(cache_ / "bin");  // a build is quick: a copy
  std::ofstream(cache_ / "bin/bash") << "#!/bin/sh\ncp " << built << " \"$4\"\n";
  fs::permissions(cache_ / "bin/bash", fs::perms::owner_all);
  const std::string path = std::getenv("PATH");
  setenv("PATH", ((cache_ / "bin").string() + ":" + path).c_str(), 1);
  const std::string object = find_or_build(target);
  setenv("PATH", path.c_str(), 1);
  fs::remove(built);
  for (const char* ending : {".sources", ".sha256"}) fs::remove(built.string() + ending);
  EXPECT_EQ(object.find(cache_.string()), 0u) << object;
}

TEST_F(RtlObject, AListOfSourcesNamesTheRtlTheGlueAndTheRecipe) {
  std::ifstream list(in_build("rtl/libstrobe_profiler_default.so.sources"));
  const std::string text{std::istreambuf_iterator<char>(list), {}};
  for (const char* source :
       {"rtl/pkg/strobe_pkg.sv", "rtl/top/strobe_profiler.sv", "rtl/message/strobe_registers.sv",
        "sc_models/profiling/verilated/model.cpp", "sc_models/port/path_params_generated.h",
        "sc_models/port/retire.h", "sc_models/profiling/verilated/build_point.sh"}) {
    EXPECT_THAT(text, HasSubstr("  " + in_source(source) + "\n"));
  }
  EXPECT_THAT(text, testing::Not(HasSubstr("/Vstrobe_profiler")));
}

TEST(RtlPoint, AParameterOutOfRangeIsNamedWithItsRange) {
  const auto error_with = [](auto change) {
    PathParams params;
    change(params);
    return error_of([&] { make_verilated_path(params); });
  };
  EXPECT_EQ(error_with([](PathParams& p) { p.lanes = 9; }),
            "profiling path: lanes must be 1 to 8, got 9");
  EXPECT_EQ(error_with([](PathParams& p) { p.selectors = 0; }),
            "profiling path: selectors must be 1 to 8, got 0");
  EXPECT_EQ(
      error_with([](PathParams& p) { p.queue_depth = 2; }),
      "profiling path: queue_depth must be a power of two from 8 (two_rows(lanes)) to 1024, got 2");
  EXPECT_EQ(error_with([](PathParams& p) { p.strata = 3000; }),
            "profiling path: strata must be a power of two from 1 to 4096, got 3000");
  EXPECT_EQ(error_with([](PathParams& p) { p.counter_width = 13; }),
            "profiling path: counter_width must be 1 to 12, got 13");
  EXPECT_EQ(error_with([](PathParams& p) { p.buffer_depth = 1; }),
            "profiling path: buffer_depth must be a power of two from 2 to 4096, got 1");
  EXPECT_EQ(error_with([](PathParams& p) { p.compressor = 3; }),
            "profiling path: compressor must be 0 to 2, got 3");
  EXPECT_EQ(error_with([](PathParams& p) { p.hash = 5; }),
            "profiling path: hash must be 0 to 4, got 5");
  EXPECT_EQ(error_with([](PathParams& p) { p.banks = 3; }),
            "profiling path: banks must be a power of two from 1 to 8 (at most strata), got 3");
  EXPECT_EQ(error_with([](PathParams& p) { p.pc_width = 0; }),
            "profiling path: pc_width must be 1 to 64, got 0");
  EXPECT_EQ(error_with([](PathParams& p) { p.value_width = 65; }),
            "profiling path: value_width must be 1 to 64, got 65");
  EXPECT_EQ(error_with([](PathParams& p) { p.second_entries = 12; }),
            "profiling path: second_entries must be a power of two from 4 to 64, got 12");
}

TEST(RtlPoint, WhatDoesNotGoTogetherIsRefused) {
  const auto error_with = [](auto change) {
    PathParams params;
    change(params);
    return error_of([&] { check_path(params); });
  };
  EXPECT_EQ(error_with([](PathParams&) {}), "no error");
  EXPECT_EQ(error_with([](PathParams& p) { p.banks = 8, p.strata = 4; }),
            "profiling path: banks must be a power of two from 1 to 4 (at most strata), got 8");
  EXPECT_EQ(error_with([](PathParams& p) { p.compressor = 1, p.banks = 2; }),
            "profiling path: banks must be 1 with compressor tagged, got 2");
  EXPECT_EQ(error_with([](PathParams& p) { p.compressor = 1, p.ways = 4, p.strata = 2; }),
            "profiling path: ways must be a power of two from 1 to 2 (at most strata), got 4");
  EXPECT_EQ(error_with([](PathParams& p) { p.compressor = 1, p.counter_width = 2; }),
            "profiling path: miss_width must be 1 to 2 (at most counter_width), got 3");
  EXPECT_EQ(error_with([](PathParams& p) { p.compressor = 2; }),
            "profiling path: strata must be a power of two from 4 to 64, got 2048");
  EXPECT_EQ(
      error_with([](PathParams& p) { p.compressor = 2, p.strata = 16, p.second_entries = 4; }),
      "profiling path: second_entries must be 0 with compressor associative, got 4");
  EXPECT_EQ(error_with([](PathParams& p) { p.second_entries = 4, p.second_width = 8; }),
            "profiling path: second_width must be 9 (counter_width + 1) to 24, got 8");
}

}  // namespace
}  // namespace strobe::profiling
