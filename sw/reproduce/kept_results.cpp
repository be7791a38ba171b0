#include "sw/reproduce/kept_results.h"

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <fstream>
#include <stdexcept>
#include <utility>

#include "sw/files/whole_file.h"
#include "sw/process/child_process.h"
#include "sw/text/json_text.h"

namespace strobe {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

json read_results(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  json found = text::json_or_discarded(in);
  if (!found.is_object()) {
    throw std::runtime_error(file.string() + ": expected a JSON object, got something else; " +
                             "remove it, and its runs are repeated");
  }
  return found;
}

void write_results(std::ofstream& out, const fs::path& file, const json& value) {
  out << text::json_text(value, 1) << '\n';
  out.close();
  if (!out) throw std::runtime_error("cannot write " + file.string());
}

}  // namespace

KeptResults::KeptResults(fs::path file) : file_(std::move(file)) {
  if (fs::exists(file_)) kept_ = read_results(file_);
}

void KeptResults::say_if_outdated(const std::string& key) const {
  const std::string end = " " + key;
  for (const auto& result : kept_.items()) {
    const std::string& other = result.key();
    if (other.size() < end.size() || other.substr(other.size() - end.size()) != end) continue;
    fmt::print(
        stderr,
        "{}: {}: the kept result is of another build or of other inputs and is not used; the "
        "run is repeated\n",
        file_.filename().string(), key);
    return;
  }
}

json KeptResults::get(const std::string& key, const std::string& inputs,
                      const std::function<json()>& run) {
  const std::string whole_key = inputs + " " + key;
  const auto known = kept_.find(whole_key);
  if (known != kept_.end()) return *known;
  say_if_outdated(key);
  const files::Temporary fresh(file_.string() + ".new");
  const std::string name = file_.filename().string() + ": " + key;
  const auto begin = std::chrono::steady_clock::now();
  in_child(name, [&] {
    // A run confines the child, which then opens none.
    std::ofstream out(fresh.path(), std::ios::binary);
    write_results(out, file_, run());
  });
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  fmt::print(stderr, "{}: {:.0f} s\n", name, seconds.count());
  kept_[whole_key] = read_results(fresh.path());
  files::write_whole(file_, text::json_text(kept_, 1) + "\n");
  return kept_[whole_key];
}

}  // namespace strobe
