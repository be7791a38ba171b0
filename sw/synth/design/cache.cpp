#include "sw/synth/design/cache.h"

#include <fmt/format.h>

#include <stdexcept>

#include "sw/files/sealed.h"
#include "sw/files/temporary.h"
#include "sw/synth/design/design.h"
#include "sw/synth/tools/files.h"
#include "sw/text/json_text.h"

namespace strobe::synth {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// A change to what the flow does with the same inputs must raise this number.
constexpr int kFlowVersion = 7;

bool is_kept(const fs::path& stem, const fs::path& file) {
  if (!files::is_whole(file)) return false;
  const fs::path netlist = netlist_of(stem);
  return !fs::exists(netlist) || files::is_whole(netlist);
}

}  // namespace

fs::path stem_of(const std::string& inputs) {
  return cache_directory() / sha256_of_text(fmt::format("{}\n{}", kFlowVersion, inputs));
}

fs::path netlist_of(const fs::path& stem) { return stem.string() + ".v"; }

json cached(const std::string& inputs, const std::function<json(const fs::path& stem)>& compute) {
  const fs::path stem = stem_of(inputs);
  const fs::path file = stem.string() + ".json";
  files::make_own_folder(stem.parent_path());
  if (is_kept(stem, file)) return text::own_json_from(read_file(file));
  files::sweep_leftovers(stem.parent_path());
  const std::string rtl = rtl_hash();
  const json result = compute(stem);
  if (rtl_hash() != rtl) {
    throw std::runtime_error(
        "the RTL sources changed while they were read, so what came out is of neither: start the "
        "synthesis again");
  }
  if (fs::exists(netlist_of(stem))) files::seal(netlist_of(stem));
  const files::Temporary temporary(file);
  write_file(temporary.path(), text::json_text(result));
  files::place_sealed(temporary.path(), file);
  return result;
}

}  // namespace strobe::synth
