// A pipe inside of the program, which needs nothing of the host.
#pragma once

#include <cstddef>
#include <memory>

#include "sc_models/isa/linux/files/byte_queue.h"
#include "sc_models/isa/linux/files/edges.h"

namespace strobe::isa {

struct OpenFile;

struct Pipe {
  static constexpr size_t kCapacity = 65536;  // bytes, as on Linux
  static constexpr size_t kAtomic = 4096;     // a write of at most so many is done whole or not

  ByteQueue data;
  std::weak_ptr<const OpenFile> in, out;  // the ends: expired when every descriptor is closed
  Edges edges;

  size_t room() const { return kCapacity - data.size(); }
};

}  // namespace strobe::isa
