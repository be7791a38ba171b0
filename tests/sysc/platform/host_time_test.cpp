// What two harts cost the host, beside one that does half as much. The bounds are what was
// measured, and a quarter more.
#include <ctime>

#include "tests/sysc/platform/another_process.h"
#include "tests/sysc/platform/harts.h"

namespace strobe::platform {
namespace {

constexpr uint64_t kRounds = 400'000;
constexpr unsigned kTries = 3;  // the least counts: what disturbs a run only makes it longer

/// Seconds of the processor for a run in which each hart runs `program`, each on a table of its
/// own.
double seconds(const char* program, unsigned cores, unsigned threads) {
  double least = 1e9;
  for (unsigned i = 0; i < kTries; ++i) {
    const double took = in_another_process<double>([&] {
      SystemParams params;
      params.core.threads = threads;
      params.others.resize(cores - 1, params.core);
      std::vector<Program> programs;
      for (unsigned hart = 0; hart < cores * threads; ++hart) {
        programs.push_back({program, {kData + hart * 0x2000, kRounds}});
      }
      Harts harts(params, programs);
      const std::clock_t start = std::clock();
      harts.run();
      return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    });
    least = std::min(least, took);
  }
  return least;
}

class HostTime : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Programs, HostTime, testing::Values("store_increment", "update_table"),
                         [](const auto& program) { return std::string(program.param); });

TEST_P(HostTime, OfTwoHartsStaysWhatItIs) {
  const double one = seconds(GetParam(), 1, 1);
  const double threads = seconds(GetParam(), 1, 2), cores = seconds(GetParam(), 2, 1);
  std::printf("one hart %.3f s; two on a core %.2f times, on two cores %.2f times\n", one,
              threads / one, cores / one);
  EXPECT_LE(threads, 4.8 * one);
  EXPECT_LE(cores, 3.2 * one);
}

}  // namespace
}  // namespace strobe::platform
