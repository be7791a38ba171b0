// Writes an event stream: constant memory, whatever its length.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <future>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "sw/stream/block_codec.h"

namespace strobe::stream {

/// Everything goes to a hidden sibling, which finish() renames; without finish() nothing stays.
/// Blocks are compressed and written by a thread of their own while the next one is gathered.
class StreamWriter {
 public:
  /// @param header  what the stream is of; StreamReader::header() returns it
  /// Throws StreamError when the file exists or cannot be made.
  StreamWriter(const std::filesystem::path& file, const nlohmann::json& header);
  ~StreamWriter();
  StreamWriter(const StreamWriter&) = delete;
  StreamWriter& operator=(const StreamWriter&) = delete;

  /// At most kMarkEvents tuples, less only at the end of the stream.
  void add(const Tuple* tuples, size_t count, uint64_t cycles);
  /// The last block. Then pcs() is complete and finish() may follow.
  void flush();
  /// Every pc of the stream.
  const std::set<uint64_t>& pcs() const { return pcs_; }
  uint64_t events() const { return events_; }
  uint64_t blocks() const { return blocks_; }
  /// The footer. Throws StreamError when something could not be written.
  void finish(const nlohmann::json& footer);

 private:
  void end_block();
  void wait();

  std::filesystem::path file_, temporary_;
  std::ofstream out_;
  BlockEncoder encoder_;
  std::vector<uint8_t> raw_;  // of the thread, until wait()
  std::future<void> compressing_;
  std::set<uint64_t> pcs_;
  uint64_t events_ = 0, blocks_ = 0;
};

}  // namespace strobe::stream
