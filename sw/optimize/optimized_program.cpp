#include "sw/optimize/optimized_program.h"

#include <fmt/format.h>

#include "sw/files/scratch_folder.h"
#include "sw/optimize/padding.h"

namespace strobe::optimize {
namespace {

namespace fs = std::filesystem;

std::vector<uint8_t> link(const instrument::LinkedProgram& program, const object::Program& objects,
                          const fs::path& folder) {
  fs::create_directory(folder);
  std::vector<fs::path> names;
  for (const object::ProgramObject& object : objects.objects()) {
    names.push_back(folder / fmt::format("{}.o", names.size()));
    instrument::write_content(names.back(), object.file.serialize());
  }
  const fs::path output = folder / "program.elf";
  object::link_objects(program.record, names, output);
  return instrument::content_of(output);
}

/// The program, with its data where the caches of the core have them in the original.
std::vector<uint8_t> link_in_place(const instrument::LinkedProgram& program,
                                   object::Program* objects, const core::CoreParams& core,
                                   const fs::path& folder) {
  const std::vector<uint8_t> linked = link(program, *objects, folder);
  append(padding_of(instrument::content_of(program.elf), linked, core),
         &objects->objects().back().file);
  return link(program, *objects, folder);
}

}  // namespace

OptimizedProgram optimize_program(const instrument::LinkedProgram& program,
                                  const EdgeCounts& profile, const core::CoreParams& core,
                                  const Options& options) {
  expect_profile_of(program.elf, profile);
  const files::ScratchFolder folder;
  std::vector<object::LinkInput> inputs =
      object::link_inputs(program.record, folder / "inputs.elf");
  const object::AddressTable addresses =
      instrument::link_original(program, inputs, folder / "original");
  object::Program objects(std::move(inputs));
  const CountsOf counts_of = [&](uint32_t object, uint32_t section,
                                 const object::Instruction& branch) -> BranchCounts {
    const auto pc = addresses.address({object, section, branch.offset});
    const auto next = addresses.address({object, section, branch.offset + branch.size});
    if (!pc || !next || branch.target == object::kNone) return {};
    const auto target = addresses.address({object, section, branch.target});
    return {target ? static_cast<double>(profile.profile.count({*pc, *target, 0})) : 0,
            static_cast<double>(profile.profile.count({*pc, *next, 0}))};
  };
  OptimizedProgram result;
  result.counts = optimize(&objects, counts_of, Machine(core), options, &result.left_alone);
  if (result.counts.functions == 0 && result.left_alone.empty()) {
    throw ProfileError(no_branch_of(program.elf));
  }
  result.elf = link_in_place(program, &objects, core, folder / "optimized");
  return result;
}

}  // namespace strobe::optimize
