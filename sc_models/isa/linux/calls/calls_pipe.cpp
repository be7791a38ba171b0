// Pipes, and waiting until a descriptor is ready.
#include <algorithm>
#include <string>

#include "sc_models/isa/linux/calls/signals.h"
#include "sc_models/isa/linux/calls/system_calls.h"
#include "sc_models/isa/linux/files/pipe.h"

namespace strobe::isa {
namespace {

struct Poll {
  int32_t fd;
  int16_t events, revents;
};
constexpr int16_t kPollIn = 0x1, kPollOut = 0x4, kPollError = 0x8, kPollHangUp = 0x10,
                  kPollInvalid = 0x20, kPollNormal = 0x40 | 0x100;  // "normal" twins of in and out

/// What of POLLIN and POLLOUT, POLLERR and POLLHUP is true of an open file.
int16_t readiness(const OpenFile& file) {
  constexpr int16_t kBoth = kPollIn | kPollOut;
  if (file.kind == OpenFile::Kind::kTimer) return file.timer->expirations != 0 ? kPollIn : 0;
  if (file.kind != OpenFile::Kind::kPipe) return kBoth;
  const Pipe& pipe = *file.pipe;
  if (file.readable()) {
    return static_cast<int16_t>((pipe.data.empty() ? 0 : kPollIn) |
                                (pipe.in.expired() ? kPollHangUp : 0));
  }
  return static_cast<int16_t>((pipe.room() >= Pipe::kAtomic ? kPollOut : 0) |
                              (pipe.out.expired() ? kPollError : 0));
}

}  // namespace

int64_t SystemCalls::pipe2(const Args& a) {
  if ((a[1] & ~(abi::kCloseOnExec | abi::kNonblock)) != 0) return -EINVAL;
  const auto pipe = std::make_shared<Pipe>();
  const auto end = [&](uint64_t access) {
    auto file = std::make_shared<OpenFile>();
    file->kind = OpenFile::Kind::kPipe;
    file->flags = access | (a[1] & abi::kNonblock);
    file->pipe = pipe;
    file->output = pipes_;
    return file;
  };
  ++pipes_;
  const auto out = end(abi::kReadOnly), in = end(abi::kWriteOnly);
  pipe->out = out;
  pipe->in = in;
  const bool close_on_exec = (a[1] & abi::kCloseOnExec) != 0;
  const int64_t from = files_.add(out, close_on_exec);
  const int64_t to = from < 0 ? from : files_.add(in, close_on_exec);
  const int32_t both[2] = {static_cast<int32_t>(from), static_cast<int32_t>(to)};
  if (to >= 0 && memory_.put(a[0], both)) return 0;
  if (from >= 0) files_.close(static_cast<uint64_t>(from));
  if (to >= 0) files_.close(static_cast<uint64_t>(to));
  return to < 0 ? to : -EFAULT;
}

int64_t SystemCalls::read_pipe(OpenFile& file, uint64_t address, uint8_t* data, uint64_t size) {
  Pipe& pipe = *file.pipe;
  if (pipe.data.empty()) {
    if (pipe.in.expired()) return 0;
    if ((file.flags & abi::kNonblock) != 0) return -EAGAIN;
    return wait_for_files("reads an empty pipe", kForever, abi::kRestart);
  }
  const size_t got = std::min<size_t>(size, pipe.data.size());
  pipe.data.copy(reinterpret_cast<char*>(data), got);
  pipe.data.erase(0, got);
  memory_.wrote(address, got);
  files_changed();
  return static_cast<int64_t>(got);
}

int64_t SystemCalls::write_pipe(OpenFile& file, const uint8_t* data, uint64_t size) {
  Pipe& pipe = *file.pipe;
  if (pipe.out.expired()) {
    send_signal_to_itself(kSigPipe);
    return -EPIPE;
  }
  const bool fits = size <= pipe.room();
  const bool atomic = size <= Pipe::kAtomic && thread().call.done == 0;
  const size_t taken = fits ? size : atomic ? 0 : pipe.room();
  pipe.data.append(reinterpret_cast<const char*>(data), taken);
  if (taken != 0) files_changed();
  if (fits) return static_cast<int64_t>(taken);
  int64_t waited = -EAGAIN;
  if ((file.flags & abi::kNonblock) == 0) {
    waited = wait_for_files("writes " + std::to_string(size - taken) +
                                " bytes into a pipe with room for " + std::to_string(pipe.room()),
                            kForever, abi::kRestart);
  }
  return taken == 0 ? waited : static_cast<int64_t>(taken);
}

int64_t SystemCalls::wait_for_files(const std::string& what, uint64_t end, int64_t interrupted) {
  Wait why;
  why.what = what;
  why.until = until(end);
  why.files = true;
  return wait(why, interrupted);
}

/// A wait for descriptors of which none is ready: 0 after a time-out.
/// @param time  address of the time-out; 0: none
int64_t SystemCalls::wait_for_none(uint64_t time) {
  uint64_t end = kForever;
  if (const int64_t error = get_deadline(time, &end)) return error;
  if (until(end) <= now()) return 0;
  return wait_for_files("waits for descriptors of which none is ready", end);
}

int64_t SystemCalls::ppoll(const Args& a) {
  if (a[1] > FileTable::kMost) return -EINVAL;
  std::vector<Poll> polls(a[1]);
  if (!memory_.copy_in(polls.data(), a[0], a[1] * sizeof(Poll))) return -EFAULT;
  int64_t ready = 0;
  for (Poll& poll : polls) {
    poll.revents = 0;
    if (poll.fd < 0) continue;
    const OpenFile* const file = files_.get(static_cast<uint64_t>(poll.fd));
    int16_t found = file == nullptr ? kPollInvalid : readiness(*file);
    if ((found & (kPollIn | kPollOut)) != 0) found = static_cast<int16_t>(found | kPollNormal);
    constexpr int kAlways = kPollError | kPollHangUp | kPollInvalid;
    poll.revents = static_cast<int16_t>(found & (poll.events | kAlways));
    ready += poll.revents != 0 ? 1 : 0;
  }
  if (!memory_.copy_out(a[0], polls.data(), a[1] * sizeof(Poll))) return -EFAULT;
  return ready > 0 ? ready : wait_for_none(a[2]);
}

int64_t SystemCalls::pselect6(const Args& a) {
  constexpr uint64_t kBits = 64;
  const uint64_t count = a[0], words = (count + kBits - 1) / kBits;
  if (count > FileTable::kMost) return -EINVAL;
  uint64_t sets[3][FileTable::kMost / kBits] = {};  // in, out, exceptional
  for (unsigned i = 0; i < 3; ++i) {
    if (a[1 + i] != 0 && !memory_.copy_in(sets[i], a[1 + i], 8 * words)) return -EFAULT;
  }
  int64_t ready = 0;
  constexpr int kWanted[] = {kPollIn | kPollHangUp, kPollOut | kPollError, 0};
  for (uint64_t fd = 0; fd < count; ++fd) {
    const uint64_t word = fd / kBits, bit = uint64_t{1} << (fd % kBits);
    if (((sets[0][word] | sets[1][word] | sets[2][word]) & bit) == 0) continue;
    const OpenFile* const file = files_.get(fd);
    if (file == nullptr) return -EBADF;
    for (unsigned i = 0; i < 3; ++i) {
      if ((sets[i][word] & bit) == 0) continue;
      if ((readiness(*file) & kWanted[i]) != 0) {
        ++ready;
      } else {
        sets[i][word] &= ~bit;
      }
    }
  }
  const int64_t waited = ready > 0 ? ready : wait_for_none(a[4]);
  if (waited < 0 || stopped()) return waited;
  for (unsigned i = 0; i < 3; ++i) {
    if (a[1 + i] != 0 && !memory_.copy_out(a[1 + i], sets[i], 8 * words)) return -EFAULT;
  }
  return waited;
}

}  // namespace strobe::isa
