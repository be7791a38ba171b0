// The worst streams and JSON documents up to the limits of their readers.
#include <gtest/gtest.h>
#include <zstd.h>

#include <cstring>
#include <nlohmann/json.hpp>
#include <sstream>

#include "sw/dise/image/image_file.h"
#include "sw/stream/stream_format.h"
#include "sw/stream/stream_reader.h"
#include "sw/text/json_text.h"
#include "tests/security/amplification.h"

namespace strobe::security {
namespace {

constexpr size_t kMebibyte = 1 << 20;

std::string raw(const void* data, size_t size) { return {static_cast<const char*>(data), size}; }
template <class T>
std::string raw(const T& value) {
  return raw(&value, sizeof value);
}

/// A stream with this header.
std::string headed(const std::string& header) {
  return raw(stream::kMagic) + raw(stream::kVersion) + raw(static_cast<uint32_t>(header.size())) +
         header + raw(stream::checksum_of(header));
}

/// A part of a stream that unpacks to `content`.
std::string part_of(uint32_t mark, uint32_t events, uint64_t first, const std::string& content) {
  std::string packed(ZSTD_compressBound(content.size()), '\0');
  packed.resize(ZSTD_compress(packed.data(), packed.size(), content.data(), content.size(), 3));
  stream::PartHeader part;
  part.mark = mark;
  part.events = events;
  part.raw_bytes = static_cast<uint32_t>(content.size());
  part.packed_bytes = static_cast<uint32_t>(packed.size());
  part.first_event = first;
  part.checksum = stream::checksum_of(part, reinterpret_cast<const uint8_t*>(packed.data()));
  return raw(part) + packed;
}

std::string footed(const std::string& footer) {
  return headed("{}") + part_of(stream::kFooterMark, 0, 0, footer);
}

/// What the reader says about a stream.
std::string read_stream(const std::string& bytes) {
  try {
    std::istringstream in(bytes);
    stream::StreamReader reader(in, "t");
    stream::Block block;
    while (reader.next(block)) {
    }
    return reader.damage();
  } catch (const stream::StreamError& error) {
    return error.what();
  }
}

/// Documents of about `bytes` that JSON parsers need much memory for, with what is said of them.
std::vector<std::pair<std::string, std::string>> documents(size_t bytes) {
  const auto filled = [&](const std::string& part) {
    const size_t count = (bytes - 20 - part.size()) / (part.size() + 1);
    return "{\"a\":[" + repeated(part + ",", count) + part + "]}";
  };
  // As many as a document may have.
  const auto most = [](const std::string& part, size_t values) {
    return "{\"a\":[" + repeated(part + ",", 399'990 / values) + part + "]}";
  };
  const std::string values = "expected at most 400000 values, got at least 400001; make it again";
  std::string keys = "{";
  for (int i = 0; keys.size() < bytes - 40; ++i) keys += "\"k" + std::to_string(i) + "\":{},";
  return {{filled("[]"), values},
          {filled("{}"), values},
          {filled("0"), values},
          {filled("\"\""), values},
          {filled("{\"a\":{}}"), values},
          {keys + "\"z\":0}", values},
          {most("[]", 1), ""},
          {most("{}", 1), ""},
          {most("\"\"", 1), ""},
          {most("[[]]", 2), ""},
          {most("{\"a\":{}}", 3), ""},
          {filled("\"" + std::string(20, 'x') + "\""), ""},
          {filled("\"" + std::string(1000, 'x') + "\""), ""},
          {"{\"a\":\"" + std::string(bytes - 20, 'x') + "\"}", ""},
          {filled("\"\\u0041\\u0041\\u0041\\u0041\""), ""},
          {"{\"a\":" + std::string(bytes / 2, '['), "levels of values in values"},
          {"{\"a\":" + repeated("{\"a\":", bytes / 6), "levels of values in values"}};
}

TEST(Amplification, StreamHeaders) {
  for (const auto& [document, sentence] : documents(4 * kMebibyte)) {
    const std::string bytes = headed(document);
    expect_cheap(
        "header " + document.substr(0, 20), [&] { return read_stream(bytes); },
        sentence.empty() ? "the stream ends without a footer" : sentence);
  }
  const std::string large = headed("{\"a\":\"" + std::string(5 * kMebibyte, 'x') + "\"}");
  expect_cheap(
      "a large header", [&] { return read_stream(large); },
      "t: its header is too large: expected at most 4194304 bytes");
}

TEST(Amplification, StreamFooters) {
  for (const auto& [document, sentence] : documents(4 * kMebibyte)) {
    const std::string bytes = footed(document);
    expect_cheap(
        "footer " + document.substr(0, 20), [&] { return read_stream(bytes); }, sentence);
  }
  const std::string large = footed("{\"a\":[" + repeated("0,", 128 * kMebibyte) + "0]}");
  EXPECT_LT(large.size(), 100'000u);
  expect_cheap(
      "a footer of 256 MiB", [&] { return read_stream(large); },
      "its footer is too large: expected at most 4194304 bytes");
}

TEST(Amplification, JsonDocuments) {
  for (const auto& [document, sentence] : documents(8 * kMebibyte)) {
    expect_cheap(
        "JSON " + document.substr(0, 20),
        [&, text = document] {
          try {
            text::json_from(text);
            return std::string();
          } catch (const nlohmann::json::exception& error) {
            return std::string(error.what());
          }
        },
        sentence);
    expect_cheap(
        "image " + document.substr(0, 20),
        [&, text = document] {
          try {
            dise::image_from_json(text);
            return std::string();
          } catch (const std::runtime_error& error) {
            return std::string(error.what());
          }
        },
        sentence.empty() ? "format" : sentence);
  }
}

}  // namespace
}  // namespace strobe::security
