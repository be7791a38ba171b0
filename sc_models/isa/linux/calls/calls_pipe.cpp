// Pipes, and waiting until a descriptor is ready.
#include <algorithm>
#include <optional>
#include <string>

#include "sc_models/isa/linux/abi_events.h"
#include "sc_models/isa/linux/calls/system_calls.h"
#include "sc_models/isa/linux/files/pipe.h"
#include "sc_models/isa/linux/files/readiness.h"

namespace strobe::isa {
namespace {

constexpr const char* kNoneIsReady = "waits for descriptors of which none is ready";

}  // namespace

int64_t SystemCalls::pipe2(const Args& a) {
  if ((a[1] & ~(abi::kCloseOnExec | abi::kNonblock)) != 0) return -EINVAL;
  const auto pipe = std::make_shared<Pipe>();
  const auto end = [&](uint64_t access) {
    auto file = std::make_shared<OpenFile>();
    file->kind = OpenFile::Kind::kPipe;
    file->flags = access | (a[1] & abi::kNonblock);
    file->pipe = pipe;
    file->output = made_files_;
    return file;
  };
  ++made_files_;
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

uint64_t SystemCalls::files_changed() {
  for (const auto& one : threads_.all()) {
    if (one->waits() && one->wait.files) Threads::wake(*one);
  }
  return ++changes_;
}

int64_t SystemCalls::wait_for_none(uint64_t time, const std::string& what) {
  std::optional<uint64_t> most;
  if (time != 0) {
    abi::Timespec given{};
    if (!memory_.get(given, time)) return -EFAULT;
    if (!abi::is_valid(given)) return -EINVAL;
    most = abi::nanoseconds(given);
  }
  return wait_at_most(most, what, abi::kRestartWithoutHandler);
}

int64_t SystemCalls::wait_at_most(std::optional<uint64_t> nanoseconds, const std::string& what,
                                  int64_t interrupted) {
  const uint64_t end = until(nanoseconds ? later(*nanoseconds) : kForever);
  if (end <= now()) return 0;
  Wait why;
  why.what = what;
  why.until = end;
  why.files = true;
  return wait(why, nanoseconds ? abi::kRestartWithoutHandler : interrupted);
}

int64_t SystemCalls::ppoll(const Args& a) {
  if (a[1] > FileTable::kMost) return -EINVAL;
  std::vector<abi::Poll> polls(a[1]);
  if (!memory_.copy_in(polls.data(), a[0], a[1] * sizeof(abi::Poll))) return -EFAULT;
  if (const int64_t error = use_mask(a[3], a[4])) return error;
  int64_t ready = 0;
  for (abi::Poll& poll : polls) {
    poll.revents = 0;
    if (poll.fd < 0) continue;
    const OpenFile* const file = files_.get(static_cast<uint64_t>(poll.fd));
    const uint32_t found = file == nullptr ? kPollInvalid : readiness(*file).events;
    constexpr uint32_t kAlways = kPollError | kPollHangUp | kPollInvalid;
    poll.revents = static_cast<int16_t>(found & (static_cast<uint16_t>(poll.events) | kAlways));
    ready += poll.revents != 0 ? 1 : 0;
  }
  const int64_t waited = ready > 0 ? ready : wait_for_none(a[2], kNoneIsReady);
  if (waited < 0 || waits()) return waited;
  return memory_.copy_out(a[0], polls.data(), a[1] * sizeof(abi::Poll)) ? waited : -EFAULT;
}

int64_t SystemCalls::pselect6(const Args& a) {
  constexpr uint64_t kBits = 64;
  const uint64_t count = a[0], words = (count + kBits - 1) / kBits;
  if (count > FileTable::kMost) return -EINVAL;
  uint64_t sets[3][FileTable::kMost / kBits] = {};  // in, out, exceptional
  for (unsigned i = 0; i < 3; ++i) {
    if (a[1 + i] != 0 && !memory_.copy_in(sets[i], a[1 + i], 8 * words)) return -EFAULT;
  }
  struct {
    uint64_t address = 0, size = 0;
  } mask;  // the last argument is its address
  if (a[5] != 0 && !memory_.get(mask, a[5])) return -EFAULT;
  if (const int64_t error = use_mask(mask.address, mask.size)) return error;
  int64_t ready = 0;
  constexpr uint32_t kWanted[] = {kPollIn | kPollHangUp | kPollError, kPollOut | kPollError, 0};
  for (uint64_t fd = 0; fd < count; ++fd) {
    const uint64_t word = fd / kBits, bit = uint64_t{1} << (fd % kBits);
    if (((sets[0][word] | sets[1][word] | sets[2][word]) & bit) == 0) continue;
    const OpenFile* const file = files_.get(fd);
    if (file == nullptr) return -EBADF;
    for (unsigned i = 0; i < 3; ++i) {
      if ((sets[i][word] & bit) == 0) continue;
      if ((readiness(*file).events & kWanted[i]) != 0) {
        ++ready;
      } else {
        sets[i][word] &= ~bit;
      }
    }
  }
  const int64_t waited = ready > 0 ? ready : wait_for_none(a[4], kNoneIsReady);
  if (waited < 0 || waits()) return waited;
  for (unsigned i = 0; i < 3; ++i) {
    if (a[1 + i] != 0 && !memory_.copy_out(a[1 + i], sets[i], 8 * words)) return -EFAULT;
  }
  return waited;
}

}  // namespace strobe::isa
