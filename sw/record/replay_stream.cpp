#include "sw/record/replay_stream.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <exception>
#include <fstream>
#include <new>
#include <numeric>

#include "sc_models/watch/observer_group.h"
#include "sw/files/regular_file.h"
#include "sw/files/sha256.h"
#include "sw/record/recorded_run.h"
#include "sw/stream/stream_reader.h"

namespace strobe {
namespace {

/// A file that is hashed as it is read, from its beginning to its end.
class HashedFile final : public std::filebuf {
 public:
  HashedFile() { pubsetbuf(buffer_.data(), static_cast<std::streamsize>(buffer_.size())); }

  /// The hash of the whole file, also of what was not asked for.
  std::string sha256() {
    do setg(eback(), egptr(), egptr());
    while (underflow() != traits_type::eof());
    return hash_.hex();
  }

 protected:
  int_type underflow() override {
    const bool empty = gptr() == egptr();
    const int_type next = std::filebuf::underflow();
    if (empty && next != traits_type::eof()) {
      hash_.add(gptr(), static_cast<size_t>(egptr() - gptr()));
    }
    return next;
  }
  /// Large reads go through the buffer too, where std::filebuf would read past it: so not the
  /// parent is called but its parent, which clang-tidy takes for a slip.
  std::streamsize xsgetn(char* to, std::streamsize size) override {
    return std::streambuf::xsgetn(to, size);  // NOLINT(bugprone-parent-virtual-call)
  }

 private:
  std::vector<char> buffer_ = std::vector<char>(size_t{1} << 18);
  files::Sha256 hash_;
};

/// What the footer knows of the run, or of a damaged stream what the blocks tell.
void read_footer(const stream::StreamReader& reader, uint64_t last_cycles, Replay& replay) {
  replay.events = reader.events();
  replay.damage = reader.damage();
  if (!reader.footer()) {
    replay.outcome.end = platform::RunEnd::kFailed;
    replay.outcome.error = replay.damage;
    replay.outcome.cycles = last_cycles;
    return;
  }
  try {
    replay.outcome = outcome_from_json(reader.footer()->at("outcome"));
    for (const auto& [pc, name] : reader.footer()->at("symbols").items()) {
      replay.symbols[std::stoull(pc, nullptr, 16)] = name.get<std::string>();
    }
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    throw stream::StreamError(
        fmt::format("the footer of the stream was written by another version of Strobe ({}): "
                    "record the stream again",
                    error.what()));
  }
}

}  // namespace

Replay replay_stream(const std::filesystem::path& stream, const std::filesystem::path& profilers,
                     const std::vector<std::string>& sets, const std::function<void()>& opened) {
  const std::string why = files::why_unreadable(stream.string());
  if (!why.empty()) {
    throw stream::StreamError(
        fmt::format("cannot open the stream {}: {}; check its path", stream.string(), why));
  }
  HashedFile file;
  if (file.open(stream, std::ios::in | std::ios::binary) == nullptr) {
    throw stream::StreamError(fmt::format("cannot open the stream {}: {}; check its path",
                                          stream.string(), std::strerror(errno)));
  }
  std::istream in(&file);
  stream::StreamReader reader(in, stream.string());
  Replay replay;
  replay.header = reader.header();
  const auto recorded = replay.header.find("config");
  if (recorded == replay.header.end() || !recorded->is_string()) {
    throw stream::StreamError(
        fmt::format("{}: its header does not contain the configuration of the recorded run: record "
                    "the stream again",
                    stream.string()));
  }
  replay.loaded =
      config::load_replay_config(recorded->get<std::string>(), profilers.string(), sets);
  if (!replay.loaded.good()) return replay;

  const config::RunConfig& configuration = replay.loaded.configuration;
  std::vector<size_t> everyone(configuration.profilers.size());
  std::iota(everyone.begin(), everyone.end(), size_t{0});
  platform::ObserverGroup group(configuration, everyone);
  if (opened) opened();
  // Points of the progress have the cycles of a mark. Without them a whole block at a time: one
  // profiler's table after the other stays in the caches for as long.
  stream::Block block;
  uint64_t cycles = 0;
  while (reader.next(block)) {
    const size_t size = block.tuples.size();
    const size_t step = configuration.progress.every != 0 ? stream::kMarkEvents : size;
    for (size_t first = 0; first < size; first += step) {
      const size_t count = std::min(step, size - first);
      cycles = block.cycles[(first + count - 1) / stream::kMarkEvents];
      group.take(block.tuples.data() + first, count, cycles);
    }
  }
  read_footer(reader, cycles, replay);
  replay.sha256 = file.sha256();
  replay.outcome.profilers.resize(configuration.profilers.size());
  group.finish(replay.outcome.profilers);
  return replay;
}

}  // namespace strobe
