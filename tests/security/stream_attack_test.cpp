// Damaged recorded streams: each is read up to the damage, or refused with a sentence, within
// bounds of time and memory.
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>

#include "sw/stream/stream_format.h"
#include "sw/stream/stream_writer.h"
#include "tests/security/nightly.h"
#include "tests/security/parser_attack.h"

namespace strobe::security {
namespace {

namespace fs = std::filesystem;

Bytes stream_of(uint64_t events) {
  std::string folder = (fs::temp_directory_path() / "strobe-attack-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) throw std::runtime_error("mkdtemp failed");
  const fs::path file = fs::path(folder) / "stream";
  stream::StreamWriter writer(file, {{"config", "seed: 1\n"}});
  std::mt19937_64 random(events);
  std::vector<Tuple> tuples(1024);
  for (uint64_t done = 0; done < events; done += tuples.size()) {
    tuples.resize(std::min<uint64_t>(tuples.size(), events - done));
    for (Tuple& tuple : tuples) tuple = {0x10000 + 4 * (random() % 64), random() % 1000, 0};
    writer.add(tuples.data(), tuples.size(), done);
  }
  writer.flush();
  writer.finish({{"events", events}});
  Bytes bytes = content(file.string());
  fs::remove_all(folder);
  return bytes;
}

/// The checksums of all parts made to fit again: the reader looks inside.
Bytes with_checksums(Bytes bytes) {
  size_t at = sizeof stream::kMagic + 4;
  uint32_t text = 0;
  if (bytes.size() < at + 4) return bytes;
  std::memcpy(&text, bytes.data() + at, sizeof text);
  at += 4 + uint64_t{text} + 8;
  while (at < bytes.size() && bytes.size() - at >= sizeof(stream::PartHeader)) {
    stream::PartHeader part;
    std::memcpy(&part, bytes.data() + at, sizeof part);
    const size_t packed = at + sizeof part;
    if (part.packed_bytes > bytes.size() - packed) break;
    part.checksum =
        stream::checksum_of(part, reinterpret_cast<const uint8_t*>(bytes.data()) + packed);
    std::memcpy(bytes.data() + at, &part, sizeof part);
    at = packed + part.packed_bytes;
  }
  return bytes;
}

TEST(StreamAttack, DamagedStreamsAreReadAsFarAsTheyAreWholeOrRefused) {
  const std::vector<Bytes> seeds = {stream_of(0), stream_of(10), stream_of(5000)};
  EXPECT_EQ(attack(rounds(3000, 45000), [&](auto& random) { return mutated(seeds, random); }), "");
}

TEST(StreamAttack, DamageThatTheChecksumsCoverIsNotBelieved) {
  const std::vector<Bytes> seeds = {stream_of(10), stream_of(5000)};
  EXPECT_EQ(attack(rounds(3000, 45000),
                   [&](auto& random) { return with_checksums(mutated(seeds, random)); }),
            "");
}

}  // namespace
}  // namespace strobe::security
