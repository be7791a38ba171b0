#include "sw/config/keys/compressor_keys.h"

#include "sc_models/port/path_facts_generated.h"

namespace strobe::config {

void declare_compressor(Visitor& v, ProfilerConfig& p) {
  const profiling::PathParams first_level = first_level_of(p);
  v.integer(
      Key{"rate", "events", "The sampling period r: one message stands for this many events."}.only(
          profiling::has_rate(first_level), kNoRate),
      p.rate, {1, 4096});
  declare_parameters(v, p);
  v.section(
      Key{"second_level", "",
          "An associative table after the first level, which merges the messages of one tuple."}
          .only(profiling::takes_second_level(first_level), kNoSecondLevel),
      [&p](Visitor& w) {
        w.integer(Key{"entries", "counters",
                      "Number of entries, each a tuple and its counter; a power of two, at least "
                      "4. 0 is no second level."}
                      .rtl_parameter(),
                  p.second_level.entries, {0, 64});
        w.integer(Key{"counter_width", "bits",
                      "Width of a counter; larger than the first level's counter_width."}
                      .rtl_parameter(),
                  p.second_level.counter_width, {2, 24});
      });
  const bool draws = profiling::draws(first_level_of(p));  // with its parameters
  const bool periodic = first_level.kind() == profiling::CompressorKind::kStratified && !draws;
  v.choice(Key{"phase", "",
               "Where the counters of a periodic sampler begin: start puts each at 0, as the "
               "hardware does; random draws each from `seed`, below `rate`, so that several seeds "
               "of a sweep give several results and an interval."}
               .only(periodic && !p.active,
                     "only for a passive profiler of kind periodic, or of kind stratified with the "
                     "sampler periodic, because an active one begins as the RTL does"),
           p.phase, {"start", "random"});
  v.integer(Key{"seed", "",
                "The seed of the random choices; 0 derives it from the run's seed and the "
                "profiler's name."}
                .only(draws || p.phase == Phase::kRandom,
                      "only for kind random, for samplers other than periodic, and for phase "
                      "random"),
            p.seed, {0, ~uint64_t{0}});
  const bool hashes = p.kind == ProfilerKind::kStratified || p.kind == ProfilerKind::kTagged;
  v.choice(Key{"hash_constants", "",
               "The constants of the hash: those of the RTL, or others drawn from the run's seed, "
               "to see how much they matter (docs/blocks/hash.md)."}
               .only(hashes && !p.active,
                     "only for a passive profiler of kind stratified or tagged, because an active "
                     "one computes what the RTL does"),
           p.hash_constants, {"rtl", "drawn"});
}

}  // namespace strobe::config
