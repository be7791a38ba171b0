// Functions in assembly, taken apart as the optimizer does.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sw/object/file/frames.h"
#include "sw/optimize/frequencies.h"
#include "sw/optimize/function_code.h"
#include "sw/optimize/schedule/dependences.h"
#include "sw/optimize/schedule/expected_registers.h"
#include "tests/unit/object/decoded.h"

namespace strobe::optimize {

/// The function `f` of some assembly.
struct FunctionOf {
  explicit FunctionOf(const std::string& body, const std::string& rest = "") {
    std::vector<object::LinkInput> inputs;
    inputs.push_back(
        {"test.o", object::assembled(object::function_text("f", body) + rest).serialize()});
    program = std::make_unique<object::Program>(std::move(inputs));
    code =
        std::make_unique<FunctionCode>(*program, 0, object::read_frames(program->objects()[0].file),
                                       expected_registers(*program, 0).front());
  }

  /// All its blocks as one region, each of which goes on to the next one.
  Region region() const {
    const auto none = [](uint32_t) { return BranchCounts{0, 1}; };
    Traces traces;
    traces.nodes = nodes_of(code->code(), code->graph(), none, code->labels());
    traces.traces.emplace_back();
    const auto blocks = static_cast<uint32_t>(traces.nodes.size());
    for (uint32_t i = 0; i < blocks; ++i) {
      traces.traces[0].push_back(i);
      // Targets of the branches that leave it are nodes of their own.
      if (traces.nodes[i].taken != kNone) {
        traces.nodes.push_back(traces.nodes[traces.nodes[i].taken]);
        traces.nodes[i].taken = static_cast<uint32_t>(traces.nodes.size()) - 1;
      }
    }
    return code->regions(traces).front();
  }

  std::unique_ptr<object::Program> program;
  std::unique_ptr<FunctionCode> code;
};

}  // namespace strobe::optimize
