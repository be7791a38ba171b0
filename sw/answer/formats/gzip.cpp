#include "sw/answer/formats/gzip.h"

#include <zlib.h>

#include <algorithm>
#include <stdexcept>
#include <string>

namespace strobe::answer {
namespace {

constexpr int kGzip = 16, kWindow = 15;

}  // namespace

std::string gzip(const std::string& text) {
  constexpr int kMemory = 8;
  z_stream stream{};
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kWindow + kGzip, kMemory,
                   Z_DEFAULT_STRATEGY) != Z_OK) {
    throw std::runtime_error("zlib cannot start: not enough memory");
  }
  std::string out(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  const int end = deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  if (end != Z_STREAM_END) throw std::runtime_error("zlib cannot compress the profile");
  return out;
}

std::string gunzip(const std::string& bytes, size_t most) {
  z_stream stream{};
  if (inflateInit2(&stream, kWindow + kGzip) != Z_OK) {
    throw std::runtime_error("zlib with enough memory");
  }
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  std::string text;
  int end = Z_OK;
  while (end == Z_OK && text.size() <= most) {
    char part[1 << 16];
    stream.next_out = reinterpret_cast<Bytef*>(part);
    stream.avail_out = static_cast<uInt>(std::min(sizeof part, most + 1 - text.size()));
    const uInt room = stream.avail_out;
    end = inflate(&stream, Z_NO_FLUSH);
    text.append(part, room - stream.avail_out);
  }
  inflateEnd(&stream);
  if (text.size() > most) return text;
  if (end != Z_STREAM_END) throw std::runtime_error("a whole gzip file");
  return text;
}

}  // namespace strobe::answer
