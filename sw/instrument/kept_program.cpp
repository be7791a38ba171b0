#include "sw/instrument/kept_program.h"

#include <utility>

#include "sw/files/cache.h"
#include "sw/files/sealed.h"
#include "sw/files/sha256.h"
#include "sw/files/temporary.h"
#include "sw/text/json_text.h"

namespace strobe::instrument {
namespace {

namespace fs = std::filesystem;

std::string key_of(const LinkedProgram& program, const fs::path& runtime,
                   const std::string& options) {
  std::string text = files::sha256_of_file(program.elf.string()) + "\n" +
                     (runtime.empty() ? "" : files::sha256_of_file(runtime.string())) + "\n" +
                     files::sha256_of_file("/proc/self/exe") + "\n";
  for (const std::string& argument : program.record.command) text += argument + "\n";
  return files::sha256_of_text(text + options);
}

}  // namespace

KeptProgram find_or_make(const LinkedProgram& program, const fs::path& runtime,
                         const std::string& options, const std::function<KeptProgram()>& make) {
  const fs::path folder = files::cache_folder("instrumented", "instrumented programs");
  const std::string key = key_of(program, runtime, options);
  const fs::path elf = folder / (key + ".elf"), document = folder / (key + ".json");
  files::make_own_folder(folder);
  const files::FileLock lock(folder / (key + ".lock"));
  if (!files::is_whole(document) || !files::is_whole(elf)) {
    files::sweep_leftovers(folder);
    KeptProgram made = make();
    const std::string text = text::json_text(made.document);
    for (const auto& [target, bytes] :
         {std::pair(elf, made.elf), {document, std::vector<uint8_t>(text.begin(), text.end())}}) {
      const files::Temporary temporary(target);
      write_content(temporary.path(), bytes);
      files::place_sealed(temporary.path(), target);
    }
    return made;
  }
  const std::vector<uint8_t> text = content_of(document);
  return {content_of(elf),
          text::own_json_from({reinterpret_cast<const char*>(text.data()), text.size()})};
}

void put_map(const AddressMap& map, const std::vector<object::LeftAlone>& left_alone,
             nlohmann::json* document) {
  nlohmann::json &code = (*document)["code"], &data = (*document)["data"],
                 &left = (*document)["left_alone"];
  code = data = left = nlohmann::json::array();
  for (const CodeRange& range : map.code()) {
    code.push_back({range.edited, range.original, range.bytes, range.instrumented});
  }
  for (const DataRange& range : map.data()) {
    data.push_back({range.edited, range.original, range.bytes});
  }
  for (const object::LeftAlone& one : left_alone) left.push_back({one.place, one.reason});
}

AddressMap map_from(const nlohmann::json& document) {
  std::vector<CodeRange> code;
  for (const nlohmann::json& range : document.at("code")) {
    code.push_back({range.at(0), range.at(1), range.at(2), range.at(3)});
  }
  std::vector<DataRange> data;
  for (const nlohmann::json& range : document.at("data")) {
    data.push_back({range.at(0), range.at(1), range.at(2)});
  }
  return {std::move(code), std::move(data)};
}

std::vector<object::LeftAlone> left_alone_from(const nlohmann::json& document) {
  std::vector<object::LeftAlone> left_alone;
  for (const nlohmann::json& one : document.at("left_alone")) {
    left_alone.push_back({one.at(0), one.at(1)});
  }
  return left_alone;
}

}  // namespace strobe::instrument
