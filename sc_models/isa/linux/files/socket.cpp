#include "sc_models/isa/linux/files/socket.h"

#include <cerrno>
#include <utility>

namespace strobe::isa {

Socket::~Socket() {
  space_.release(pages());
  const std::shared_ptr<Socket> other = peer.lock();
  if (other == nullptr || type == Type::kDatagram) return;
  if (!nothing_to_read()) other->error = ECONNRESET;
  other->read_shut = other->write_shut = true;
}

bool Socket::take(const uint8_t* from, size_t size) {
  const uint64_t before = pages();
  const size_t after = queued() + size + (has_messages() ? kMessageCost : 0);
  if (!space_.reserve((after + abi::kPageSize - 1) / abi::kPageSize - before)) return false;
  data.push(from, size);
  if (has_messages()) lengths.push_back(static_cast<uint32_t>(size));
  return true;
}

void Socket::drop(size_t size) {
  const uint64_t before = pages();
  data.drop(has_messages() ? lengths.front() : size);
  if (has_messages()) lengths.pop_front();
  space_.release(before - pages());
}

size_t Socket::room() const {
  const std::shared_ptr<const Socket> other = peer.lock();
  const size_t used = other == nullptr ? 0 : other->queued();
  return used < send_buffer ? send_buffer - used : 0;
}

bool Socket::writable() const { return room() >= send_buffer - send_buffer / 4; }

int Socket::take_error() { return std::exchange(error, 0); }

}  // namespace strobe::isa
