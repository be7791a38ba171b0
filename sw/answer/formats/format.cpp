#include "sw/answer/formats/format.h"

#include <cctype>

namespace strobe::answer {

const std::vector<Format> kFormats = {
    {"folded", Takes::kFirst, /*binary=*/false, /*kinds=*/{}, write_folded, nullptr},
    {"callgrind", Takes::kAll, /*binary=*/false, /*kinds=*/{}, write_callgrind, nullptr},
    {"pprof", Takes::kAll, /*binary=*/true, /*kinds=*/{}, write_pprof, nullptr},
    {"llvm", Takes::kFirst, /*binary=*/false, /*kinds=*/{}, write_llvm, llvm_left_out},
    {"bolt", Takes::kFirst, /*binary=*/false, /*kinds=*/{"edge"}, write_bolt, nullptr},
    {"perfetto", Takes::kNone, /*binary=*/false, /*kinds=*/{}, write_perfetto, nullptr},
};

std::string event_name(const Series& series) {
  std::string name = series.source + "_" + series.kind;
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return name;
}

uint64_t whole(const Series& series, uint64_t count) {
  return (count + series.parts / 2) / series.parts;
}

}  // namespace strobe::answer
