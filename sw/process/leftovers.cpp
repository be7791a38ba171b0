#include "sw/process/leftovers.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstddef>
#include <cstring>

namespace strobe {
namespace {

/// A handler reads these while any thread may be changing them: `in_use` rises last and falls
/// first.
struct Slot {
  std::atomic<bool> taken = false, in_use = false;
  pid_t owner = 0;
  pid_t child = 0;  // 0: the slot has a path; negative: a process group
  std::array<char, PATH_MAX> path = {};
};

constexpr size_t kSlots = 64, kNone = kSlots;

std::atomic<bool> placed = false;

std::array<Slot, kSlots>& slots() {
  static std::array<Slot, kSlots> all;
  return all;
}

/// What finds no room is left to the next start (files::sweep_leftovers).
size_t take(pid_t child, const std::string& path) {
  if (path.size() >= PATH_MAX) return kNone;
  for (size_t i = 0; i < kSlots; ++i) {
    Slot& slot = slots()[i];
    if (slot.taken.exchange(true)) continue;
    slot.owner = getpid();
    slot.child = child;
    std::memcpy(slot.path.data(), path.c_str(), path.size() + 1);
    slot.in_use = true;
    return i;
  }
  return kNone;
}

void give_back(size_t index) {
  if (index == kNone) return;
  slots()[index].in_use = false;
  slots()[index].taken = false;
}

void remove_tree(int folder, const char* name, int depth);

/// The names in a folder, read without opendir(), which allocates.
void remove_entries(int folder, int depth) {
  struct Entry {
    ino64_t inode;
    off64_t offset;
    uint16_t size;
    uint8_t type;
    char name[1];
  };
  alignas(Entry) std::array<char, 2048> block;
  // Removing names while reading may pass over some: the folder is read again until it is empty.
  for (int round = 0; round < 100; ++round) {
    bool found = false;
    lseek(folder, 0, SEEK_SET);
    for (long got; (got = syscall(SYS_getdents64, folder, block.data(), block.size())) > 0;) {
      for (long at = 0; at < got;) {
        const auto* entry = reinterpret_cast<const Entry*>(block.data() + at);
        const char* name = block.data() + at + offsetof(Entry, name);
        at += entry->size;
        if (std::strcmp(name, ".") == 0 || std::strcmp(name, "..") == 0) continue;
        found = true;
        remove_tree(folder, name, depth + 1);
      }
    }
    if (!found) return;
  }
}

void remove_tree(int folder, const char* name, int depth) {
  constexpr int kDeepest = 32;
  struct stat status {};
  if (fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) != 0) return;
  if (!S_ISDIR(status.st_mode)) {
    unlinkat(folder, name, 0);
    return;
  }
  const int inner = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (inner >= 0) {
    if (depth < kDeepest) remove_entries(inner, depth);
    close(inner);
  }
  unlinkat(folder, name, AT_REMOVEDIR);
}

}  // namespace

RemovedOnSignal::RemovedOnSignal(const std::string& path) : slot_(take(0, path)) {}
RemovedOnSignal::~RemovedOnSignal() { give_back(slot_); }

EndedOnSignal::EndedOnSignal(pid_t child, bool group) : slot_(take(group ? -child : child, "")) {}
EndedOnSignal::~EndedOnSignal() { give_back(slot_); }

void placing() { placed = true; }
bool has_placed() { return placed; }

void remove_leftovers() {
  const pid_t self = getpid();
  const auto is_own = [self](const Slot& slot) { return slot.in_use && slot.owner == self; };
  for (const Slot& slot : slots()) {
    if (is_own(slot) && slot.child != 0) kill(slot.child, SIGTERM);
  }
  for (const Slot& slot : slots()) {
    if (!is_own(slot) || slot.child == 0) continue;
    const pid_t child = slot.child < 0 ? -slot.child : slot.child;
    while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  for (const Slot& slot : slots()) {
    if (is_own(slot) && slot.child == 0) remove_tree(AT_FDCWD, slot.path.data(), 0);
  }
}

}  // namespace strobe
