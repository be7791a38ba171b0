#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <stdexcept>

#include "sw/gen/blocks/block.h"
#include "sw/gen/blocks/block_order.h"
#include "sw/gen/blocks/parameter_reader.h"
#include "sw/yaml/document.h"
#include "sw/yaml/map_reader.h"
#include "sw/yaml/scalar.h"

namespace strobe::gen {
namespace {

using text::Diagnostics;
using yaml::MapReader;
using yaml::Node;

constexpr uint64_t kRegisterBlock = 0x1000;

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words(1);
  for (const char c : text) {
    if (c != ' ') {
      words.back() += c;
    } else if (!words.back().empty()) {
      words.emplace_back();
    }
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

/// A list of texts of words: all words.
std::vector<std::string> all_words_of(MapReader& reader, const std::string& key) {
  std::vector<std::string> words;
  for (const std::string& text : texts_of(reader, key)) {
    const std::vector<std::string> more = words_of(text);
    words.insert(words.end(), more.begin(), more.end());
  }
  return words;
}

/// Reads the files of a folder one after the other: path.yaml, which gives most names, then the
/// compressors in the order of their names.
class BlockReader {
 public:
  explicit BlockReader(Diagnostics* diagnostics)
      : diagnostics_(diagnostics), parameters_(diagnostics) {}

  std::optional<Blocks> read(const std::string& folder) {
    const size_t before = diagnostics_->size();
    const std::string path_file = folder + "/path.yaml";
    Node path;
    if (!parse(path_file, &path)) return std::nullopt;
    read_path(path);
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      const std::filesystem::path& file = entry.path();
      if (file.extension() == ".yaml" && file.stem() != "path") names.push_back(file.stem());
    }
    std::sort(names.begin(), names.end());
    // Names first, because an expression of one file may name a parameter of a later one.
    std::vector<Node> nodes(names.size());
    for (size_t i = 0; i < names.size(); ++i) {
      if (!parse(fmt::format("{}/{}.yaml", folder, names[i]), &nodes[i])) return std::nullopt;
      read_own_parameters(nodes[i]);
    }
    if (diagnostics_->size() > before) return std::nullopt;
    for (size_t i = 0; i < names.size(); ++i) read_compressor(names[i], nodes[i]);
    if (diagnostics_->size() > before) return std::nullopt;
    arrange(nodes[0].mark, parameters_, first_, later_, &blocks_, diagnostics_);
    if (diagnostics_->size() > before) return std::nullopt;
    return std::move(blocks_);
  }

 private:
  bool parse(const std::string& file, Node* root) {
    return yaml::parse_yaml_file(file, file, nullptr, "", root, diagnostics_);
  }

  void read_path(const Node& root) {
    MapReader reader(root, "", diagnostics_);
    for (const char* list : {"parameters", "later_parameters", "shared_parameters"}) {
      const auto* items = reader.list(list);
      for (size_t i = 0; items != nullptr && i < items->size(); ++i) {
        const Parameter parameter = parameters_.read((*items)[i], fmt::format("{}.{}", list, i));
        if (std::string(list) == "parameters") first_.push_back(parameter.name);
        if (std::string(list) == "later_parameters") later_.push_back(parameter.name);
        blocks_.shared.push_back(parameter.name);
      }
    }
    reader.reject_unknown_keys();
  }

  static bool is_own_parameter(const Node& item) {
    return item.kind == Node::Kind::kMap && item.find("description") != nullptr &&
           item.find("sets") == nullptr;
  }

  void read_own_parameters(const Node& root) {
    const yaml::Entry* list = root.find("parameters");
    if (list == nullptr) return;  // said when the compressor is read
    for (size_t i = 0; i < list->value.items.size(); ++i) {
      const Node& item = list->value.items[i];
      if (!is_own_parameter(item)) continue;
      parameters_.read(item, fmt::format("parameters.{}", i));
    }
  }

  void read_compressor(const std::string& name, const Node& root) {
    MapReader reader(root, "", diagnostics_);
    Compressor block;
    block.name = name;
    block.kind = static_cast<unsigned>(reader.integer("kind", 1, 255).value_or(1));
    block.title = reader.text("title").value_or("");
    block.paper = reader.text("paper").value_or("");
    block.page = reader.text("page").value_or("");
    block.latency = static_cast<unsigned>(reader.integer("latency", 1, 64).value_or(1));
    block.second_level = reader.flag_or("second_level", true);
    block.no_second_level = reader.text_or("no_second_level", "").value_or("");
    block.rate = reader.flag_or("rate", true);
    block.no_rate = reader.text_or("no_rate", "").value_or("");
    block.entry_width = parameters_.expression(reader, "entry_width");
    block.draws = parameters_.expression(reader, "draws");
    block.estimates = parameters_.expression(reader, "estimates");
    block.storage = parameters_.expression(reader, "storage", true);
    each(reader, "rtl", [&](MapReader& item) { block.rtl.push_back(read_rtl(item)); });
    each(reader, "reference", [&](MapReader& item) {
      block.reference.push_back({item.text("class").value_or(""), item.text("header").value_or(""),
                                 parameters_.expression(item, "when")});
    });
    read_observer(reader, &block);
    read_uses(reader, &block);
    each(reader, "longest_period", [&](MapReader& item) {
      block.longest_period.push_back({parameters_.expression(item, "when"),
                                      parameters_.expression(item, "is", true),
                                      item.text_or("because", "").value_or("")});
    });
    if (reader.find("registers") != nullptr) read_registers(reader, &block);
    if (reader.find("profiler_kinds") != nullptr) {
      each(reader, "profiler_kinds",
           [&](MapReader& item) { block.profiler_kinds.push_back(read_kind(item)); });
    }
    read_checks(reader, &block);
    reader.reject_unknown_keys();
    blocks_.compressors.push_back(std::move(block));
  }

  /// Calls `read` with each item of a list of maps, and rejects the keys that it did not ask for.
  template <class Read>
  void each(MapReader& reader, const std::string& key, Read read) {
    const auto* items = reader.list(key);
    for (size_t i = 0; items != nullptr && i < items->size(); ++i) {
      MapReader item((*items)[i], yaml::join_path(reader.path(), fmt::format("{}.{}", key, i)),
                     diagnostics_);
      read(item);
      item.reject_unknown_keys();
    }
  }

  RtlModule read_rtl(MapReader& reader) {
    RtlModule rtl;
    rtl.module = reader.text("module").value_or("");
    rtl.when = parameters_.expression(reader, "when");
    for (const std::string& text : texts_of(reader, "parameters")) {
      const size_t equals = text.find('=');
      const std::string own = text.substr(0, equals);
      const std::string of_path = equals == std::string::npos ? own : text.substr(equals + 1);
      const bool known =
          of_path == "Heads" || std::any_of(parameters_.all().begin(), parameters_.all().end(),
                                            [&](const Parameter& p) { return p.rtl() == of_path; });
      if (!known) {
        reader.error(reader.node().mark, "parameters",
                     "expected a parameter of the path, got " + text::in_quotes(of_path));
      }
      rtl.parameters.emplace_back(own, of_path);
    }
    rtl.inputs = texts_of(reader, "inputs");
    return rtl;
  }

  void read_observer(MapReader& reader, Compressor* block) {
    const yaml::Entry* entry = reader.require("observer");
    if (entry == nullptr) return;
    MapReader observer(entry->value, "observer", diagnostics_);
    block->observer = observer.text("make").value_or("");
    block->observer_headers.push_back("sc_models/profiling/observers/" +
                                      observer.text("header").value_or(""));
    const std::string counters = observer.text_or("counters", "").value_or("");
    if (!counters.empty()) {
      block->observer_headers.push_back("sc_models/profiling/reference/sampler/" + counters);
    }
    observer.reject_unknown_keys();
  }

  void read_uses(MapReader& reader, Compressor* block) {
    const auto* items = reader.list("parameters");
    for (size_t i = 0; items != nullptr && i < items->size(); ++i) {
      const Node& item = (*items)[i];
      const std::string path = fmt::format("parameters.{}", i);
      Use use;
      if (item.kind == Node::Kind::kScalar) {
        use.parameter = use.key = item.scalar;
      } else {
        MapReader map(item, path, diagnostics_);
        use.key = map.text("name").value_or("");
        use.parameter = map.text_or("sets", use.key).value_or(use.key);
        use.matters_when = parameters_.expression(map, "matters_when");
        if (use.renamed()) {
          use.own = parameters_.read_key(item, path);
        } else if (!is_own_parameter(item)) {
          map.reject_unknown_keys();
        }
      }
      if (!parameters_.knows(use.parameter)) {
        diagnostics_->push_back(item.mark.error(
            path,
            fmt::format("expected a parameter of path.yaml or one with a description, got {}{}",
                        text::in_quotes(use.parameter),
                        text::did_you_mean(use.parameter, blocks_.shared))));
        continue;
      }
      block->uses.push_back(std::move(use));
    }
  }

  void read_registers(MapReader& reader, Compressor* block) {
    const auto* items = reader.list("registers");
    for (size_t i = 0; items != nullptr && i < items->size(); ++i) {
      std::vector<const Node*> keys;
      const std::string path = fmt::format("registers.{}", i);
      const Register reg = read_register((*items)[i], path, kRegisterBlock, &keys, diagnostics_);
      for (size_t k = 0; k < reg.fields.size(); ++k) {
        read_setting(reg, k, keys[k], (*items)[i].mark, fmt::format("{}.fields.{}", path, k),
                     block);
      }
      if (reg.access != "rw" || !reg.regwen || reg.count != 1) {
        diagnostics_->push_back((*items)[i].mark.error(
            path,
            "expected access: rw, regwen: true and one register, which is what the registers of a "
            "compressor are"));
      }
      block->registers.push_back(reg);
    }
  }

  void read_setting(const Register& reg, size_t k, const Node* key, const yaml::Mark& mark,
                    const std::string& path, Compressor* block) {
    Setting setting;
    setting.field = reg.fields[k];
    setting.name = setting.field.name;
    setting.register_name = reg.name;
    unsigned end = 64;
    for (const Field& other : reg.fields) {
      if (other.low > setting.field.low) end = std::min(end, other.low);
    }
    setting.number_bits = end - setting.field.low;
    if (setting.field.width() > 32 || !setting.field.reset) {
      diagnostics_->push_back(mark.error(path, "expected at most 32 bits and a reset"));
    }
    if (key != nullptr) {
      MapReader reader(*key, yaml::join_path(path, "key"), diagnostics_);
      setting.unit = reader.text_or("unit", "").value_or("");
      setting.description = reader.text("description").value_or("");
      setting.elsewhere = reader.text_or("elsewhere", "").value_or("");
      parameters_.read_range(reader, &setting.low, &setting.high);
      setting.at_most = parameters_.expression(reader, "at_most", true);
      setting.zero_is = parameters_.expression(reader, "zero_is", true);
      reader.reject_unknown_keys();
    }
    block->settings.push_back(std::move(setting));
  }

  ProfilerKind read_kind(MapReader& reader) {
    ProfilerKind kind;
    kind.name = reader.text("name").value_or("");
    kind.paper = reader.text("paper").value_or("");
    if (const yaml::Entry* entry = reader.require("parameters")) {
      MapReader map(entry->value, yaml::join_path(reader.path(), "parameters"), diagnostics_);
      for (const yaml::Entry& one : entry->value.entries) {
        kind.parameters.emplace_back(one.key, parameters_.expression(map, one.key));
        if (!parameters_.knows(one.key)) map.error(one.key_mark, one.key, "expected a parameter");
      }
    }
    return kind;
  }

  void read_checks(MapReader& reader, Compressor* block) {
    if (const yaml::Entry* entry = reader.require("lint")) {
      MapReader map(entry->value, "lint", diagnostics_);
      for (const yaml::Entry& one : entry->value.entries) {
        block->lint.emplace_back(one.key, texts_of(map, one.key));
      }
    }
    if (const yaml::Entry* entry = reader.require("bench")) {
      MapReader map(entry->value, "bench", diagnostics_);
      block->bench = {map.text("test").value_or(""), map.text("models").value_or(""),
                      map.text("top").value_or(""),  map.text("keys").value_or(""),
                      all_words_of(map, "points"),   all_words_of(map, "long_points")};
      map.reject_unknown_keys();
    }
    block->path_points = points_of(reader, "path_points");
    block->four_state = points_of(reader, "four_state");
    block->long_four_state = points_of(reader, "long_four_state");
    block->synthesis = texts_of(reader, "synthesis");
    block->runs = texts_of(reader, "runs");
  }

  /// Points of the path, "Name=value ...", in the order of its parameters.
  std::vector<std::string> points_of(MapReader& reader, const std::string& key) {
    std::vector<std::string> points = texts_of(reader, key);
    for (const std::string& point : points) {
      for (const std::string& word : words_of(point)) {
        const std::string name = word.substr(0, word.find('='));
        const bool known = std::any_of(parameters_.all().begin(), parameters_.all().end(),
                                       [&](const Parameter& p) { return p.rtl() == name; });
        if (!known || word.find('=') == std::string::npos) {
          reader.error(reader.find(key)->value.mark, key,
                       "expected Name=value of a parameter, got " + text::in_quotes(word));
        }
      }
    }
    return points;
  }

  Diagnostics* diagnostics_;
  Blocks blocks_;
  ParameterReader parameters_;
  std::vector<std::string> first_, later_;
};

}  // namespace

std::optional<Blocks> read_blocks(const std::string& folder, Diagnostics* diagnostics) {
  return BlockReader(diagnostics).read(folder);
}

}  // namespace strobe::gen
