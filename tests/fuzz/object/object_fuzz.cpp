// Hostile objects: each step of an edit either throws ObjectError or gives what the headers of
// sw/object promise, and what is written is read again.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <vector>

#include "sw/instrument/bursty/bursty.h"
#include "sw/instrument/ephemeral/ephemeral.h"
#include "sw/instrument/signals/signals.h"
#include "sw/object/analysis/flow_graph.h"
#include "sw/object/analysis/program.h"
#include "sw/object/edit/duplicate.h"
#include "sw/object/file/object_file.h"
#include "sw/optimize/optimizer.h"
#include "tests/tree.h"

namespace {

using namespace strobe::object;
using Bytes = std::vector<uint8_t>;

void require(bool kept, const char* promise) {
  if (kept) return;
  std::fprintf(stderr, "a promise is broken: %s\n", promise);
  std::abort();
}

/// Steps that may each refuse the object.
template <class Step>
void attempt(Step step) {
  try {
    step();
  } catch (const ObjectError& error) {
    require(error.what()[0] != '\0', "an error has a message");
  }
}

Bytes read_again(const Bytes& written) {
  try {
    return ObjectFile::parse(written, "again").serialize();
  } catch (const ObjectError& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return {};
  }
}

/// An object with all that an edit asks of it is read, and gives itself.
void write(const ObjectFile& file) {
  const Bytes written = file.serialize();
  require(read_again(written) == written, "what is written is read again");
}

void write(const std::vector<ObjectFile>& files) {
  for (const ObjectFile& file : files) write(file);
}

Bytes guest_object(const char* name) {
  std::ifstream file(in_build(name), std::ios::binary);
  require(file.good(), "the build has the objects of its own runtime");
  return {std::istreambuf_iterator<char>(file), {}};
}

void copy_functions(const Bytes& bytes) {
  ProgramObject object(ObjectFile::parse(bytes, "fuzz"));
  ObjectFile& file = object.file;
  std::vector<Function> functions;
  for (const Code& code : object.codes) {
    uint64_t end = 0;
    for (const Instruction& instruction : code.instructions()) {
      require(instruction.offset == end && instruction.size > 0, "instructions follow each other");
      end += instruction.size;
      require(!file.describe(code.section(), instruction.offset).empty(), "each place has a name");
    }
    require(end == file.sections[code.section()].bytes.size(),
            "the instructions cover the section");
    for (const Function& function : code.functions()) {
      require(function.start < function.end && function.end <= end,
              "a function is inside its section");
      require(code.is_boundary(function.start) && code.is_boundary(function.end),
              "a function begins and ends at instructions");
      const FlowGraph graph(code, function, object.references);
      if (graph.obstacle().empty() && obstacle_to_copy(function, object.references).empty()) {
        functions.push_back(function);
      }
    }
  }
  const std::vector<Copy> copies = duplicate(&file, functions, ".copy");
  require(copies.size() == functions.size(), "each function has a copy");
  for (const Copy& copy : copies) {
    require(copy.end - copy.start == copy.original.end - copy.original.start,
            "a copy is as long as the original");
    require(copy.end <= file.sections[copy.original.section].bytes.size(),
            "a copy is inside its section");
  }
  write(file);
}

void instrument(const Bytes& bytes) {
  using namespace strobe::instrument;
  static const Bytes kFold = guest_object("guest/bursty/fold.o"),
                     kUnhook = guest_object("guest/ephemeral/unhook.o");
  for (const EntryChecks entries : {EntryChecks::kAll, EntryChecks::kEquationThree}) {
    attempt([&] {
      BurstyOptions options;
      options.entries = entries;
      options.events = {EventKind::kData, EventKind::kEdge, EventKind::kCall, EventKind::kValue};
      Program program({{"fuzz", bytes}});
      write(make_bursty(&program, kFold, options).objects);
    });
  }
  attempt([&] {
    Program program({{"fuzz", bytes}});
    write(make_ephemeral(&program, kUnhook, {}).edit.objects);
  });
  attempt([&] {
    Program program({{"fuzz", bytes}});
    write(make_signals(&program, {}).edit.objects);
  });
}

/// With counts that make every branch worth something, and one way more likely.
void optimize(const Bytes& bytes) {
  using namespace strobe::optimize;
  static const Machine kMachine{strobe::core::CoreParams()};
  for (const bool local : {false, true}) {
    attempt([&] {
      Options options;
      options.local = local;
      Program program({{"fuzz", bytes}});
      std::vector<LeftAlone> left_alone;
      optimize(
          &program,
          [](uint32_t, uint32_t, const Instruction& branch) {
            const double often = branch.offset % 3 == 0 ? 900 : 30;
            return BranchCounts{often, 1000 - often};
          },
          kMachine, options, &left_alone);
      for (const ProgramObject& object : program.objects()) write(object.file);
    });
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const Bytes bytes(data, data + size);
  attempt([&] { copy_functions(bytes); });
  instrument(bytes);
  optimize(bytes);
  return 0;
}
