#include "sw/stream/stream_reader.h"

#include <fmt/format.h>
#include <zstd.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "sw/text/json_text.h"
#include "sw/text/limits.h"

namespace strobe::stream {
namespace {

/// A header or a footer. What is no object comes with the reason.
nlohmann::json document(std::string_view text, std::string* why) {
  *why = "expected a JSON object, got another value";
  try {
    return text::json_from(text);
  } catch (const nlohmann::json::exception& error) {
    *why = std::string("expected JSON (") + error.what() + ")";
    return nullptr;
  }
}

}  // namespace

StreamReader::StreamReader(std::istream& in, std::string name) : in_(in), name_(std::move(name)) {
  const auto refuse = [this](const std::string& why) {
    throw StreamError(fmt::format("{}: {}", name_, why));
  };
  char magic[sizeof kMagic];
  uint32_t fields[2] = {};  // version, length of the text in bytes
  if (!read(magic, sizeof magic) || std::memcmp(magic, kMagic, sizeof magic) != 0) {
    refuse("not an event stream: expected a file that strobe record wrote");
  }
  if (!read(fields, sizeof fields)) refuse("its header is cut off: record it again");
  if (fields[0] != kVersion) {
    refuse(fmt::format("expected an event stream of version {}, got version {}: record it again",
                       kVersion, fields[0]));
  }
  std::string text;
  uint64_t checksum = 0;
  const text::Limit& most = text::limits::kStreamBytes;
  if (text::exceeds(most, fields[1]))
    refuse("its header is too large: " + text::excess(most, fields[1]));
  text.resize(fields[1]);
  if (!read(text.data(), text.size()) || !read(&checksum, sizeof checksum)) {
    refuse("its header is cut off: record it again");
  }
  if (checksum != checksum_of(text)) refuse("its header is damaged: record it again");
  std::string why;
  header_ = document(text, &why);
  if (!header_.is_object()) refuse("its header is damaged: " + why + ": record it again");
}

bool StreamReader::read(void* to, size_t size) {
  in_.read(static_cast<char*>(to), static_cast<std::streamsize>(size));
  offset_ += static_cast<uint64_t>(in_.gcount());
  return static_cast<size_t>(in_.gcount()) == size;
}

bool StreamReader::fail(const std::string& what) {
  damage_ = fmt::format("{}: block {} at byte {}: {}", name_, blocks_, part_offset_, what);
  return false;
}

bool StreamReader::unpack(const PartHeader& part, size_t most) {
  if (part.raw_bytes > most || part.packed_bytes > ZSTD_compressBound(most)) {
    return fail(fmt::format("expected at most {} bytes, got a length of {}", most,
                            std::max(part.raw_bytes, part.packed_bytes)));
  }
  // Reads in chunks, so that a false length does not allocate that much memory.
  constexpr size_t kPiece = size_t{1} << 20;
  packed_.clear();
  while (packed_.size() < part.packed_bytes) {
    const size_t before = packed_.size();
    packed_.resize(std::min<size_t>(part.packed_bytes, before + kPiece));
    if (!read(packed_.data() + before, packed_.size() - before)) {
      return fail(fmt::format("the stream ends in the middle of it, at byte {}", offset_));
    }
  }
  const uint64_t checksum = checksum_of(part, packed_.data());
  if (checksum != part.checksum) {
    return fail(fmt::format("its checksum is wrong: expected {:016x}, got {:016x}", part.checksum,
                            checksum));
  }
  raw_.resize(part.raw_bytes);
  const size_t bytes = ZSTD_decompress(raw_.data(), raw_.size(), packed_.data(), packed_.size());
  if (ZSTD_isError(bytes) != 0 || bytes != part.raw_bytes) {
    return fail(
        fmt::format("expected zstd data of {} bytes, got {}", part.raw_bytes,
                    ZSTD_isError(bytes) != 0 ? ZSTD_getErrorName(bytes) : std::to_string(bytes)));
  }
  return true;
}

bool StreamReader::next(Block& block) {
  if (footer_ || !damage_.empty()) return false;
  part_offset_ = offset_;
  PartHeader part;
  if (!read(&part, sizeof part)) {
    return fail(fmt::format("the stream ends without a footer, at byte {}", offset_));
  }
  if (part.mark == kFooterMark && part.first_event == events_) {
    const text::Limit& most = text::limits::kStreamBytes;
    if (text::exceeds(most, part.raw_bytes)) {
      return fail("its footer is too large: " + text::excess(most, part.raw_bytes));
    }
    if (!unpack(part, most.most)) return false;
    std::string why;
    nlohmann::json footer =
        document({reinterpret_cast<const char*>(raw_.data()), raw_.size()}, &why);
    if (!footer.is_object()) return fail("its footer is damaged: " + why);
    footer_ = std::move(footer);
    return false;
  }
  if (part.mark != kBlockMark || part.events == 0 || part.events > kBlockEvents ||
      part.first_event != events_) {
    return fail(
        fmt::format("expected a block that begins with event {}, got mark {:08x}, {} events "
                    "from event {}",
                    events_, part.mark, part.events, part.first_event));
  }
  if (!unpack(part, largest_raw_block())) return false;
  const std::string why = decode_block(raw_.data(), raw_.size(), part.events, block);
  if (!why.empty()) return fail(why);
  block.first_event = part.first_event;
  events_ += part.events;
  ++blocks_;
  return true;
}

}  // namespace strobe::stream
