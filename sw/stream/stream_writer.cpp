#include "sw/stream/stream_writer.h"

#include <fmt/format.h>
#include <zstd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "sw/files/advice.h"
#include "sw/files/temporary.h"
#include "sw/stream/stream_format.h"
#include "sw/text/json_text.h"

namespace strobe::stream {
namespace {

// A faster level does not speed up recording, because the compressing thread waits anyway.
constexpr int kLevel = 1;

template <class T>
void write(std::ofstream& out, const T* data, size_t size) {
  out.write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
}

void write_part(std::ofstream& out, PartHeader part, const uint8_t* raw, size_t size) {
  std::vector<uint8_t> packed(ZSTD_compressBound(size));
  const size_t bytes = ZSTD_compress(packed.data(), packed.size(), raw, size, kLevel);
  if (ZSTD_isError(bytes) != 0) {
    throw StreamError(fmt::format("cannot compress a block: {}", ZSTD_getErrorName(bytes)));
  }
  part.raw_bytes = static_cast<uint32_t>(size);
  part.packed_bytes = static_cast<uint32_t>(bytes);
  part.checksum = checksum_of(part, packed.data());
  write(out, &part, sizeof part);
  write(out, packed.data(), bytes);
}

}  // namespace

StreamWriter::StreamWriter(const std::filesystem::path& file, const nlohmann::json& header)
    : file_(file), temporary_(files::temporary_of(file)) {
  files::sweep_leftovers(std::filesystem::absolute(file).parent_path());
  std::error_code error;
  if (std::filesystem::exists(file_, error)) {
    throw StreamError(fmt::format("the stream {} exists: give another name", file_.string()));
  }
  out_.open(temporary_, std::ios::binary);
  if (!out_) {
    throw StreamError(fmt::format("cannot make {}: {}; {}, or give another name",
                                  temporary_.string(), std::strerror(errno),
                                  files::advice_for(errno)));
  }
  const std::string text = text::json_text(header);
  const uint32_t fields[2] = {kVersion, static_cast<uint32_t>(text.size())};
  const uint64_t checksum = checksum_of(text);
  write(out_, kMagic, sizeof kMagic);
  write(out_, fields, sizeof fields);
  write(out_, text.data(), text.size());
  write(out_, &checksum, sizeof checksum);
}

StreamWriter::~StreamWriter() {
  if (compressing_.valid()) compressing_.wait();
  std::error_code ignored;
  if (!temporary_.empty()) std::filesystem::remove(temporary_, ignored);
}

void StreamWriter::add(const Tuple* tuples, size_t count, uint64_t cycles) {
  encoder_.add(tuples, count, cycles);
  if (encoder_.events() == kBlockEvents) end_block();
}

void StreamWriter::flush() {
  if (encoder_.events() > 0) end_block();
  wait();
}

void StreamWriter::wait() {
  if (compressing_.valid()) compressing_.get();
  if (!out_) {
    throw StreamError(fmt::format("cannot write {}: {}; {}, or give another name", file_.string(),
                                  std::strerror(errno), files::advice_for(errno)));
  }
}

void StreamWriter::end_block() {
  wait();
  PartHeader part;
  part.mark = kBlockMark;
  part.events = static_cast<uint32_t>(encoder_.events());
  part.first_event = events_;
  for (const Tuple& site : encoder_.sites()) pcs_.insert(site.pc);
  events_ += encoder_.events();
  ++blocks_;
  encoder_.finish(raw_);
  compressing_ = std::async(std::launch::async,
                            [this, part] { write_part(out_, part, raw_.data(), raw_.size()); });
}

void StreamWriter::finish(const nlohmann::json& footer) {
  flush();
  const std::string text = text::json_text(footer);
  PartHeader part;
  part.mark = kFooterMark;
  part.first_event = events_;
  write_part(out_, part, reinterpret_cast<const uint8_t*>(text.data()), text.size());
  out_.close();
  if (!out_) {
    throw StreamError(fmt::format("cannot write {}: {}; {}, or give another name", file_.string(),
                                  std::strerror(errno), files::advice_for(errno)));
  }
  std::error_code error;
  std::filesystem::rename(temporary_, file_, error);
  if (error) {
    throw StreamError(fmt::format("cannot rename {} to {}: {}", temporary_.string(), file_.string(),
                                  error.message()));
  }
  temporary_.clear();
}

}  // namespace strobe::stream
