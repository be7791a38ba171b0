// One of two sockets that are connected with each other inside of the program.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>

#include "sc_models/isa/linux/abi.h"
#include "sc_models/isa/linux/address_space.h"
#include "sc_models/isa/linux/files/byte_queue.h"
#include "sc_models/isa/linux/files/edges.h"

namespace strobe::isa {

struct Socket {
  enum class Type : uint8_t { kStream = 1, kDatagram = 2, kPackets = 5 };  // as in SOCK_*
  static constexpr size_t kDefaultBuffer = 212'992;                        // bytes, as on Linux
  // What a message counts in addition to its bytes, so that empty ones fill the buffer too. One of
  // one byte counts 768 in all, as on Linux.
  static constexpr size_t kMessageCost = 767;

  /// What waits to be read counts against the limit of `space`, which must live longer.
  Socket(Type of_type, AddressSpace& of_space) : type(of_type), space_(of_space) {}
  ~Socket();
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;

  bool has_messages() const { return type != Type::kStream; }
  bool nothing_to_read() const { return has_messages() ? lengths.empty() : data.empty(); }
  /// Takes bytes that the peer sent: a message, or the next of a stream. Returns false when the
  /// program's memory is exhausted.
  bool take(const uint8_t* from, size_t size);
  /// Removes the oldest message, or `size` bytes of a stream.
  void drop(size_t size);
  /// What the data that waits here counts against the sender's buffer.
  size_t queued() const { return data.size() + lengths.size() * kMessageCost; }
  /// How much the peer's buffer may still take: 0 when the sender has to wait.
  size_t room() const;
  /// Linux calls a socket writable when three quarters of its buffer are free.
  bool writable() const;
  /// The pending error, which is gone then; 0: none.
  int take_error();

  const Type type;
  ByteQueue data;                // received and not yet read
  std::deque<uint32_t> lengths;  // lengths of its messages, unless it is a stream
  std::weak_ptr<Socket> peer;
  bool refused = false;  // a datagram found that its peer is closed
  bool read_shut = false, write_shut = false;
  int error = 0;
  Edges edges;
  size_t send_buffer = kDefaultBuffer, receive_buffer = kDefaultBuffer;
  std::optional<uint64_t> receive_time, send_time;  // time-outs in nanoseconds

 private:
  uint64_t pages() const { return (queued() + abi::kPageSize - 1) / abi::kPageSize; }

  AddressSpace& space_;
};

}  // namespace strobe::isa
