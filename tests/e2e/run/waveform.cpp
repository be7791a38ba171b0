#include "tests/e2e/run/waveform.h"

#include <fstapi.h>

#include <fstream>
#include <sstream>
#include <stdexcept>

namespace strobe::e2e {
namespace {

std::string without_leading_zeros(const std::string& bits) {
  const size_t first = bits.find('1');
  return first == std::string::npos ? "0" : bits.substr(first);
}

void add(Waveform& waveform, const std::string& name, uint64_t time, const std::string& bits) {
  auto& changes = waveform[name];
  const std::string value = without_leading_zeros(bits);
  if (!changes.empty() && changes.back().second == value) return;
  changes.emplace_back(time, value);
}

std::string plain_name(const std::string& name) { return name.substr(0, name.find(' ')); }

}  // namespace

Waveform read_vcd(const std::filesystem::path& file) {
  std::ifstream in(file);
  if (!in) throw std::runtime_error("cannot read " + file.string());
  std::map<std::string, std::string> name_of;  // by identifier
  Waveform waveform;
  unsigned depth = 0;
  uint64_t time = 0;
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string word;
    if (!(words >> word)) continue;
    if (word == "$scope") {
      ++depth;
    } else if (word == "$upscope") {
      --depth;
    } else if (word == "$var") {
      std::string kind, width, id, name;
      words >> kind >> width >> id >> name;
      if (depth == 1) name_of[id] = name;
    } else if (word[0] == '#') {
      time = std::stoull(word.substr(1));
    } else if (word[0] == 'b') {
      std::string id;
      words >> id;
      if (name_of.count(id) != 0) add(waveform, name_of[id], time, word.substr(1));
    } else if (word[0] == '0' || word[0] == '1') {
      if (name_of.count(word.substr(1)) != 0) {
        add(waveform, name_of[word.substr(1)], time, word.substr(0, 1));
      }
    }
  }
  return waveform;
}

Waveform read_fst(const std::filesystem::path& file) {
  void* reader = fstReaderOpen(file.c_str());
  if (reader == nullptr) throw std::runtime_error("not an FST file: " + file.string());
  struct State {
    std::map<fstHandle, std::string> name_of;
    Waveform waveform;
  } state;
  unsigned depth = 0;
  while (const fstHier* entry = fstReaderIterateHier(reader)) {
    if (entry->htyp == FST_HT_SCOPE) ++depth;
    if (entry->htyp == FST_HT_UPSCOPE) --depth;
    if (entry->htyp == FST_HT_VAR && depth == 1) {
      state.name_of[entry->u.var.handle] = plain_name(entry->u.var.name);
    }
  }
  fstReaderSetFacProcessMaskAll(reader);
  fstReaderIterBlocks(
      reader,
      [](void* user, uint64_t time, fstHandle handle, const unsigned char* value) {
        State& to = *static_cast<State*>(user);
        const auto name = to.name_of.find(handle);
        if (name == to.name_of.end()) return;
        add(to.waveform, name->second, time, reinterpret_cast<const char*>(value));
      },
      &state, nullptr);
  fstReaderClose(reader);
  return state.waveform;
}

}  // namespace strobe::e2e
