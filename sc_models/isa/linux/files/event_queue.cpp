#include "sc_models/isa/linux/files/event_queue.h"

#include <algorithm>
#include <cerrno>

namespace strobe::isa {
namespace {

constexpr uint32_t kFlags =
    abi::kEpollExclusive | abi::kEpollWakeUp | abi::kEpollOneShot | abi::kEpollEdge;
constexpr uint32_t kAlways = kPollError | kPollHangUp;
constexpr uint32_t kIn = kPollReadable | kPollPeerShut, kOut = kPollWritable;

}  // namespace

void EventQueue::Item::arm(const abi::EpollEvent& event, uint64_t now) {
  wanted = event;
  wanted.events |= kAlways;
  const Readiness state = found();
  seen = state.edges.in;
  queued = state.events != 0 ? now : 0;
}

Readiness EventQueue::Item::found() const {
  const std::shared_ptr<const OpenFile> open = file.lock();
  if (open == nullptr) return {};
  const Readiness state = readiness(*open);
  uint64_t last = 0;
  if ((wanted.events & kIn) != 0) last = std::max(last, state.edges.in);
  if ((wanted.events & kOut) != 0) last = std::max(last, state.edges.out);
  // An end that was closed is told whatever is wanted.
  const bool closed = state.edges.in == Edges::kForGood || state.edges.out == Edges::kForGood;
  return {state.events & wanted.events, {closed ? Edges::kForGood : last, 0}};
}

uint32_t EventQueue::Item::update(uint64_t now) {
  // Disabled by EPOLLONESHOT.
  if ((wanted.events & ~kFlags) == 0) return 0;
  const Readiness state = found();
  if (state.edges.in > seen) {
    seen = state.edges.in;
    if (queued == 0) queued = std::min(seen, now);
  }
  const bool edge = (wanted.events & abi::kEpollEdge) != 0;
  if (state.events == 0) {
    queued = 0;
  } else if (queued == 0 && !edge) {
    queued = now;
  }
  return queued == 0 ? 0 : state.events;
}

std::vector<EventQueue::Item>::iterator EventQueue::find(uint64_t fd, const OpenFile* file) {
  return std::find_if(items_.begin(), items_.end(), [&](const Item& item) {
    return item.fd == fd && item.file.lock().get() == file;
  });
}

int64_t EventQueue::add(uint64_t fd, const std::shared_ptr<OpenFile>& file,
                        const abi::EpollEvent& wanted, uint64_t now) {
  if (find(fd, file.get()) != items_.end()) return -EEXIST;
  Item item{fd, file, {}};
  item.arm(wanted, now);
  items_.push_back(item);
  return 0;
}

int64_t EventQueue::change(uint64_t fd, const OpenFile* file, const abi::EpollEvent& wanted,
                           uint64_t now) {
  const auto item = find(fd, file);
  if (item == items_.end()) return -ENOENT;
  if (((item->wanted.events | wanted.events) & abi::kEpollExclusive) != 0) return -EINVAL;
  item->arm(wanted, now);
  return 0;
}

int64_t EventQueue::remove(uint64_t fd, const OpenFile* file) {
  const auto item = find(fd, file);
  if (item == items_.end()) return -ENOENT;
  items_.erase(item);
  return 0;
}

void EventQueue::collect(uint64_t most, uint64_t now,
                         const std::function<bool(const abi::EpollEvent&)>& take) {
  items_.erase(std::remove_if(items_.begin(), items_.end(),
                              [](const Item& item) { return item.file.expired(); }),
               items_.end());
  for (Item& item : items_) {
    item.update(now);
    item.handed_out = false;
  }
  std::stable_sort(items_.begin(), items_.end(),
                   [](const Item& x, const Item& y) { return x.queued < y.queued; });
  uint64_t taken = 0;
  for (Item& item : items_) {
    if (item.queued == 0 || taken == most) continue;
    if (!take({item.update(now), 0, item.wanted.data})) break;
    ++taken;
    item.handed_out = true;
    const bool once = (item.wanted.events & abi::kEpollOneShot) != 0;
    // What is still ready comes again, after the others.
    item.queued = once || (item.wanted.events & abi::kEpollEdge) != 0 ? 0 : now;
    if (once) item.wanted.events &= kFlags;
  }
  std::stable_partition(items_.begin(), items_.end(),
                        [](const Item& item) { return !item.handed_out; });
}

bool EventQueue::has_events() const {
  return std::any_of(items_.begin(), items_.end(), [](Item item) { return item.update(1) != 0; });
}

}  // namespace strobe::isa
