// Pairs of sockets inside of the program: what is sent into one is received from the other.
#include <algorithm>
#include <utility>

#include "sc_models/isa/linux/calls/system_calls.h"
#include "sc_models/isa/linux/files/socket.h"

namespace strobe::isa {
namespace {

constexpr uint64_t kTypeFlags = abi::kCloseOnExec | abi::kNonblock;
constexpr uint64_t kMostParts = 1024;

bool may_wait(const OpenFile& file, uint64_t flags) {
  return (file.flags & abi::kNonblock) == 0 && (flags & abi::kDoNotWait) == 0;
}

}  // namespace

int64_t SystemCalls::socketpair(const Args& a) {
  constexpr uint64_t kRaw = 3, kMostTypes = 10, kInternet = 2, kInternet6 = 10;
  const uint64_t flags = a[1] & kTypeFlags;
  uint64_t type = a[1] & ~kTypeFlags;
  if (type > kMostTypes) return -EINVAL;
  if (a[0] == kInternet || a[0] == kInternet6) return -EOPNOTSUPP;
  if (a[0] != abi::kUnixFamily) return -EAFNOSUPPORT;
  if (a[2] > abi::kUnixFamily) return -EPROTONOSUPPORT;
  if (type == kRaw) type = static_cast<uint64_t>(Socket::Type::kDatagram);  // as Linux does
  if (type != static_cast<uint64_t>(Socket::Type::kStream) &&
      type != static_cast<uint64_t>(Socket::Type::kDatagram) &&
      type != static_cast<uint64_t>(Socket::Type::kPackets)) {
    return -ESOCKTNOSUPPORT;
  }
  const auto one = std::make_shared<Socket>(static_cast<Socket::Type>(type), space_);
  const auto other = std::make_shared<Socket>(one->type, space_);
  one->peer = other;
  other->peer = one;
  int32_t both[2] = {-1, -1};
  const std::shared_ptr<Socket> sockets[2] = {one, other};
  int64_t error = 0;
  for (unsigned i = 0; i < 2 && error == 0; ++i) {
    std::shared_ptr<OpenFile> file;
    const int64_t fd = add_file(OpenFile::Kind::kSocket, flags, &file);
    file->socket = sockets[i];
    both[i] = static_cast<int32_t>(fd);
    error = std::min<int64_t>(fd, 0);
  }
  if (error == 0 && memory_.put(a[3], both)) return 0;
  for (const int32_t fd : both) {
    if (fd >= 0) files_.close(static_cast<uint64_t>(fd));
  }
  return error == 0 ? -EFAULT : error;
}

OpenFile* SystemCalls::get_socket(uint64_t fd, int64_t& error) const {
  OpenFile* const file = files_.get(fd);
  if (file != nullptr && file->kind == OpenFile::Kind::kSocket) return file;
  error = file == nullptr ? -EBADF : -ENOTSOCK;
  return nullptr;
}

int64_t SystemCalls::send(OpenFile& file, const GuestVector& from, uint64_t flags) {
  if ((flags & abi::kOutOfBand) != 0) return -EOPNOTSUPP;
  if (file.socket->has_messages()) return send_message(file, from, flags);
  return write_stream(file, from, flags);
}

int64_t SystemCalls::send_message(OpenFile& file, const GuestVector& from, uint64_t flags) {
  constexpr uint64_t kHead = 32;  // bytes of the buffer that no message gets
  Socket& socket = *file.socket;
  if (from.is_cut()) return -EFAULT;
  if (from.size() > socket.send_buffer - kHead) return -EMSGSIZE;
  if (const int error = socket.take_error()) return -error;
  if (socket.write_shut) return -EPIPE;
  const std::shared_ptr<Socket> to = socket.peer.lock();
  if (to == nullptr) return std::exchange(socket.refused, true) ? -ENOTCONN : -ECONNREFUSED;
  if (to->read_shut) return -EPIPE;
  if (socket.room() == 0) {
    if (!may_wait(file, flags)) return -EAGAIN;
    const int64_t waited =
        wait_at_most(socket.send_time, "sends a message of " + std::to_string(from.size()) +
                                           " bytes into a socket whose buffer is full");
    return waits() || waited != 0 ? waited : -EAGAIN;
  }
  std::vector<uint8_t> data(from.size());
  from.copy_in(data.data(), 0, data.size());
  if (!to->take(data.data(), data.size())) return -ENOBUFS;
  to->edges.in = files_changed();
  return static_cast<int64_t>(data.size());
}

int64_t SystemCalls::receive(OpenFile& file, GuestVector& to, uint64_t flags, uint32_t& told) {
  if ((flags & abi::kOutOfBand) != 0) return -EOPNOTSUPP;
  if (file.socket->has_messages()) return receive_message(file, to, flags, told);
  return receive_stream(file, to, flags);
}

int64_t SystemCalls::receive_stream(OpenFile& file, GuestVector& to, uint64_t flags) {
  Socket& socket = *file.socket;
  const bool peek = (flags & abi::kPeek) != 0;
  if (to.size() <= progress()) return end_transfer(0);
  const size_t got = std::min<size_t>(to.size() - progress(), socket.data.size());
  if (got > 0) {
    to.copy_out(socket.data.first(got).data(), progress(), got);
    if (peek) return static_cast<int64_t>(got);
    socket.drop(got);
    if (const auto peer = socket.peer.lock()) peer->edges.out = files_changed();
    progress() += got;
    const bool enough = (flags & abi::kWaitAll) == 0 || progress() == to.size();
    if (enough || !may_wait(file, flags)) return end_transfer(0);
  }
  if (progress() == 0) {
    if (const int error = socket.take_error()) return -error;
  }
  if (socket.read_shut) return end_transfer(0);
  if (!may_wait(file, flags)) return end_transfer(-EAGAIN);
  const int64_t waited = wait_at_most(socket.receive_time, "reads an empty socket");
  return waits() ? waited : end_transfer(waited == 0 ? -EAGAIN : waited);
}

int64_t SystemCalls::receive_message(OpenFile& file, GuestVector& to, uint64_t flags,
                                     uint32_t& told) {
  Socket& socket = *file.socket;
  if (const int error = socket.take_error()) return -error;
  if (socket.lengths.empty()) {
    // A datagram socket whose reading end is shut tells so only to those that would wait.
    const bool packets = socket.type == Socket::Type::kPackets;
    if (socket.read_shut && (packets || may_wait(file, flags))) return 0;
    if (!may_wait(file, flags)) return -EAGAIN;
    const int64_t waited = wait_at_most(socket.receive_time, "reads an empty socket");
    return waits() || waited != 0 ? waited : -EAGAIN;
  }
  const uint32_t length = socket.lengths.front();
  if (to.is_cut() && length > to.size()) return -EFAULT;
  const uint64_t got = std::min<uint64_t>(length, to.size());
  to.copy_out(socket.data.first(got).data(), 0, got);
  if (got < length) told |= static_cast<uint32_t>(abi::kTruncated);
  if ((flags & abi::kPeek) == 0) {
    socket.drop(length);
    if (const auto peer = socket.peer.lock()) peer->edges.out = files_changed();
  }
  return static_cast<int64_t>((flags & abi::kTruncated) != 0 ? length : got);
}

int64_t SystemCalls::sendto(const Args& a) {
  int64_t error = 0;
  OpenFile* const file = get_socket(a[0], error);
  if (file == nullptr) return error;
  // A name could lead to no other socket.
  if (a[4] != 0 && !file->socket->has_messages()) return -EISCONN;
  if (a[4] != 0 && file->socket->type == Socket::Type::kDatagram) return -ECONNREFUSED;
  const GuestVector from(memory_, {{a[1], a[2]}}, GuestMemory::kRead);
  return from.faults() ? -EFAULT : send(*file, from, a[3]);
}

int64_t SystemCalls::recvfrom(const Args& a) {
  int64_t error = 0;
  OpenFile* const file = get_socket(a[0], error);
  if (file == nullptr) return error;
  GuestVector to(memory_, {{a[1], a[2]}}, GuestMemory::kWrite);
  if (to.faults()) return -EFAULT;
  uint32_t told = 0;
  const int64_t got = receive(*file, to, a[3], told);
  if (got < 0 || waits() || a[4] == 0) return got;
  const int32_t no_name = 0;
  return memory_.put(a[5], no_name) ? got : -EFAULT;
}

int64_t SystemCalls::get_header(uint64_t address, abi::MessageHeader& header,
                                std::vector<abi::IoVector>& parts) const {
  if (!memory_.get(header, address)) return -EFAULT;
  if (header.count > kMostParts) return -EMSGSIZE;
  return get_vector(header.vector, header.count, parts);
}

int64_t SystemCalls::sendmsg(const Args& a) {
  int64_t error = 0;
  OpenFile* const file = get_socket(a[0], error);
  if (file == nullptr) return error;
  abi::MessageHeader header{};
  std::vector<abi::IoVector> parts;
  if ((error = get_header(a[1], header, parts)) != 0) return error;
  if (header.control_size != 0) return -EOPNOTSUPP;
  if (header.name != 0 && header.name_size != 0) {
    if (!file->socket->has_messages()) return -EISCONN;
    if (file->socket->type == Socket::Type::kDatagram) return -ECONNREFUSED;
  }
  const GuestVector from(memory_, parts, GuestMemory::kRead);
  return from.faults() ? -EFAULT : send(*file, from, a[2]);
}

int64_t SystemCalls::recvmsg(const Args& a) {
  int64_t error = 0;
  OpenFile* const file = get_socket(a[0], error);
  if (file == nullptr) return error;
  abi::MessageHeader header{};
  std::vector<abi::IoVector> parts;
  if ((error = get_header(a[1], header, parts)) != 0) return error;
  GuestVector to(memory_, parts, GuestMemory::kWrite);
  if (to.faults()) return -EFAULT;
  uint32_t told = 0;
  const int64_t got = receive(*file, to, a[2], told);
  if (got < 0 || waits()) return got;
  header.name_size = 0;
  header.control_size = 0;
  header.flags = told;
  return memory_.put(a[1], header) ? got : -EFAULT;
}

int64_t SystemCalls::shutdown(const Args& a) {
  constexpr uint64_t kRead = 0, kWrite = 1, kBoth = 2;
  int64_t error = 0;
  OpenFile* const file = get_socket(a[0], error);
  if (file == nullptr) return error;
  if (a[1] > kBoth) return -EINVAL;
  const bool read = a[1] != kWrite, write = a[1] != kRead;
  Socket& socket = *file->socket;
  const Edges now{files_changed(), changes_};
  socket.read_shut |= read;
  socket.write_shut |= write;
  socket.edges = now;
  const std::shared_ptr<Socket> peer = socket.peer.lock();
  if (peer == nullptr || socket.type == Socket::Type::kDatagram) return 0;
  peer->read_shut |= write;
  peer->write_shut |= read;
  peer->edges = now;
  return 0;
}

}  // namespace strobe::isa
