#include "sw/config/keys/workload_keys.h"

#include "sc_models/port/address_map.h"
#include "sc_models/port/region_marker.h"

namespace strobe::config {
namespace {

void declare_point(Visitor& v, RegionPoint& p) {
  v.text({"symbol", "", "The instruction at a symbol of the program, or at SYMBOL+OFFSET."},
         p.symbol, TextUse::kTextOrNull);
  v.integer({"marker", "", "The marker of this number (strobe/marker.h); 0 is none."}, p.marker,
            {0, kMostMarker});
  v.integer({"occurrence", "times", "Which arrival at the point counts; 1 is the first."},
            p.occurrence, {1, kAny});
}

}  // namespace

void declare_workload(Visitor& v, WorkloadConfig& p) {
  v.text(Key{"elf", "",
             "The program, a static RV64GC Linux executable. `build:x` is x below the guest "
             "programs that were built with the project, `cache:x` is x below the programs that "
             "scripts/fetch-workloads built."}
             .must(),
         p.elf, TextUse::kPath);
  v.text({"objects", "",
          "The file that says how the program was linked, one argument of the command a line; null "
          "is the program's name with the ending .link. Only `instrument` needs it "
          "(docs/object-editing.md)."},
         p.objects, TextUse::kPathOrNull);
  v.text({"argv0", "",
          "What the program is told that it is called; null is the name of its file. A name of "
          "another length moves the stack and changes results a little, so a renamed copy of a "
          "program has the same results with the name that it had (docs/linux-proxy.md)."},
         p.argv0, TextUse::kTextOrNull);
  v.texts({"args", "", "The program's arguments, without its name."}, p.args, TextUse::kText, {});
  v.texts({"env", "", "The program's environment; each entry is KEY=VALUE."}, p.env, TextUse::kText,
          {});
  v.text({"stdin", "",
          "The file that the program reads as standard input; null gives it an empty input."},
         p.stdin_file, TextUse::kPathOrNull);
  v.section({"sandbox", "", "The host directories that the program may see."}, [&](Visitor& w) {
    w.texts({"read", "", "Directories that the program may read."}, p.read, TextUse::kPath, {});
    w.texts({"write", "", "Directories that the program may read and write."}, p.write,
            TextUse::kPath, {});
  });
  v.text({"cwd", "",
          "The program's working directory; null is the first of the directories that it may read, "
          "or /."},
         p.cwd, TextUse::kTextOrNull);
  v.integer(
      {"memory", "bytes", "The most memory that the program may use for heap, mappings and stack."},
      p.memory, {1 << 20, STROBE_USER_TOP});
  v.integer({"seed", "",
             "The seed of the random bytes that the program gets (getrandom, AT_RANDOM). It is not "
             "the run's, so that runs with several seeds differ in what is measured, not in what "
             "runs."},
            p.seed, {0, kAny});
  v.section({"scheduler", "", "How the threads of the program take turns on the hart."},
            [&](Visitor& w) {
              w.integer({"quantum", "instructions",
                         "Number of instructions after which the next thread that is ready runs; "
                         "longer than any loop of LR and SC, so that one comes to its end."},
                        p.scheduler.quantum, {100, 1'000'000'000'000});
              w.integer({"switch_cycles", "cycles",
                         "Number of cycles charged when the hart goes from one thread to another."},
                        p.switch_cycles, {0, 1'000'000});
              w.integer({"seed", "",
                         "0 makes all quanta equal; with another number each has half to one and a "
                         "half times the length, drawn at random, for another interleaving."},
                        p.scheduler.seed, {0, kAny});
            });
  v.section(
      {"roi", "", "The region of interest: the part of the program that is measured."},
      [&](Visitor& w) {
        w.section({"begin", "",
                   "Where the region begins; without symbol and marker it begins at the program's "
                   "start."},
                  [&](Visitor& x) { declare_point(x, p.roi_begin); });
        w.section({"end", "",
                   "Where the region ends, unless `run` ends it earlier; without symbol and marker "
                   "it ends at the program's end."},
                  [&](Visitor& x) { declare_point(x, p.roi_end); });
        w.integer({"skip", "instructions",
                   "Number of instructions after the region's beginning that are executed without "
                   "timing."},
                  p.roi_skip, {0, kAny});
        w.integer(
            {"warm", "instructions",
             "Number of instructions after `skip` that are executed with timing but not counted."},
            p.roi_warm, {0, kAny});
        w.integer(
            {"run", "instructions",
             "Number of instructions after `warm` that are counted; 0 counts to the region's end."},
            p.roi_run, {0, kAny});
        w.choice({"warming", "",
                  "Whether the instructions before the measurement (up to `begin`, and `skip`) "
                  "warm caches and predictors: none leaves them cold, functional warms them "
                  "(docs/sampling.md)."},
                 p.roi_warming, {"none", "functional"});
      });
}

void declare_sampling(Visitor& v, SamplingConfig& p) {
  v.integer({"start", "instructions",
             "Length of the region's start, which is measured in detail as a whole because caches "
             "and predictors are cold there."},
            p.start, {1, 1'000'000'000});
  v.integer({"unit", "instructions", "Length of a unit, the stretch that is measured in detail."},
            p.unit, {1, 1'000'000'000});
  v.integer(
      {"warm", "instructions",
       "Number of instructions before each unit that are executed in detail but not measured."},
      p.warm, {0, 1'000'000'000});
  v.integer(
      {"interval", "instructions", "Distance from the start of one unit to the start of the next."},
      p.interval, {1, 1'000'000'000'000});
  v.integer({"interrupts", "interrupts",
             "Measures one in this many interrupts of the active profiler in detail."},
            p.interrupts, {1, 1'000'000});
}

}  // namespace strobe::config
