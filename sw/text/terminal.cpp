#include "sw/text/terminal.h"

#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <new>
#include <string>

#include "sw/text/shown.h"

namespace strobe::text {
namespace {

struct Channel {
  int descriptor;
  std::string begun = {};  // the beginning of a character whose rest has not been printed
};

/// Bytes at the end of `text` that a later write may complete to a character.
size_t begun_character(const std::string& text) {
  for (size_t count = 1; count <= 3 && count <= text.size(); ++count) {
    const auto byte = static_cast<uint8_t>(text[text.size() - count]);
    if ((byte & 0xc0) == 0x80) continue;
    const size_t length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc2 ? 2 : 1;
    return length > count ? count : 0;
  }
  return 0;
}

/// As fopencookie() wants it: 0 says that it failed.
ssize_t put(void* cookie, const char* data, size_t size) {
  Channel& channel = *static_cast<Channel*>(cookie);
  std::string whole = channel.begun + std::string(data, size);
  const size_t begun = begun_character(whole);
  channel.begun = whole.substr(whole.size() - begun);
  whole.resize(whole.size() - begun);
  const std::string text = shown(whole);
  for (size_t done = 0; done < text.size();) {
    const ssize_t written = write(channel.descriptor, text.data() + done, text.size() - done);
    if (written >= 0) {
      done += static_cast<size_t>(written);
    } else if (errno != EINTR) {
      return 0;
    }
  }
  return static_cast<ssize_t>(size);
}

std::FILE* escaping(Channel* channel, int buffering) {
  cookie_io_functions_t functions{};
  functions.write = &put;
  std::FILE* stream = fopencookie(channel, "w", functions);
  if (stream != nullptr) std::setvbuf(stream, nullptr, buffering, BUFSIZ);
  return stream;
}

}  // namespace

void escape_what_is_printed() {
  static Channel out{STDOUT_FILENO}, err{STDERR_FILENO};
  std::FILE* const to_out = escaping(&out, isatty(STDOUT_FILENO) == 1 ? _IOLBF : _IOFBF);
  std::FILE* const to_err = escaping(&err, _IONBF);
  if (to_out == nullptr || to_err == nullptr) throw std::bad_alloc();
  stdout = to_out;
  stderr = to_err;
}

}  // namespace strobe::text
