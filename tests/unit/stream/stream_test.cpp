// What is written is read, and what is damaged is said to be, with its place.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "sw/stream/stream_format.h"
#include "sw/stream/stream_reader.h"
#include "sw/stream/stream_writer.h"

namespace strobe::stream {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr size_t kEvents = 2 * kBlockEvents + 1500;

std::vector<Tuple> some_tuples() {
  std::vector<Tuple> tuples(kEvents);
  for (size_t i = 0; i < kEvents; ++i) tuples[i] = Tuple{0x100 + i % 7 * 4, i * i, 3};
  return tuples;
}

class Stream : public testing::Test {
 protected:
  Stream() : file_(fs::temp_directory_path() / ("strobe-stream-" + std::to_string(getpid()))) {
    fs::remove(file_);
  }
  ~Stream() override { fs::remove(file_); }

  /// Three blocks, the last one short.
  std::string write() {
    StreamWriter writer(file_, {{"of", "a test"}});
    const std::vector<Tuple> tuples = some_tuples();
    for (size_t at = 0; at < kEvents; at += kMarkEvents) {
      writer.add(tuples.data() + at, std::min(kMarkEvents, kEvents - at), at);
    }
    writer.flush();
    EXPECT_THAT(writer.pcs(), testing::SizeIs(7));
    EXPECT_EQ(writer.blocks(), 3u);
    writer.finish({{"events", writer.events()}});
    std::ostringstream bytes;
    bytes << std::ifstream(file_, std::ios::binary).rdbuf();
    return bytes.str();
  }

  struct Read {
    std::vector<Tuple> tuples;
    std::string damage;
    bool footer = false;
  };
  static Read read(const std::string& bytes) {
    std::istringstream in(bytes);
    StreamReader reader(in, "it");
    Read result;
    Block block;
    while (reader.next(block)) {
      EXPECT_EQ(block.first_event, result.tuples.size());
      result.tuples.insert(result.tuples.end(), block.tuples.begin(), block.tuples.end());
    }
    EXPECT_FALSE(reader.next(block));
    EXPECT_EQ(reader.events(), result.tuples.size());
    result.damage = reader.damage();
    result.footer = reader.footer().has_value();
    return result;
  }
  static std::string refusal(const std::string& bytes) {
    try {
      read(bytes);
    } catch (const StreamError& error) {
      return error.what();
    }
    return "none";
  }
  /// Where the parts begin: of the blocks, then of the footer.
  static std::vector<size_t> parts(const std::string& bytes) {
    uint32_t text = 0;
    std::memcpy(&text, bytes.data() + 12, sizeof text);
    std::vector<size_t> result{16 + text + 8};
    while (true) {
      PartHeader part;
      std::memcpy(&part, bytes.data() + result.back(), sizeof part);
      if (part.mark == kFooterMark) return result;
      result.push_back(result.back() + sizeof part + part.packed_bytes);
    }
  }

  fs::path file_;
};

TEST_F(Stream, WhatWasWrittenIsRead) {
  const std::string bytes = write();
  const Read all = read(bytes);
  EXPECT_EQ(all.damage, "");
  EXPECT_TRUE(all.footer);
  EXPECT_EQ(all.tuples, some_tuples());
  std::istringstream in(bytes);
  EXPECT_EQ(StreamReader(in, "it").header(), nlohmann::json({{"of", "a test"}}));
}

TEST_F(Stream, TheSameTuplesGiveTheSameBytes) {
  const std::string once = write();
  fs::remove(file_);
  EXPECT_EQ(write(), once);
}

TEST_F(Stream, CutOffAtAnyPartWhatIsWholeIsUsed) {
  const std::string bytes = write();
  const std::vector<size_t> at = parts(bytes);
  ASSERT_EQ(at.size(), 4u);
  const Read none = read(bytes.substr(0, at[1] - 1));
  EXPECT_EQ(none.tuples.size(), 0u);
  EXPECT_EQ(none.damage, "it: block 0 at byte " + std::to_string(at[0]) +
                             ": the stream ends in the middle of it, at byte " +
                             std::to_string(at[1] - 1));
  const Read two = read(bytes.substr(0, at[2]));
  EXPECT_EQ(two.tuples.size(), 2 * kBlockEvents);
  EXPECT_EQ(two.damage, "it: block 2 at byte " + std::to_string(at[2]) +
                            ": the stream ends without a footer, at byte " + std::to_string(at[2]));
  const Read three = read(bytes.substr(0, bytes.size() - 1));
  EXPECT_EQ(three.tuples.size(), kEvents);
  EXPECT_FALSE(three.footer);
  EXPECT_THAT(three.damage, HasSubstr("block 3 at byte"));
}

TEST_F(Stream, AChangedByteIsFoundByTheChecksum) {
  std::string bytes = write();
  const std::vector<size_t> at = parts(bytes);
  bytes[at[1] + sizeof(PartHeader) + 100] ^= 1;
  const Read one = read(bytes);
  EXPECT_EQ(one.tuples.size(), kBlockEvents);
  EXPECT_THAT(one.damage,
              testing::MatchesRegex("it: block 1 at byte [0-9]+: its checksum is wrong: "
                                    "expected [0-9a-f]+, got [0-9a-f]+"));
}

TEST_F(Stream, ABlockOutOfPlaceIsRefused) {
  std::string bytes = write();
  const std::vector<size_t> at = parts(bytes);
  const std::string without_first = bytes.substr(0, at[0]) + bytes.substr(at[1]);
  EXPECT_THAT(
      read(without_first).damage,
      HasSubstr("expected a block that begins with event 0, got mark 4b4c4253, 65536 events "
                "from event 65536"));
  bytes[at[0]] ^= 1;
  EXPECT_THAT(read(bytes).damage, HasSubstr("got mark 4b4c4252"));
}

TEST_F(Stream, ALengthThatIsALieIsRefused) {
  std::string bytes = write();
  const uint32_t huge = 0x7fffffff;
  std::memcpy(bytes.data() + parts(bytes)[0] + offsetof(PartHeader, raw_bytes), &huge, sizeof huge);
  EXPECT_THAT(read(bytes).damage, testing::ContainsRegex("expected at most [0-9]+ bytes, got a "
                                                         "length of 2147483647"));
}

TEST_F(Stream, DataThatZstdDoesNotKnowIsRefused) {
  std::string bytes = write();
  const size_t at = parts(bytes)[0];
  PartHeader part;
  std::memcpy(&part, bytes.data() + at, sizeof part);
  bytes[at + sizeof part] ^= 0x7f;  // zstd's own magic; the checksum is made to fit
  part.checksum =
      checksum_of(part, reinterpret_cast<const uint8_t*>(bytes.data()) + at + sizeof part);
  std::memcpy(bytes.data() + at, &part, sizeof part);
  EXPECT_THAT(read(bytes).damage,
              testing::ContainsRegex("expected zstd data of [0-9]+ bytes, got "));
}

TEST_F(Stream, WhatIsNoStreamIsRefused) {
  const std::string bytes = write();
  EXPECT_EQ(refusal("elf"), "it: not an event stream: expected a file that strobe record wrote");
  EXPECT_EQ(refusal(bytes.substr(0, 10)), "it: its header is cut off: record it again");
  EXPECT_EQ(refusal(bytes.substr(0, 20)), "it: its header is cut off: record it again");
  std::string newer = bytes;
  newer[8] = 9;
  EXPECT_EQ(refusal(newer),
            "it: expected an event stream of version 1, got version 9: record it again");
  std::string changed = bytes;
  changed[20] ^= 1;
  EXPECT_EQ(refusal(changed), "it: its header is damaged: record it again");
  std::string huge = bytes;
  huge[15] = 0x7f;
  EXPECT_THAT(refusal(huge),
              testing::MatchesRegex("it: its header is too large: expected at most 4194304 "
                                    "bytes in the header and in the footer, got [0-9]+; record it "
                                    "again"));
}

TEST_F(Stream, AStreamThatExistsIsNotReplaced) {
  write();
  try {
    StreamWriter writer(file_, nlohmann::json::object());
    FAIL();
  } catch (const StreamError& error) {
    EXPECT_EQ(std::string(error.what()),
              "the stream " + file_.string() + " exists: give another name");
  }
}

TEST_F(Stream, WithoutItsEndNothingStays) {
  const std::vector<Tuple> tuples = some_tuples();
  {
    StreamWriter writer(file_, nlohmann::json::object());
    writer.add(tuples.data(), kMarkEvents, 0);
  }
  EXPECT_FALSE(fs::exists(file_));
  for (const auto& entry : fs::directory_iterator(file_.parent_path())) {
    EXPECT_THAT(entry.path().filename().string(),
                testing::Not(HasSubstr(file_.filename().string() + ".tmp")));
  }
}

TEST_F(Stream, AFolderThatIsNotThereIsSaid) {
  try {
    StreamWriter writer("/nowhere/at/all.stream", nlohmann::json::object());
    FAIL();
  } catch (const StreamError& error) {
    EXPECT_STREQ(error.what(),
                 "cannot write /nowhere/at/all.stream: No such file or directory; check that "
                 "place, or give another name");
  }
}

}  // namespace
}  // namespace strobe::stream
