#include "sw/stream/block_codec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <vector>

namespace strobe::stream {
namespace {

std::vector<Tuple> tuples_of_every_length(size_t count) {
  std::mt19937_64 random(7);
  std::vector<Tuple> tuples(count);
  for (size_t i = 0; i < count; ++i) {
    const uint64_t value = random() >> (random() % 64);
    tuples[i] = Tuple{0x10000 + 2 * (random() % 500), random() % 3 == 0 ? 0 - value : value,
                      static_cast<uint8_t>(random() % 16)};
  }
  return tuples;
}

std::vector<uint8_t> encode(BlockEncoder& encoder, const std::vector<Tuple>& tuples) {
  for (size_t at = 0; at < tuples.size(); at += kMarkEvents) {
    encoder.add(tuples.data() + at, std::min(kMarkEvents, tuples.size() - at), 10 * at + 3);
  }
  std::vector<uint8_t> raw;
  encoder.finish(raw);
  return raw;
}

TEST(BlockCodec, WhatWasEncodedComesBack) {
  BlockEncoder encoder;
  for (const size_t count : {size_t{1}, size_t{1023}, size_t{5000}, kBlockEvents}) {
    const std::vector<Tuple> tuples = tuples_of_every_length(count);
    const std::vector<uint8_t> raw = encode(encoder, tuples);
    EXPECT_LE(raw.size(), largest_raw_block());
    Block block;
    ASSERT_EQ(decode_block(raw.data(), raw.size(), count, block), "");
    EXPECT_EQ(block.tuples, tuples);
    ASSERT_EQ(block.cycles.size(), (count + kMarkEvents - 1) / kMarkEvents);
    EXPECT_EQ(block.cycles.back(), 10 * (block.cycles.size() - 1) * kMarkEvents + 3);
  }
}

TEST(BlockCodec, ABlockOfDifferentPcsOnlyFits) {
  std::vector<Tuple> tuples(kBlockEvents);
  for (size_t i = 0; i < tuples.size(); ++i) tuples[i] = Tuple{4 * i, ~uint64_t{0} / (i + 1), 1};
  BlockEncoder encoder;
  const std::vector<uint8_t> raw = encode(encoder, tuples);
  Block block;
  ASSERT_EQ(decode_block(raw.data(), raw.size(), tuples.size(), block), "");
  EXPECT_EQ(block.tuples, tuples);
}

TEST(BlockCodec, ARepeatedValueTakesNoBytes) {
  BlockEncoder encoder;
  const std::vector<Tuple> tuples(kMarkEvents, Tuple{0x1000, 0x123456789abcdef0, 2});
  const size_t once = encode(encoder, {tuples.front()}).size();
  // A number of its site, a length, and nothing else for each that comes back.
  EXPECT_EQ(encode(encoder, tuples).size(), once + 3 * (tuples.size() - 1));
}

TEST(BlockCodec, ColumnsThatDoNotFitAreRefused) {
  BlockEncoder encoder;
  const std::vector<Tuple> tuples = tuples_of_every_length(100);
  const std::vector<uint8_t> raw = encode(encoder, tuples);
  Block block;
  EXPECT_EQ(decode_block(raw.data(), 3, 100, block), "expected columns, got 3 bytes");
  EXPECT_THAT(
      decode_block(raw.data(), 40, 100, block),
      testing::MatchesRegex("expected the columns of 100 events at [0-9]+ sites, got 40 bytes"));
  EXPECT_THAT(
      decode_block(raw.data(), raw.size() - 1, 100, block),
      testing::MatchesRegex("expected event 99 to be of one of [0-9]+ sites and its value to "
                            "fit, got site [0-9]+ and [1-8] bytes"));
  std::vector<uint8_t> longer = raw;
  longer.push_back(0);
  EXPECT_EQ(decode_block(longer.data(), longer.size(), 100, block),
            "expected the values to end with the block, got 1 bytes more");
}

}  // namespace
}  // namespace strobe::stream
