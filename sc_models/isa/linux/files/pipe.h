// A pipe inside of the program, which needs nothing of the host.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

namespace strobe::isa {

struct OpenFile;

struct Pipe {
  static constexpr size_t kCapacity = 65536;  // bytes, as on Linux
  static constexpr size_t kAtomic = 4096;     // a write of at most so many is done whole or not

  std::string data;                       // written and not yet read
  std::weak_ptr<const OpenFile> in, out;  // the ends: expired when every descriptor is closed

  size_t room() const { return kCapacity - data.size(); }
};

}  // namespace strobe::isa
