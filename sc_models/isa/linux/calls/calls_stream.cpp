// Pipes, counters of eventfd, timers and streams of sockets: reading what there is, writing where
// there is room, and waiting.
#include <algorithm>
#include <utility>

#include "sc_models/isa/linux/calls/system_calls.h"
#include "sc_models/isa/linux/files/event_counter.h"
#include "sc_models/isa/linux/files/pipe.h"
#include "sc_models/isa/linux/files/socket.h"
#include "sc_models/isa/linux/files/stream_end.h"

namespace strobe::isa {

int64_t SystemCalls::end_transfer(int64_t result) {
  const uint64_t done = std::exchange(progress(), 0);
  return done > 0 ? static_cast<int64_t>(done) : result;
}

int64_t SystemCalls::transfer_stream(bool out, OpenFile& file,
                                     const std::vector<abi::IoVector>& parts) {
  GuestVector bytes(memory_, parts, out ? GuestMemory::kRead : GuestMemory::kWrite);
  if (bytes.faults()) return -EFAULT;
  switch (file.kind) {
    case OpenFile::Kind::kEventCounter:
      return out ? write_counter(file, bytes) : read_counter(file, bytes);
    case OpenFile::Kind::kTimer:
      return out ? -EINVAL : read_timer(file, bytes);
    case OpenFile::Kind::kSocket: {
      if (out) return send(file, bytes, 0);
      uint32_t told = 0;
      return bytes.size() == 0 ? 0 : receive(file, bytes, 0, told);
    }
    default:
      if (bytes.size() == 0) return 0;
      return out ? write_stream(file, bytes, 0) : read_pipe(file, bytes);
  }
}

int64_t SystemCalls::read_pipe(OpenFile& file, GuestVector& to) {
  Pipe& pipe = *file.pipe;
  if (pipe.data.empty()) {
    if (pipe.in.expired()) return 0;
    if ((file.flags & abi::kNonblock) != 0) return -EAGAIN;
    return wait_at_most(std::nullopt, "reads an empty pipe");
  }
  const size_t got = std::min<size_t>(to.size(), pipe.data.size());
  to.copy_out(pipe.data.first(got).data(), 0, got);
  pipe.data.drop(got);
  pipe.edges.out = files_changed();
  return static_cast<int64_t>(got);
}

/// Writes into a pipe or a stream of sockets. A write that waits goes on where it was.
/// @param flags  those of a message
int64_t SystemCalls::write_stream(OpenFile& file, const GuestVector& from, uint64_t flags) {
  const bool pipe = file.kind == OpenFile::Kind::kPipe;
  if (is_broken(file)) {
    if (progress() == 0 && (flags & abi::kNoSignal) == 0) send_signal_to_itself(abi::kSigPipe);
    return end_transfer(-EPIPE);
  }
  if (from.size() <= progress()) return end_transfer(0);
  const bool may_wait = (file.flags & abi::kNonblock) == 0 && (flags & abi::kDoNotWait) == 0;
  const bool whole = pipe && from.size() <= Pipe::kAtomic;
  const uint64_t left = from.size() - progress();
  const size_t room = room_of(file);
  if (left <= room || (room > 0 && !whole)) {
    std::vector<uint8_t> data(std::min<uint64_t>(left, room));
    from.copy_in(data.data(), progress(), data.size());
    if (!push(file, data.data(), data.size(), files_changed())) return end_transfer(-ENOBUFS);
    progress() += data.size();
    if (left <= room || !may_wait) return end_transfer(0);
  }
  if (!may_wait) return end_transfer(-EAGAIN);
  const int64_t waited =
      wait_at_most(pipe ? std::nullopt : file.socket->send_time,
                   "writes " + std::to_string(left) + " bytes into a " +
                       (pipe ? "pipe" : "socket") + " with room for " + std::to_string(room));
  return waits() ? waited : end_transfer(waited == 0 ? -EAGAIN : waited);
}

int64_t SystemCalls::read_counter(OpenFile& file, GuestVector& to) {
  EventCounter& counter = *file.counter;
  uint64_t value = counter.semaphore ? 1 : counter.value;
  if (to.size() < sizeof value) return -EINVAL;
  if (counter.value == 0) {
    if ((file.flags & abi::kNonblock) != 0) return -EAGAIN;
    return wait_at_most(std::nullopt, "reads an eventfd whose counter is 0");
  }
  counter.value -= value;
  to.copy_out(reinterpret_cast<const uint8_t*>(&value), 0, sizeof value);
  counter.edges.out = files_changed();
  return sizeof value;
}

int64_t SystemCalls::write_counter(OpenFile& file, const GuestVector& from) {
  EventCounter& counter = *file.counter;
  uint64_t value = 0;
  if (from.size() < sizeof value) return -EINVAL;
  from.copy_in(reinterpret_cast<uint8_t*>(&value), 0, sizeof value);
  if (value > EventCounter::kMost) return -EINVAL;
  if (value > EventCounter::kMost - counter.value) {
    if ((file.flags & abi::kNonblock) != 0) return -EAGAIN;
    return wait_at_most(std::nullopt, "adds " + std::to_string(value) +
                                          " to an eventfd whose counter is " +
                                          std::to_string(counter.value));
  }
  counter.value += value;
  counter.edges.in = files_changed();
  return sizeof value;
}

}  // namespace strobe::isa
