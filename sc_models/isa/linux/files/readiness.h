// What a program that waits for a descriptor may find: the one place that knows it for each kind of
// open file, for ppoll, pselect6 and epoll.
#pragma once

#include <cstdint>

#include "sc_models/isa/linux/files/edges.h"
#include "sc_models/isa/linux/files/file_table.h"

namespace strobe::isa {

// Events, with Linux's numbers.
constexpr uint32_t kPollIn = 0x1, kPollOut = 0x4, kPollError = 0x8, kPollHangUp = 0x10,
                   kPollInvalid = 0x20, kPollInNormal = 0x40, kPollOutNormal = 0x100,
                   kPollPeerShut = 0x2000;
// Most files tell the "normal" twins of in and out with them.
constexpr uint32_t kPollReadable = kPollIn | kPollInNormal,
                   kPollWritable = kPollOut | kPollOutNormal;

struct Readiness {
  uint32_t events = 0;
  Edges edges;
};

Readiness readiness(const OpenFile& file);

/// Whether a program can wait for the file: not for those that are always ready.
bool can_be_watched(const OpenFile& file);

}  // namespace strobe::isa
