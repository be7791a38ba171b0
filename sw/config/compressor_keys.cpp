#include "sw/config/compressor_keys.h"

namespace strobe::config {
namespace {

using profiling::kHashNames;
using profiling::kSamplerNames;
using profiling::SamplerKind;

void declare_sampler(Visitor& v, ProfilerConfig& p) {
  const bool stratified = p.kind == ProfilerKind::kStratified;
  const bool tagged = p.kind == ProfilerKind::kTagged;
  v.choice(Key{"sampler", "", "What samples each stratum (docs/blocks/stratified_sampler.md)."}
               .rtl_parameter()
               .only(stratified, "only for kind stratified"),
           p.sampler, Names(kSamplerNames.begin(), kSamplerNames.end()));
  v.choice(Key{"hash", "", "The hash that divides the events into strata (docs/blocks/hash.md)."}
               .rtl_parameter()
               .only(stratified || tagged, "only for kinds stratified and tagged"),
           p.hash, Names(kHashNames.begin(), kHashNames.end()));
  v.integer(
      Key{"banks", "banks",
          "Number of banks of the table, each of which takes one tuple per cycle; a power of two, "
          "at most strata."}
          .rtl_parameter()
          .only(stratified, "only for kind stratified; the other kinds take one tuple per cycle"),
      p.banks, {1, 8});
}

void declare_tags(Visitor& v, ProfilerConfig& p) {
  const auto key = [&p](const char* name, const char* unit, const char* description) {
    return Key{name, unit, description}.only(p.kind == ProfilerKind::kTagged,
                                             "only for kind tagged; the other kinds have no tags");
  };
  v.integer(key("ways", "entries", "Number of entries per set: 1, 2 or 4.").rtl_parameter(), p.ways,
            {1, 4});
  v.integer(key("tag_bits", "bits", "Width of an entry's partial tag.").rtl_parameter(), p.tag_bits,
            {1, 16});
  v.integer(key("miss_width", "bits", "Width of an entry's miss counter, at most counter_width.")
                .rtl_parameter(),
            p.miss_width, {1, 12});
  v.integer(key("should_evict", "hits",
                "Number of hits from which an entry's count is sent when another tuple maps to the "
                "entry; 0 is half of 2^counter_width."),
            p.should_evict, {0, 4096});
  v.integer(key("should_replace", "misses",
                "Number of misses after which another tuple takes the entry; 0 is 2^miss_width."),
            p.should_replace, {0, 4096});
}

}  // namespace

void declare_compressor(Visitor& v, ProfilerConfig& p) {
  const bool associative = p.kind == ProfilerKind::kAssociative;
  const bool split = p.kind == ProfilerKind::kStratified || p.kind == ProfilerKind::kTagged;
  v.integer(
      Key{"rate", "events", "The sampling period r: one message stands for this many events."}.only(
          !associative,
          "not for kind associative, whose entries count until their counter is full"),
      p.rate, {1, 4096});
  v.integer(Key{"strata", "counters", "Number n of counters in the table; a power of two."}
                .rtl_parameter()
                .only(split, "only for kinds stratified and tagged"),
            p.strata, {1, 4096});
  v.integer(Key{"entries", "counters",
                "Number of entries of the table, each a tuple and its counter; a power of two."}
                .rtl_parameter()
                .only(associative, "only for kind associative"),
            p.entries, {4, 64});
  v.integer(Key{"counter_width", "bits",
                "Width of a counter; rate is at most 2^counter_width, and half of that for sampler "
                "countdown."}
                .rtl_parameter()
                .only(split || associative,
                      "not for kinds random and periodic, which have no table of counters"),
            p.counter_width, {1, 12});
  declare_sampler(v, p);
  declare_tags(v, p);
  v.section(
      Key{"second_level", "",
          "An associative table after the first level, which merges the messages of one tuple."}
          .only(!associative, "not after kind associative, which merges equal tuples itself"),
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
  v.integer(Key{"seed", "",
                "The seed of the random choices; 0 derives it from the run's seed and the "
                "profiler's name."}
                .only(sampler_of(p) != SamplerKind::kPeriodic,
                      "only for kind random and for samplers other than periodic"),
            p.seed, {0, ~uint64_t{0}});
}

}  // namespace strobe::config
