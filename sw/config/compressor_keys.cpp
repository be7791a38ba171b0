#include "sw/config/compressor_keys.h"

namespace strobe::config {
namespace {

using profiling::kHashNames;
using profiling::kSamplerNames;
using profiling::SamplerKind;

void declare_sampler(Visitor& v, ProfilerConfig& p) {
  const bool stratified = p.kind == ProfilerKind::kStratified;
  const bool tagged = p.kind == ProfilerKind::kTagged;
  v.choice(Key{"sampler", "", "What samples each stratum; docs/blocks/stratified_sampler.md."}
               .rtl_parameter()
               .only(stratified, "only for kind stratified"),
           p.sampler, Names(kSamplerNames.begin(), kSamplerNames.end()));
  v.choice(
      Key{"hash", "", "Splits the stream into strata; docs/blocks/hash.md."}.rtl_parameter().only(
          stratified || tagged, "only for kinds stratified and tagged"),
      p.hash, Names(kHashNames.begin(), kHashNames.end()));
  v.integer(Key{"banks", "banks",
                "Of the table, each takes a tuple a cycle; a power of two, at most strata."}
                .rtl_parameter()
                .only(stratified, "only for kind stratified; the others take one tuple a cycle"),
            p.banks, {1, 8});
}

void declare_tags(Visitor& v, ProfilerConfig& p) {
  const auto key = [&p](const char* name, const char* unit, const char* description) {
    return Key{name, unit, description}.only(
        p.kind == ProfilerKind::kTagged,
        "only for kind tagged; an associative table keeps whole tuples, a sampler none");
  };
  v.integer(key("ways", "entries", "Of a set: 1, 2 or 4.").rtl_parameter(), p.ways, {1, 4});
  v.integer(key("tag_bits", "bits", "Of an entry's partial tag.").rtl_parameter(), p.tag_bits,
            {1, 16});
  v.integer(key("miss_width", "bits", "Of an entry's miss counter, at most counter_width.")
                .rtl_parameter(),
            p.miss_width, {1, 12});
  v.integer(key("should_evict", "hits",
                "That send an entry's count when another tuple waits for the entry; 0 is half of "
                "2^counter_width."),
            p.should_evict, {0, 4096});
  v.integer(key("should_replace", "misses",
                "After which another tuple takes the entry; 0 is 2^miss_width."),
            p.should_replace, {0, 4096});
}

}  // namespace

void declare_compressor(Visitor& v, ProfilerConfig& p) {
  const bool associative = p.kind == ProfilerKind::kAssociative;
  const bool split = p.kind == ProfilerKind::kStratified || p.kind == ProfilerKind::kTagged;
  v.integer(Key{"rate", "events", "The sampling period r: one message for so many events."}.only(
                !associative, "not for kind associative, whose entries count until they are full"),
            p.rate, {1, 4096});
  v.integer(
      Key{"strata", "counters", "Counters n of the table; a power of two."}.rtl_parameter().only(
          split, "only for kinds stratified and tagged"),
      p.strata, {1, 4096});
  v.integer(Key{"entries", "counters", "Of the table, each with its tuple; a power of two."}
                .rtl_parameter()
                .only(associative, "only for kind associative"),
            p.entries, {4, 64});
  v.integer(
      Key{"counter_width", "bits",
          "Of a counter; rate is at most 2^counter_width, half of it for sampler countdown."}
          .rtl_parameter()
          .only(split || associative, "not for kinds random and periodic, which count to the rate"),
      p.counter_width, {1, 12});
  declare_sampler(v, p);
  declare_tags(v, p);
  v.section(
      Key{"second_level", "", "An associative table that merges the messages of one tuple."}.only(
          !associative, "not behind kind associative, which has merged equal tuples already"),
      [&p](Visitor& w) {
        w.integer(Key{"entries", "counters",
                      "Each with its tuple; a power of two from 4 on, 0 for no second level."}
                      .rtl_parameter(),
                  p.second_level.entries, {0, 64});
        w.integer(Key{"counter_width", "bits", "Of a counter, more than the first level's."}
                      .rtl_parameter(),
                  p.second_level.counter_width, {2, 24});
      });
  v.integer(
      Key{"seed", "", "Of the random choice; 0 derives it from the run's seed and the name."}.only(
          sampler_of(p) != SamplerKind::kPeriodic,
          "only for kind random and samplers other than periodic"),
      p.seed, {0, ~uint64_t{0}});
}

}  // namespace strobe::config
