#include "sw/instrument/original_flow.h"

#include <utility>

#include "sw/files/scratch_folder.h"
#include "sw/object/analysis/linked_flow.h"
#include "sw/object/analysis/program.h"
#include "sw/object/file/link_record.h"

namespace strobe::instrument {

ControlFlow original_flow(const LinkedProgram& program) {
  const files::ScratchFolder folder;
  std::vector<object::LinkInput> inputs =
      object::link_inputs(program.record, folder / "inputs.elf");
  const object::AddressTable addresses = link_original(program, inputs, folder / "original");
  return object::linked_flow(object::Program(std::move(inputs)), addresses);
}

}  // namespace strobe::instrument
