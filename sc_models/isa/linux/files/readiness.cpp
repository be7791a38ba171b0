#include "sc_models/isa/linux/files/readiness.h"

#include "sc_models/isa/linux/files/event_counter.h"
#include "sc_models/isa/linux/files/event_queue.h"
#include "sc_models/isa/linux/files/pipe.h"
#include "sc_models/isa/linux/files/socket.h"
#include "sc_models/isa/linux/timers.h"

namespace strobe::isa {
namespace {

uint32_t when(bool condition, uint32_t events) { return condition ? events : 0; }

Readiness of_pipe(const Pipe& pipe, bool reads) {
  if (reads) {
    const bool closed = pipe.in.expired();
    return {when(!pipe.data.empty(), kPollReadable) | when(closed, kPollHangUp),
            {closed ? Edges::kForGood : pipe.edges.in, 0}};
  }
  const bool closed = pipe.out.expired();
  return {when(pipe.room() >= Pipe::kAtomic, kPollWritable) | when(closed, kPollError),
          {0, closed ? Edges::kForGood : pipe.edges.out}};
}

Readiness of_counter(const EventCounter& counter) {
  return {when(counter.value > 0, kPollIn) | when(counter.value < EventCounter::kMost, kPollOut),
          counter.edges};
}

Readiness of_socket(const Socket& socket) {
  const bool closed = socket.type != Socket::Type::kDatagram && socket.peer.expired();
  const uint32_t events = when(socket.error != 0, kPollError) |
                          when(socket.read_shut && socket.write_shut, kPollHangUp) |
                          when(socket.read_shut, kPollPeerShut) |
                          when(socket.read_shut || !socket.nothing_to_read(), kPollReadable) |
                          when(socket.writable(), kPollWritable);
  return {events, closed ? Edges{Edges::kForGood, Edges::kForGood} : socket.edges};
}

}  // namespace

Readiness readiness(const OpenFile& file) {
  switch (file.kind) {
    case OpenFile::Kind::kPipe:
      return of_pipe(*file.pipe, file.readable());
    case OpenFile::Kind::kEventCounter:
      return of_counter(*file.counter);
    case OpenFile::Kind::kSocket:
      return of_socket(*file.socket);
    case OpenFile::Kind::kTimer:
      return {when(file.timer->expirations > 0, kPollReadable), {file.timer->expired, 0}};
    case OpenFile::Kind::kEventQueue:
      return {when(file.queue->has_events(), kPollReadable), {}};
    default:
      return {kPollReadable | kPollWritable, {}};
  }
}

bool can_be_watched(const OpenFile& file) {
  switch (file.kind) {
    case OpenFile::Kind::kFile:
    case OpenFile::Kind::kDirectory:
    case OpenFile::Kind::kNull:
    case OpenFile::Kind::kMemory:
      return false;
    default:
      return true;
  }
}

}  // namespace strobe::isa
