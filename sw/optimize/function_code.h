// A function of an object as the optimizer takes it apart and puts it together again.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sw/object/analysis/code.h"
#include "sw/object/analysis/flow_graph.h"
#include "sw/object/analysis/liveness.h"
#include "sw/object/analysis/program.h"
#include "sw/object/edit/rebuild.h"
#include "sw/object/file/frame_rows.h"
#include "sw/optimize/schedule/list_scheduler.h"
#include "sw/optimize/schedule/region.h"
#include "sw/optimize/traces.h"

namespace strobe::optimize {

class FunctionCode {
 public:
  /// @param function  an index of Program::functions()
  /// @param frames  of the function's object
  /// @param expected  caller-saved registers that its callers expect to find as they were
  FunctionCode(const object::Program& program, uint32_t function,
               const std::vector<object::Frame>& frames, Registers expected);

  /// Empty, or why the function cannot be taken apart: "control runs off its end".
  const std::string& obstacle() const { return obstacle_; }
  /// Its blocks must keep their order: it has a table of exception handlers.
  bool keeps_order() const { return keeps_order_; }
  const object::Code& code() const { return code_; }
  const object::FlowGraph& graph() const { return graph_; }
  /// Offsets at which control arrives that no branch of the function shows; sorted.
  const std::vector<uint32_t>& labels() const { return labels_; }

  /// One region for each trace, in the same order.
  std::vector<Region> regions(const Traces& traces) const;

  /// The function with its regions in the order `layout`, whose first one is the entry's.
  /// @param schedules  of each region
  object::NewBody body(const std::vector<Region>& regions, const std::vector<Schedule>& schedules,
                       const std::vector<uint32_t>& layout) const;

 private:
  std::string find_obstacle() const;
  std::string take_frame(const std::vector<object::Frame>& frames);
  void find_labels();
  Operation operation_of(uint32_t instruction) const;
  std::optional<StaticAddress> static_address(uint32_t instruction) const;
  uint32_t auipc_of(uint32_t instruction) const;
  uint32_t row_at(uint32_t offset) const;
  void append_block(const Traces& traces, const std::vector<uint32_t>& trace, size_t position,
                    Region* region) const;
  void end_block(const Traces& traces, const std::vector<uint32_t>& trace, size_t position,
                 Region* region) const;
  Registers live_at(const FlowNode& node) const;
  uint64_t frame_bytes() const;

  const object::ObjectFile& file_;
  const object::References& references_;
  const object::Code& code_;
  object::Function function_;
  object::FlowGraph graph_;
  std::string obstacle_;
  std::optional<object::Liveness> live_;
  std::optional<object::Frame> frame_;
  object::FrameRows rows_;
  std::vector<uint32_t> labels_;
  bool keeps_order_ = false;
};

}  // namespace strobe::optimize
