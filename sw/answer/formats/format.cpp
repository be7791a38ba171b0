#include "sw/answer/formats/format.h"

#include <cctype>

namespace strobe::answer {

const std::vector<Format> kFormats = {
    {"folded", /*one_series=*/true, /*binary=*/false, /*kinds=*/{}, write_folded},
    {"callgrind", /*one_series=*/false, /*binary=*/false, /*kinds=*/{}, write_callgrind},
    {"pprof", /*one_series=*/false, /*binary=*/true, /*kinds=*/{}, write_pprof},
    {"llvm", /*one_series=*/true, /*binary=*/false, /*kinds=*/{}, write_llvm},
    {"bolt", /*one_series=*/true, /*binary=*/false, /*kinds=*/{"edge"}, write_bolt},
    {"perfetto", /*one_series=*/false, /*binary=*/false, /*kinds=*/{}, write_perfetto},
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
