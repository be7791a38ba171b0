#include "sw/stream/stream_writer.h"

#include <fmt/format.h>
#include <zstd.h>

#include <string>

#include "sw/files/temporary.h"
#include "sw/stream/stream_format.h"
#include "sw/text/json_text.h"

namespace strobe::stream {
namespace {

// A faster level does not speed up recording, because the compressing thread waits anyway.
constexpr int kLevel = 1;

/// Does something to the file. Throws StreamError when that fails.
template <class Work>
void to_file(const Work& work) {
  try {
    work();
  } catch (const files::WriteError& error) {
    throw StreamError(fmt::format("{}, or give another name", error.what()));
  }
}

void write_part(files::WholeFile& out, PartHeader part, const uint8_t* raw, size_t size) {
  std::vector<uint8_t> packed(ZSTD_compressBound(size));
  const size_t bytes = ZSTD_compress(packed.data(), packed.size(), raw, size, kLevel);
  if (ZSTD_isError(bytes) != 0) {
    throw StreamError(fmt::format("cannot compress a block: {}", ZSTD_getErrorName(bytes)));
  }
  part.raw_bytes = static_cast<uint32_t>(size);
  part.packed_bytes = static_cast<uint32_t>(bytes);
  part.checksum = checksum_of(part, packed.data());
  to_file([&] {
    out.write(&part, sizeof part);
    out.write(packed.data(), bytes);
  });
}

}  // namespace

StreamWriter::StreamWriter(const std::filesystem::path& file, const nlohmann::json& header) {
  files::sweep_leftovers(std::filesystem::absolute(file).parent_path());
  std::error_code error;
  if (std::filesystem::exists(file, error)) {
    throw StreamError(fmt::format("the stream {} exists: give another name", file.string()));
  }
  const std::string text = text::json_text(header);
  const uint32_t fields[2] = {kVersion, static_cast<uint32_t>(text.size())};
  const uint64_t checksum = checksum_of(text);
  to_file([&] {
    file_.emplace(file);
    file_->write(kMagic, sizeof kMagic);
    file_->write(fields, sizeof fields);
    file_->write(text.data(), text.size());
    file_->write(&checksum, sizeof checksum);
  });
}

StreamWriter::~StreamWriter() {
  if (compressing_.valid()) compressing_.wait();
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
                            [this, part] { write_part(*file_, part, raw_.data(), raw_.size()); });
}

void StreamWriter::finish(const nlohmann::json& footer) {
  flush();
  const std::string text = text::json_text(footer);
  PartHeader part;
  part.mark = kFooterMark;
  part.first_event = events_;
  write_part(*file_, part, reinterpret_cast<const uint8_t*>(text.data()), text.size());
  to_file([this] { file_->finish(); });
}

}  // namespace strobe::stream
