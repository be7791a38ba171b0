#include "sw/config/keys/profiler_keys.h"

#include <algorithm>

#include "sw/config/keys/compressor_keys.h"
#include "sw/config/keys/core_keys.h"

namespace strobe::config {
namespace {

void declare_selector(Visitor& v, SelectorConfig& p) {
  v.choice(Key{"profile", "",
               "What a tuple's value is. value: the loaded value; edge: the next pc of a branch; "
               "call_target: the target of a call; address: the effective address; type: the "
               "method table of a virtual call, whose load carries a marker."}
               .must(),
           p.profile, {"value", "edge", "call_target", "address", "type"});
  v.texts({"opclasses", "",
           "Instruction classes to select; empty selects the classes that the profile implies."},
          p.opclasses, TextUse::kText,
          {"alu", "mul", "div", "load", "store", "amo", "branch", "jump", "jump_indirect", "call",
           "call_indirect", "return", "fp", "fp_div_sqrt", "system", "fence"});
  v.interval({"pc", "", "Lowest and highest pc that are selected."}, p.pc_lo, p.pc_hi);
  Names modes;
  if (p.user) modes.push_back("user");
  if (p.machine) modes.push_back("machine");
  v.texts({"modes", "", "Privilege modes that are selected."}, modes, TextUse::kText,
          {"user", "machine"});
  p.user = std::count(modes.begin(), modes.end(), "user") != 0;
  p.machine = std::count(modes.begin(), modes.end(), "machine") != 0;
  v.flag({"marked", "",
          "Select only the instruction directly after a marker whose number is the tag "
          "(docs/blocks/selector.md); profile type always does."},
         p.marked);
  v.flag({"in_burst", "",
          "Select only inside a burst of the decode engine, which needs decode.productions "
          "(docs/blocks/dise.md, Bursts)."},
         p.in_burst);
  v.choice({"prediction", "",
            "Select by the branch predictor's result: any instruction, only mispredicted ones, or "
            "only correctly predicted ones."},
           p.prediction, {"any", "mispredicted", "predicted"});
  v.text(
      {"thread", "",
       "Number of the program's thread that is selected, in the order of creation and from 0 on; "
       "null selects all. For an active profiler the retire port selects, so that all its "
       "selectors have the same."},
      p.thread, TextUse::kTextOrNull);
  v.integer({"tag", "",
             "Number that the selector writes into its tuples; it tells the selectors of a "
             "profiler apart."},
            p.tag, {0, 15});
}

void declare_communication(Visitor& v, CommunicationConfig& p, const core::CoreParams& core) {
  v.choice({"kind", "",
            "How messages are delivered: by interrupts of the profiled core, or through a ring in "
            "memory that a thread on a second core reads (docs/blocks/ring_writer.md)."},
           p.kind, {"interrupt", "ring"});
  const bool ring = p.kind == Communication::kRing;
  v.choice(Key{"port", "",
               "Where the handler reads the messages: on the bus a read waits until everything "
               "older has committed, in the core it goes along with the other instructions."}
               .only(!ring, "only for kind interrupt"),
           p.port, {"bus", "core"});
  const std::string when = "only for kind ring";
  v.integer(
      Key{"entries", "records", "Number of 32-byte records in the ring; a power of two."}.only(
          ring, when),
      p.entries, {2, 65536});
  v.integer(
      Key{"base", "", "Address of the ring in memory; a multiple of the ring's length in bytes."}
          .only(ring, when),
      p.base, {0, kAny});
  v.choice(Key{"full", "",
               "What happens when the ring is full: back_pressure waits for the reader, overwrite "
               "replaces the oldest record."}
               .only(ring, when),
           p.full, {"back_pressure", "overwrite"});
  if (!p.service_core) p.service_core = core;
  v.section(Key{"service_core", "",
                "The core that runs the service thread; keys that are not given have the values of "
                "`core`."}
                .only(ring, when)
                .like("core"),
            [&](Visitor& w) { declare_core(w, *p.service_core); });
}

}  // namespace

void declare_profiler(Visitor& v, ProfilerConfig& p, const core::CoreParams& core) {
  v.text(Key{"name", "", "Name of the profiler in results; each profiler has its own."}.must(),
         p.name, TextUse::kText);
  v.choice({"kind", "", "The kind of compressor, which turns events into messages."}, p.kind,
           Names(kProfilerKindNames.begin(), kProfilerKindNames.end()));
  v.flag({"active", "",
          "An active profiler delivers its messages to software, which costs cycles; at most one "
          "profiler is active, the others observe passively."},
         p.active);
  v.choice(
      {"fidelity", "",
       "What computes the profiler: the Verilated RTL, the reference model, or both in lockstep, "
       "where the run fails at the first difference. A passive profiler is always a model."},
      p.fidelity, {"rtl", "model", "lockstep"});
  declare_compressor(v, p);
  v.integer(
      Key{"queue_depth", "places",
          "Number of tuples that the queue of an active profiler holds; a power of two. The tuples "
          "of one cycle share a row of core.commit_width places, rounded up to a power of two."}
          .rtl_parameter(),
      p.queue_depth, {1, 1024});
  v.integer(Key{"buffer_depth", "messages",
                "Number of messages that the buffer of an active profiler holds; a power of two."}
                .rtl_parameter(),
            p.buffer_depth, {2, 4096});
  v.integer(
      {"watermark", "messages",
       "Number of messages in the buffer of an active profiler at which it raises the interrupt."},
      p.watermark, {1, 4096});
  v.section({"communication", "", "How the messages of an active profiler reach software."},
            [&](Visitor& w) { declare_communication(w, p.communication, core); });
  v.list<SelectorConfig>({"selectors", "",
                          "Which events are profiled, by at most 8 selectors. Empty takes the "
                          "selectors of the active profiler, or of the first profiler when none is "
                          "active; when those are empty too, branch edges are profiled."},
                         p.selectors, declare_selector);
}

}  // namespace strobe::config
