#include "sc_models/isa/linux/files/file_table.h"

#include <set>

#include "sc_models/isa/linux/abi.h"
#include "sc_models/isa/linux/files/event_queue.h"

namespace strobe::isa {

bool OpenFile::readable() const {
  return (flags & abi::kAccessMode) != abi::kWriteOnly && (flags & abi::kPathOnly) == 0;
}

bool OpenFile::writable() const {
  return (flags & abi::kAccessMode) != abi::kReadOnly && (flags & abi::kPathOnly) == 0;
}

OpenFile* FileTable::get(uint64_t fd) const {
  return fd < slots_.size() ? slots_[fd].file.get() : nullptr;
}

int64_t FileTable::add(std::shared_ptr<OpenFile> file, bool close_on_exec, uint64_t lowest) {
  for (uint64_t fd = lowest; fd < kMost; ++fd) {
    if (get(fd) != nullptr) continue;
    set(fd, std::move(file), close_on_exec);
    return static_cast<int64_t>(fd);
  }
  return -EMFILE;
}

void FileTable::set(uint64_t fd, std::shared_ptr<OpenFile> file, bool close_on_exec) {
  if (fd >= slots_.size()) slots_.resize(fd + 1);
  slots_[fd] = {std::move(file), close_on_exec};
}

std::shared_ptr<OpenFile> FileTable::share(uint64_t fd) const {
  return fd < slots_.size() ? slots_[fd].file : nullptr;
}

size_t FileTable::listed_bytes() const {
  size_t bytes = 0;
  for (const Slot& slot : slots_) {
    if (slot.file == nullptr) continue;
    for (const DirectoryEntry& entry : slot.file->entries) bytes += entry.size();
  }
  return bytes;
}

size_t FileTable::watched() const {
  std::set<const EventQueue*> queues;
  for (const Slot& slot : slots_) {
    if (slot.file != nullptr && slot.file->queue != nullptr) queues.insert(slot.file->queue.get());
  }
  size_t items = 0;
  for (const EventQueue* queue : queues) items += queue->size();
  return items;
}

bool FileTable::close(uint64_t fd) {
  if (get(fd) == nullptr) return false;
  slots_[fd] = {};
  return true;
}

}  // namespace strobe::isa
