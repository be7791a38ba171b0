// Names and options of sockets.
#include <algorithm>
#include <optional>

#include "sc_models/isa/linux/calls/system_calls.h"
#include "sc_models/isa/linux/files/socket.h"

namespace strobe::isa {
namespace {

constexpr uint64_t kSocketLevel = 1;
constexpr uint64_t kReuseAddress = 2, kType = 3, kError = 4, kBroadcast = 6, kSendBuffer = 7,
                   kReceiveBuffer = 8, kKeepAlive = 9, kPriority = 12, kLinger = 13,
                   kReusePort = 15, kPassCredentials = 16, kPeerCredentials = 17, kReceiveLow = 18,
                   kSendLow = 19, kReceiveTime = 20, kSendTime = 21, kAccepts = 30, kProtocol = 38,
                   kDomain = 39;
constexpr uint64_t kLeastSendBuffer = 4608, kLeastReceiveBuffer = 2304;  // bytes, as on Linux

/// Linux takes twice what is asked for, because its own structures count too.
uint64_t buffer_of(int32_t asked, uint64_t least) {
  const uint64_t most = Socket::kDefaultBuffer;
  const uint64_t taken = std::min<uint64_t>(static_cast<uint32_t>(asked), most);
  return std::max(2 * taken, least);
}

abi::Timeval timeval_of(const std::optional<uint64_t>& nanoseconds) {
  const uint64_t microseconds = nanoseconds.value_or(0) / 1000;
  return {static_cast<int64_t>(microseconds / 1'000'000),
          static_cast<int64_t>(microseconds % 1'000'000)};
}

template <class T>
std::string bytes_of(const T& value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

/// The value of an option; nothing for one that there is not.
std::optional<std::string> option_of(Socket& socket, uint64_t option) {
  const auto number = [](uint64_t value) { return bytes_of(static_cast<int32_t>(value)); };
  switch (option) {
    case kType:
      return number(static_cast<uint64_t>(socket.type));
    case kError:
      return number(static_cast<uint64_t>(socket.take_error()));
    case kSendBuffer:
      return number(socket.send_buffer);
    case kReceiveBuffer:
      return number(socket.receive_buffer);
    case kDomain:
      return number(abi::kUnixFamily);
    case kReceiveLow:
    case kSendLow:
      return number(1);
    case kReuseAddress:
    case kReusePort:
    case kBroadcast:
    case kKeepAlive:
    case kPriority:
    case kPassCredentials:
    case kAccepts:
    case kProtocol:
      return number(0);
    case kLinger:
      return bytes_of(uint64_t{0});
    case kReceiveTime:
      return bytes_of(timeval_of(socket.receive_time));
    case kSendTime:
      return bytes_of(timeval_of(socket.send_time));
    case kPeerCredentials: {
      constexpr auto kUser = static_cast<uint32_t>(abi::kUserId);
      const uint32_t peer[3] = {static_cast<uint32_t>(abi::kProcessId), kUser, kUser};
      return bytes_of(peer);
    }
    default:
      return std::nullopt;
  }
}

}  // namespace

int64_t SystemCalls::socket_name(const Args& a) {
  int64_t error = 0;
  if (get_socket(a[0], error) == nullptr) return error;
  int32_t room = 0;
  if (!memory_.get(room, a[2])) return -EFAULT;
  if (room < 0) return -EINVAL;
  const uint16_t family = abi::kUnixFamily;
  const uint64_t told = std::min<uint64_t>(static_cast<uint32_t>(room), sizeof family);
  if (!memory_.copy_out(a[1], &family, told)) return -EFAULT;
  return memory_.put(a[2], static_cast<int32_t>(sizeof family)) ? 0 : -EFAULT;
}

int64_t SystemCalls::getsockopt(const Args& a) {
  int64_t error = 0;
  OpenFile* const file = get_socket(a[0], error);
  if (file == nullptr) return error;
  int32_t room = 0;
  if (a[1] != kSocketLevel) return -EOPNOTSUPP;
  if (!memory_.get(room, a[4])) return -EFAULT;
  if (room < 0) return -EINVAL;
  const std::optional<std::string> value = option_of(*file->socket, a[2]);
  if (!value) return -ENOPROTOOPT;
  const auto size =
      static_cast<int32_t>(std::min<size_t>(static_cast<uint32_t>(room), value->size()));
  if (!memory_.copy_out(a[3], value->data(), static_cast<uint64_t>(size))) return -EFAULT;
  return memory_.put(a[4], size) ? 0 : -EFAULT;
}

int64_t SystemCalls::setsockopt(const Args& a) {
  int64_t error = 0;
  OpenFile* const file = get_socket(a[0], error);
  if (file == nullptr) return error;
  if (a[1] != kSocketLevel) return -EOPNOTSUPP;
  Socket& socket = *file->socket;
  if (a[2] == kReceiveTime || a[2] == kSendTime) {
    constexpr int64_t kSecond = 1'000'000, kLongest = INT64_MAX / (1000 * kSecond) - 1;
    abi::Timeval time{};
    if (static_cast<uint32_t>(a[4]) < sizeof time) return -EINVAL;
    if (!memory_.get(time, a[3])) return -EFAULT;
    if (time.microseconds < 0 || time.microseconds >= kSecond) return -EDOM;
    const int64_t seconds = std::clamp<int64_t>(time.seconds, 0, kLongest);
    const auto nanoseconds = static_cast<uint64_t>((seconds * kSecond + time.microseconds) * 1000);
    auto& kept = a[2] == kReceiveTime ? socket.receive_time : socket.send_time;
    kept = nanoseconds == 0 ? std::nullopt : std::optional(nanoseconds);
    return 0;
  }
  int32_t value = 0;
  if (static_cast<uint32_t>(a[4]) < sizeof value) return -EINVAL;
  if (!memory_.get(value, a[3])) return -EFAULT;
  switch (a[2]) {
    case kSendBuffer:
      socket.send_buffer = buffer_of(value, kLeastSendBuffer);
      socket.edges.out = files_changed();
      return 0;
    case kReceiveBuffer:
      socket.receive_buffer = buffer_of(value, kLeastReceiveBuffer);
      return 0;
    case kReuseAddress:  // nothing in a pair depends on these
    case kReusePort:
    case kBroadcast:
    case kKeepAlive:
    case kPriority:
    case kLinger:
      return 0;
    default:
      return -ENOPROTOOPT;
  }
}

}  // namespace strobe::isa
