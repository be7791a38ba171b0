// eventfd and epoll.
#include <algorithm>

#include "sc_models/isa/linux/calls/system_calls.h"
#include "sc_models/isa/linux/files/event_counter.h"
#include "sc_models/isa/linux/files/event_queue.h"

namespace strobe::isa {
namespace {

// Descriptors that all epoll descriptors of the program may watch together.
constexpr size_t kMostWatched = 16384;
constexpr uint64_t kMostEvents = INT32_MAX / sizeof(abi::EpollEvent);

}  // namespace

int64_t SystemCalls::add_file(OpenFile::Kind kind, uint64_t flags,
                              std::shared_ptr<OpenFile>* made) {
  auto file = std::make_shared<OpenFile>();
  file->kind = kind;
  file->flags = abi::kReadWrite | (flags & abi::kNonblock);
  file->output = made_files_++;
  if (made != nullptr) *made = file;
  return files_.add(std::move(file), (flags & abi::kCloseOnExec) != 0);
}

int64_t SystemCalls::eventfd2(const Args& a) {
  constexpr uint64_t kSemaphore = 1;
  if ((a[1] & ~(kSemaphore | abi::kCloseOnExec | abi::kNonblock)) != 0) return -EINVAL;
  std::shared_ptr<OpenFile> file;
  const int64_t fd = add_file(OpenFile::Kind::kEventCounter, a[1], &file);
  file->counter = std::make_shared<EventCounter>();
  file->counter->value = static_cast<uint32_t>(a[0]);
  file->counter->semaphore = (a[1] & kSemaphore) != 0;
  return fd;
}

int64_t SystemCalls::epoll_create1(const Args& a) {
  if ((a[0] & ~abi::kCloseOnExec) != 0) return -EINVAL;
  std::shared_ptr<OpenFile> file;
  const int64_t fd = add_file(OpenFile::Kind::kEventQueue, a[0], &file);
  file->queue = std::make_shared<EventQueue>();
  return fd;
}

int64_t SystemCalls::epoll_ctl(const Args& a) {
  constexpr uint32_t kWithExclusive = kPollIn | kPollOut | kPollError | kPollHangUp |
                                      abi::kEpollExclusive | abi::kEpollWakeUp | abi::kEpollEdge;
  abi::EpollEvent wanted{};
  if (a[1] != abi::kEpollRemove && !memory_.get(wanted, a[3])) return -EFAULT;
  const OpenFile* const epoll = files_.get(a[0]);
  const std::shared_ptr<OpenFile> file = files_.share(a[2]);
  if (epoll == nullptr || file == nullptr) return -EBADF;
  if (!can_be_watched(*file)) return -EPERM;
  if (epoll->kind != OpenFile::Kind::kEventQueue || epoll == file.get()) return -EINVAL;
  if (file->kind == OpenFile::Kind::kEventQueue) return -ELOOP;
  if ((wanted.events & abi::kEpollExclusive) != 0 && (wanted.events & ~kWithExclusive) != 0) {
    return -EINVAL;
  }
  const uint64_t now = files_changed();
  switch (a[1]) {
    case abi::kEpollAdd:
      if (files_.watched() >= kMostWatched) return -ENOSPC;
      return epoll->queue->add(a[2], file, wanted, now);
    case abi::kEpollRemove:
      return epoll->queue->remove(a[2], file.get());
    case abi::kEpollChange:
      return epoll->queue->change(a[2], file.get(), wanted, now);
    default:
      return -EINVAL;
  }
}

/// @param wait  waits as long as the call asks for
int64_t SystemCalls::wait_for_events(uint64_t fd, uint64_t events, uint64_t most,
                                     const std::function<int64_t(const std::string& what)>& wait) {
  if (most == 0 || most > kMostEvents) return -EINVAL;
  const OpenFile* const file = files_.get(fd);
  if (file == nullptr) return -EBADF;
  if (file->kind != OpenFile::Kind::kEventQueue) return -EINVAL;
  int64_t count = 0;
  bool refused = false;
  file->queue->collect(most, changes_, [&](const abi::EpollEvent& event) {
    const uint64_t to = events + static_cast<uint64_t>(count) * sizeof event;
    refused = !memory_.put(to, event);
    count += refused ? 0 : 1;
    return !refused;
  });
  if (count > 0) return count;
  if (refused) return -EFAULT;
  return wait("waits for an event of descriptor " + std::to_string(fd));
}

int64_t SystemCalls::epoll_pwait(const Args& a) {
  const auto milliseconds = static_cast<int32_t>(a[3]);
  if (const int64_t error = use_mask(a[4], a[5])) return error;
  return wait_for_events(a[0], a[1], static_cast<uint32_t>(a[2]), [&](const std::string& what) {
    std::optional<uint64_t> most;
    if (milliseconds >= 0) most = uint64_t{1'000'000} * static_cast<uint32_t>(milliseconds);
    return wait_at_most(most, what, abi::kRestartWithoutHandler);
  });
}

int64_t SystemCalls::epoll_pwait2(const Args& a) {
  if (const int64_t error = use_mask(a[4], a[5])) return error;
  return wait_for_events(a[0], a[1], static_cast<uint32_t>(a[2]),
                         [&](const std::string& what) { return wait_for_none(a[3], what); });
}

}  // namespace strobe::isa
