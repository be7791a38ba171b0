// Waveforms of a bench.
#pragma once

#include <verilated.h>

#include <cstdlib>
#include <type_traits>
#if VM_TRACE_VCD
#include <verilated_vcd_c.h>
#else
class VerilatedVcdC;
#endif

namespace strobe::tb {

/// Writes nothing, because the model was Verilated without --trace, as the benches' models are.
template <class V, class = void>
class Waves {
 public:
  Waves(VerilatedContext&, V&) {}
  void dump() {}
};

#if VM_TRACE_VCD
/// Writes $STROBE_TB_VCD: all signals of the program's first traced model, after each half of a
/// cycle.
template <class V>
class Waves<V, std::void_t<decltype(std::declval<V&>().trace(std::declval<VerilatedVcdC*>(), 0))>> {
 public:
  Waves(VerilatedContext& context, V& top) {
    static bool first = true;
    const char* file = std::getenv("STROBE_TB_VCD");
    if (!first || file == nullptr) return;
    first = false;
    context.traceEverOn(true);
    top.trace(&vcd_, 99);
    vcd_.open(file);
  }
  ~Waves() { vcd_.close(); }
  Waves(const Waves&) = delete;
  Waves& operator=(const Waves&) = delete;

  void dump() {
    if (vcd_.isOpen()) vcd_.dump(time_++);
  }

 private:
  VerilatedVcdC vcd_;
  uint64_t time_ = 0;
};
#endif

}  // namespace strobe::tb
