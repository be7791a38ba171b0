#include "sc_models/isa/linux/files/socket.h"

#include <cerrno>
#include <utility>

namespace strobe::isa {

Socket::~Socket() {
  const std::shared_ptr<Socket> other = peer.lock();
  if (other == nullptr || type == Type::kDatagram) return;
  if (!nothing_to_read()) other->error = ECONNRESET;
  other->read_shut = other->write_shut = true;
}

size_t Socket::room() const {
  const std::shared_ptr<const Socket> other = peer.lock();
  const size_t used = other == nullptr ? 0 : other->queued();
  return used < send_buffer ? send_buffer - used : 0;
}

bool Socket::writable() const { return room() >= send_buffer - send_buffer / 4; }

int Socket::take_error() { return std::exchange(error, 0); }

}  // namespace strobe::isa
