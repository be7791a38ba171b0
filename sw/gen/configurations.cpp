#include "sw/gen/configurations.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "sw/gen/words.h"
#include "sw/yaml/map_reader.h"

namespace strobe::gen {
namespace {

using nlohmann::json;

const char* const kNotMeasured = "not measured";

std::string percent(double fraction) { return fmt::format("{:.2f} %", 100 * fraction); }

std::string memories_text(const json& synthesis) {
  std::string text = grouped(synthesis.at("memory_ge"));
  const char* separator = ": ";
  for (const json& memory : synthesis.at("memories")) {
    const int instances = memory.at("instances");
    text += separator;
    if (instances > 1) text += fmt::format("{} of ", instances);
    text += fmt::format("{} x {}", memory.at("depth").get<int>(), memory.at("width").get<int>());
    const auto source = memory.at("source").get<std::string>();
    if (source != "model") text += fmt::format(" ({})", source);
    separator = ", ";
  }
  return text;
}

// The cells for logic, flip-flops, memories, period, MHz and FPGA.
std::vector<std::string> synthesis_cells(const json& one) {
  if (!one.contains("synthesis")) return std::vector<std::string>(6, kNotMeasured);
  const json& synthesis = one.at("synthesis");
  const double period = synthesis.at("period_ns");
  const json& fpga = synthesis.at("ice40");
  const std::string speed =
      fpga.at("mhz").is_null() ? "does not fit" : fmt::format("{} MHz", fpga.at("mhz").get<int>());
  return {grouped(synthesis.at("logic_ge")),
          grouped(synthesis.at("flip_flop_ge")),
          memories_text(synthesis),
          fmt::format("{:.2f} ns, {:.1f} FO4", period, synthesis.at("period_fo4").get<double>()),
          fmt::format("{:.0f}", std::floor(1000 / period)),
          fmt::format("{} LUT, {} BRAM, {}", grouped(fpga.at("luts")),
                      fpga.at("block_rams").get<int>(), speed)};
}

// The cells for the whole area, in thousands of gate equivalents, and the clock.
std::vector<std::string> summary_cells(const json& one) {
  if (!one.contains("synthesis")) return std::vector<std::string>(2, kNotMeasured);
  const json& synthesis = one.at("synthesis");
  double gates = 0;
  for (const char* part : {"logic_ge", "flip_flop_ge", "memory_ge"})
    gates += synthesis.at(part).get<double>();
  return {fmt::format("{:.1f} kGE", gates / 1000),
          fmt::format("{:.0f} MHz", std::floor(1000 / synthesis.at("period_ns").get<double>()))};
}

// The cells for overlap and overhead.
std::vector<std::string> quickstart_cells(const json& one) {
  if (!one.contains("quickstart")) return {kNotMeasured, kNotMeasured};
  const json& run = one.at("quickstart");
  return {percent(run.at("overlap")), percent(run.at("overhead"))};
}

std::string storage_text(const json& one) {
  for (const char* part : {"quickstart", "synthesis"}) {
    if (one.contains(part)) return grouped(one.at(part).at("storage_bits"));
  }
  return kNotMeasured;
}

// The first cell of a row: a link to the configuration.
std::string link(const NamedConfiguration& configuration, const std::string& root) {
  return fmt::format("| [`{0}`]({1}configs/profilers/{0}.yaml) |", configuration.name, root);
}

// Wraps a text into lines of a page, which are indented after the first.
std::string wrapped(const std::string& text) {
  constexpr size_t kWidth = 116;
  std::string lines;
  size_t column = 0;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find(' ', at), text.size());
    const bool new_line = column > 0 && column + 1 + end - at > kWidth;
    if (column > 0) lines += new_line ? "\n  " : " ";
    column = (new_line ? 2 : column + (column > 0 ? 1 : 0)) + end - at;
    lines += text.substr(at, end - at);
    at = end + 1;
  }
  return lines + "\n";
}

std::string row_of(const std::vector<std::string>& cells) {
  std::string text;
  for (const std::string& cell : cells) text += fmt::format(" {} |", cell);
  return text;
}

}  // namespace

std::vector<NamedConfiguration> read_configurations(const std::string& file,
                                                    text::Diagnostics* diagnostics) {
  std::vector<NamedConfiguration> configurations;
  yaml::Node root;
  if (!yaml::parse_yaml_file(file, file, nullptr, "", &root, diagnostics)) return configurations;
  yaml::MapReader document(root, "", diagnostics);
  const auto* items = document.list("configurations");
  for (size_t i = 0; items != nullptr && i < items->size(); ++i) {
    yaml::MapReader reader((*items)[i], fmt::format("configurations.{}", i), diagnostics);
    NamedConfiguration configuration;
    configuration.name = reader.text("name").value_or("");
    configuration.what = reader.text("what").value_or("");
    configuration.maturity = reader.text("maturity").value_or("");
    reader.reject_unknown_keys();
    configurations.push_back(std::move(configuration));
  }
  document.reject_unknown_keys();
  return configurations;
}

std::string configurations_table(const std::vector<NamedConfiguration>& configurations,
                                 const json& measured, const std::string& root) {
  std::string text =
      "| configuration | what it is | storage bits | area | clock | overlap | overhead |\n"
      "|---|---|---:|---:|---:|---:|---:|\n";
  for (const NamedConfiguration& configuration : configurations) {
    const json one = measured.at("configurations").value(configuration.name, json::object());
    text += link(configuration, root) +
            fmt::format(" {} | {} |", configuration.what, storage_text(one));
    text += row_of(summary_cells(one)) + row_of(quickstart_cells(one)) + "\n";
  }
  return text;
}

std::string configurations_page(const std::vector<NamedConfiguration>& configurations,
                                const json& measured) {
  const json& all = measured.at("configurations");
  std::string text =
      "# Named configurations\n\n"
      "`strobe-gen --root .` writes this page from what `scripts/configurations` measured\n"
      "(`configs/synth/measured.json`) and from the words of `configs/synth/maturity.yaml`.\n"
      "[Synthesis](../synthesis.md#named-configurations) says what the columns mean.\n\n"
      "## Hardware\n\n"
      "The profiling path of each profiler on the hps2005 machine, as one design in osu018.\n"
      "A memory, words x bits, is by the SRAM model unless the row says otherwise.\n\n"
      "| configuration | logic GE | flip-flop GE | memories GE | period | osu018 MHz | iCE40 HX8K "
      "|\n|---|---:|---:|---|---|---:|---|\n";
  for (const NamedConfiguration& configuration : configurations) {
    const json one = all.value(configuration.name, json::object());
    text += link(configuration, "../../") + row_of(synthesis_cells(one)) + "\n";
  }
  text +=
      "\n## Accuracy and overhead\n\n"
      "`configs/runs/quickstart.yaml` with each as the active profiler.\n\n"
      "| configuration | storage bits | overlap | overhead |\n|---|---:|---:|---:|\n";
  for (const NamedConfiguration& configuration : configurations) {
    const json one = all.value(configuration.name, json::object());
    text += link(configuration, "../../") + fmt::format(" {} |", storage_text(one)) +
            row_of(quickstart_cells(one)) + "\n";
  }
  text += "\n## What they are, and how mature\n\n";
  for (const NamedConfiguration& configuration : configurations) {
    text += wrapped(fmt::format("- `{}`: {}. *{}.*", configuration.name, configuration.what,
                                configuration.maturity));
  }
  return text;
}

std::string with_region(const std::string& page, const std::string& file, const std::string& name,
                        const std::string& text) {
  // The marks stand in comments of the file's language.
  const bool markdown = file.size() > 3 && file.compare(file.size() - 3, 3, ".md") == 0;
  const std::string close = markdown ? " -->" : "";
  const std::string begin = fmt::format("strobe-gen: {}{}\n", name, close);
  const std::string end = fmt::format("strobe-gen: end{}\n", close);
  const size_t from = page.find(begin);
  size_t to = from == std::string::npos ? from : page.find(end, from);
  if (to == std::string::npos) {
    throw std::runtime_error(
        fmt::format("{}: expected a comment 'strobe-gen: {}' and after it 'strobe-gen: end', each "
                    "on a line of its own; put "
                    "them where the generated text belongs",
                    file, name));
  }
  to = page.rfind('\n', to) + 1;
  return page.substr(0, from + begin.size()) + text + page.substr(to);
}

}  // namespace strobe::gen
