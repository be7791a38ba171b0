// Writes an event stream, in constant memory for any length.
#pragma once

#include <cstdint>
#include <filesystem>
#include <future>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <vector>

#include "sw/files/whole_file.h"
#include "sw/stream/block_codec.h"

namespace strobe::stream {

/// Writes a files::WholeFile: without finish() no file remains. A separate thread compresses and
/// writes a block while the next one is gathered.
class StreamWriter {
 public:
  /// @param header  describes the stream's origin; StreamReader::header() returns it Throws
  /// StreamError when the file exists or cannot be made.
  StreamWriter(const std::filesystem::path& file, const nlohmann::json& header);
  ~StreamWriter();
  StreamWriter(const StreamWriter&) = delete;
  StreamWriter& operator=(const StreamWriter&) = delete;

  /// Adds kMarkEvents tuples; fewer only at the end of the stream.
  void add(const Tuple* tuples, size_t count, uint64_t cycles);
  /// Writes the last block. Afterwards pcs() is complete and finish() may be called.
  void flush();
  /// The set of all pcs of the stream.
  const std::set<uint64_t>& pcs() const { return pcs_; }
  uint64_t events() const { return events_; }
  uint64_t blocks() const { return blocks_; }
  /// Writes the footer, brings the file to disk and gives it its name. Throws StreamError when a
  /// part of the file could not be written.
  void finish(const nlohmann::json& footer);

 private:
  void end_block();
  void wait();

  std::optional<files::WholeFile> file_;
  BlockEncoder encoder_;
  std::vector<uint8_t> raw_;  // used by the thread until wait()
  std::future<void> compressing_;
  std::set<uint64_t> pcs_;
  uint64_t events_ = 0, blocks_ = 0;
};

}  // namespace strobe::stream
