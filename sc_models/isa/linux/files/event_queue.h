// What an epoll descriptor watches, and which of it has events.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "sc_models/isa/linux/abi_events.h"
#include "sc_models/isa/linux/files/readiness.h"

namespace strobe::isa {

/// Watched files in the order in which they got their events, as on Linux. An item whose file is
/// closed is gone.
class EventQueue {
 public:
  /// Each of these returns 0 or a negative error number. `now` is the number of the last change.
  int64_t add(uint64_t fd, const std::shared_ptr<OpenFile>& file, const abi::EpollEvent& wanted,
              uint64_t now);
  int64_t change(uint64_t fd, const OpenFile* file, const abi::EpollEvent& wanted, uint64_t now);
  int64_t remove(uint64_t fd, const OpenFile* file);

  /// Hands out at most `most` events. An event that `take` refuses stays, and ends it.
  void collect(uint64_t most, uint64_t now,
               const std::function<bool(const abi::EpollEvent&)>& take);
  bool has_events() const;
  size_t size() const { return items_.size(); }

 private:
  struct Item {
    uint64_t fd;
    std::weak_ptr<const OpenFile> file;
    abi::EpollEvent wanted;
    uint64_t seen = 0;    // the last change of the file that was noticed
    uint64_t queued = 0;  // orders the items that may have events; 0: none until a change
    bool handed_out = false;

    void arm(const abi::EpollEvent& event, uint64_t now);
    /// The wanted events of the file, with the number of its last change among them.
    Readiness found() const;
    /// Notices what changed. Returns the events to hand out; 0: none.
    uint32_t update(uint64_t now);
  };

  std::vector<Item>::iterator find(uint64_t fd, const OpenFile* file);

  std::vector<Item> items_;
};

}  // namespace strobe::isa
