// The worst profiles of other tools up to the limits of their readers.
#include <gtest/gtest.h>

#include "sw/answer/answer_error.h"
#include "sw/answer/formats/gzip.h"
#include "sw/answer/formats/pprof_fields.h"
#include "sw/answer/formats/protobuf.h"
#include "sw/answer/readers/foreign_profile.h"
#include "tests/security/amplification.h"

namespace strobe::security {
namespace {

using answer::ForeignProfile;

constexpr size_t kMebibyte = 1 << 20;

std::string read_with(ForeignProfile (*read)(const std::string&, const std::string&),
                      const std::string& bytes) {
  try {
    read(bytes, "t");
    return "";
  } catch (const answer::AnswerError& error) {
    return error.what();
  }
}

void expect_cheap_pprof(const std::string& what, const std::string& bytes,
                        const std::string& sentence) {
  expect_cheap(
      "pprof " + what, [&] { return read_with(&answer::read_pprof, bytes); }, sentence);
  const std::string packed = answer::gzip(bytes);
  expect_cheap(
      "pprof.gz " + what, [&] { return read_with(&answer::read_pprof, packed); }, sentence);
}

std::string varint(uint64_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7) bytes += static_cast<char>(value | 0x80);
  return bytes + static_cast<char>(value);
}
std::string number(uint64_t field, uint64_t value) { return varint(field << 3) + varint(value); }
std::string text(uint64_t field, const std::string& bytes) {
  return varint(field << 3 | 2) + varint(bytes.size()) + bytes;
}

const std::string kNoString = text(answer::pprof::kStringTable, "");
const std::string kType = text(answer::pprof::kSampleType, number(1, 0));

std::string sample(uint64_t location) {
  return text(answer::pprof::kSample, number(1, location) + number(2, 1));
}
std::string location(uint64_t id, uint64_t function, uint64_t line) {
  return text(answer::pprof::kLocation,
              number(1, id) + number(3, id) + text(4, number(1, function) + number(2, line)));
}
std::string function(uint64_t id, uint64_t name) {
  return text(answer::pprof::kFunction, number(1, id) + number(2, name));
}

TEST(Amplification, PprofTables) {
  const std::string entries = "expected at most 1200000 entries, got at least 1200001";
  const std::string begin = kNoString + kType;
  expect_cheap_pprof("strings", begin + repeated(kNoString, 8 * kMebibyte - 4), entries);
  expect_cheap_pprof("strings up to the limit", begin + repeated(kNoString, 1'199'000), "a sample");
  expect_cheap_pprof("types", begin + repeated(kType, 1'199'000), "a sample");
  expect_cheap_pprof("samples", begin + location(1, 1, 1) + repeated(sample(1), 1'199'000), "");
  const std::string stack = text(1, repeated(varint(1), 15 * kMebibyte)) + number(2, 1);
  expect_cheap_pprof("a deep stack",
                     begin + location(1, 1, 1) + text(answer::pprof::kSample, stack), "");
  std::string many = begin;
  for (uint64_t id = 1; id < 590'000; ++id) many += location(id, 1, id) + sample(id);
  expect_cheap_pprof("locations", many, "");
  many = begin;
  for (uint64_t id = 1; id < 1'199'000; ++id) many += function(id, 0);
  expect_cheap_pprof("functions", many, "a sample");
  expect_cheap_pprof("zeros", std::string(300 * kMebibyte, '\0'),
                     "too large: expected at most 20971520 bytes");
}

TEST(Amplification, PprofNames) {
  const std::string long_name =
      kNoString + kType + text(answer::pprof::kStringTable, std::string(65'536, 'f'));
  std::string bytes = long_name + function(1, 1);
  for (uint64_t id = 1; id < 200'000; ++id) bytes += location(id, 1, id) + sample(id);
  expect_cheap_pprof("a long name", bytes, "too large: expected at most 33554432 bytes of names");
  bytes = long_name;
  for (uint64_t id = 1; id < 150'000; ++id)
    bytes += function(id, 1) + location(id, id, 1) + sample(id);
  expect_cheap_pprof("functions of a long name", bytes, "expected at most 33554432 bytes of names");
}

TEST(Amplification, LlvmProfiles) {
  const auto expect_cheap_llvm = [](const std::string& what, const std::string& bytes,
                                    const std::string& sentence) {
    expect_cheap(
        "llvm " + what, [&] { return read_with(&answer::read_llvm, bytes); }, sentence);
  };
  std::string lines = "main:1:1\n";
  for (int i = 0; i < 1'300'000; ++i) lines += " " + std::to_string(i) + ": 1\n";
  expect_cheap_llvm("lines", lines, "t:1200001: too large: expected at most 1200000 entries");
  expect_cheap_llvm("lines up to the limit", lines.substr(0, lines.find(" 1199990:")), "");
  std::string functions;
  for (int i = 0; i < 590'000; ++i) functions += "f" + std::to_string(i) + ":1:1\n 1: 1\n";
  expect_cheap_llvm("functions", functions, "");
  std::string deep = "main:1:1\n";
  for (int i = 1; i < 63; ++i)
    deep += std::string(i, ' ') + "1: " + std::string(1000, 'f') + ":1\n";
  expect_cheap_llvm("long names", deep + repeated(std::string(63, ' ') + "1: 1\n", 230'000),
                    "expected at most 33554432 bytes of names");
  expect_cheap_llvm("blank lines", std::string(16 * kMebibyte, '\n'), "has no samples");
  expect_cheap_llvm("one line", std::string(16 * kMebibyte, 'x'), "expected NAME:TOTAL:ENTRIES");
  expect_cheap_llvm("colons", std::string(16 * kMebibyte, ':'), "not an LLVM sample profile");
}

}  // namespace
}  // namespace strobe::security
