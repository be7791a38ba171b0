// Any text is a production set or gets diagnostics, and what is one survives being an image file.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "sw/dise/assemble.h"
#include "sw/dise/image/disassemble.h"
#include "sw/dise/image/image_file.h"

namespace {

/// What must hold for every input; a fault stops the fuzzer.
void require(bool good) {
  if (!good) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace strobe::dise;
  const std::string text(reinterpret_cast<const char*>(data), size);
  const size_t cut = text.find("\n---\n");  // two files
  std::vector<SourceFile> files = {{"a.dise", text.substr(0, cut)}};
  if (cut != std::string::npos) files.push_back({"b.dise", text.substr(cut + 5)});
  const Assembled assembled = assemble(files, {});
  for (const auto& fault : assembled.faults) require(!fault.text().empty());
  if (!assembled.good()) return 0;
  require(!explain(assembled.image).empty());
  const std::string image = to_json(assembled.image);
  require(to_json(image_from_json(image)) == image);
  return 0;
}
