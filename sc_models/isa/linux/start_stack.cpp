#include "sc_models/isa/linux/start_stack.h"

#include <elf.h>

#include <stdexcept>

#include "sc_models/isa/linux/abi.h"

namespace strobe::isa {
namespace {

constexpr uint64_t kMostStackBytes = 128 << 10;  // bytes of strings and pointers

constexpr uint64_t extension(char letter) { return uint64_t{1} << (letter - 'A'); }
constexpr uint64_t kHardware = extension('I') | extension('M') | extension('A') | extension('F') |
                               extension('D') | extension('C');

}  // namespace

uint64_t write_start_stack(UserMemory& memory, uint64_t top, const ElfFile& elf,
                           const StartStack& start) {
  uint64_t needed = 0;
  for (const auto* list : {&start.args, &start.env}) {
    for (const std::string& text : *list) needed += text.size() + 1 + sizeof(uint64_t);
  }
  if (needed > kMostStackBytes) {
    throw std::runtime_error("arguments and environment: expected at most " +
                             std::to_string(kMostStackBytes) + " bytes, got " +
                             std::to_string(needed) + "; pass long data in a file");
  }

  uint64_t at = top - sizeof(uint64_t);  // a null word ends the stack
  const auto push = [&](const void* data, uint64_t size) {
    at -= size;
    memory.copy_out(at, data, size);
    return at;
  };
  const auto push_strings = [&](const std::vector<std::string>& list) {
    std::vector<uint64_t> addresses;
    for (const std::string& text : list) addresses.push_back(push(text.c_str(), text.size() + 1));
    return addresses;
  };
  const std::vector<uint64_t> env = push_strings(start.env);
  const std::vector<uint64_t> args = push_strings(start.args);
  const uint64_t random = push(start.random, sizeof start.random);

  std::vector<uint64_t> words{args.size()};
  words.insert(words.end(), args.begin(), args.end());
  words.push_back(0);
  words.insert(words.end(), env.begin(), env.end());
  words.push_back(0);
  const auto auxiliary = [&](uint64_t type, uint64_t value) {
    words.push_back(type);
    words.push_back(value);
  };
  if (elf.program_headers_address() != 0) {  // otherwise the C library finds them itself
    auxiliary(AT_PHDR, elf.program_headers_address());
    auxiliary(AT_PHENT, elf.program_header_size());
    auxiliary(AT_PHNUM, elf.program_header_count());
  }
  auxiliary(AT_PAGESZ, abi::kPageSize);
  auxiliary(AT_BASE, 0);
  auxiliary(AT_FLAGS, 0);
  auxiliary(AT_ENTRY, elf.entry());
  auxiliary(AT_UID, abi::kUserId);
  auxiliary(AT_EUID, abi::kUserId);
  auxiliary(AT_GID, abi::kUserId);
  auxiliary(AT_EGID, abi::kUserId);
  auxiliary(AT_HWCAP, kHardware);
  auxiliary(AT_CLKTCK, abi::kClockTicks);
  auxiliary(AT_SECURE, 0);
  auxiliary(AT_RANDOM, random);
  auxiliary(AT_EXECFN, args.at(0));
  auxiliary(AT_NULL, 0);

  const uint64_t bytes = words.size() * sizeof(uint64_t);
  at = ((at - bytes) & ~uint64_t{15}) + bytes;
  return push(words.data(), bytes);
}

}  // namespace strobe::isa
