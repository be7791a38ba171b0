// Watches a program with ephemeral instrumentation for accesses to its own code, which is not what
// was linked: a hooked branch is a jump there.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "sc_models/port/retire_listener.h"
#include "sw/instrument/ephemeral/hooked_program.h"

namespace strobe::instrument {

/// Accesses of one instruction of the program to bytes of its branches.
struct CodeAccess {
  uint64_t pc = 0;      // the load or store, in the original program
  uint64_t branch = 0;  // the branch that it accessed first, in the original program
  bool writes = false;
  uint64_t count = 0;
};

/// Loads and stores that the instrumentation put in are not reported.
class CodeAccesses final : public RetireListener {
 public:
  /// Keeps a reference to the program's map. Throws nothing.
  explicit CodeAccesses(const HookedProgram& program);

  RetireKinds kinds() const override;
  void record(const RetireRecord& record) override;

  /// By pc, reads before writes.
  std::vector<CodeAccess> found() const;

 private:
  const AddressMap& map_;
  std::vector<std::pair<uint64_t, uint64_t>> branches_;  // {in the edited program, in the original}
  std::map<std::pair<uint64_t, bool>, CodeAccess> found_;
};

}  // namespace strobe::instrument
