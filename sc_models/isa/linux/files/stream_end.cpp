#include "sc_models/isa/linux/files/stream_end.h"

#include "sc_models/isa/linux/files/pipe.h"
#include "sc_models/isa/linux/files/socket.h"

namespace strobe::isa {

bool is_broken(const OpenFile& file) {
  if (file.kind == OpenFile::Kind::kPipe) return file.pipe->out.expired();
  return file.socket->write_shut || file.socket->peer.expired();
}

size_t room_of(const OpenFile& file) {
  return file.kind == OpenFile::Kind::kPipe ? file.pipe->room() : file.socket->room();
}

bool push(OpenFile& file, const uint8_t* data, size_t size, uint64_t now) {
  if (file.kind == OpenFile::Kind::kPipe) {
    file.pipe->data.push(data, size);
    file.pipe->edges.in = now;
    return true;
  }
  const std::shared_ptr<Socket> to = file.socket->peer.lock();
  if (!to->take(data, size)) return false;
  to->edges.in = now;
  return true;
}

}  // namespace strobe::isa
