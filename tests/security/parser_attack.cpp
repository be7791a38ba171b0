#include "tests/security/parser_attack.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "tests/security/amplification.h"

namespace strobe::security {
namespace {

constexpr uint64_t kSeed = 24;  // the first input's; the others follow

using InputOf = std::function<Bytes(uint64_t number)>;

size_t pick(std::mt19937_64& random, size_t below) { return below == 0 ? 0 : random() % below; }

size_t virtual_bytes() {
  std::ifstream file("/proc/self/statm");
  size_t pages = 0;
  file >> pages;
  return pages * static_cast<size_t>(sysconf(_SC_PAGESIZE));
}

/// Processor time, so that a busy machine makes no difference.
void bound_time() {
  itimerval limit{};
  limit.it_value.tv_sec = static_cast<time_t>(kMostTime);
  setitimer(ITIMER_PROF, &limit, nullptr);
}

/// In the child: `next` is the input being tried.
[[noreturn]] void attack_here(uint64_t count, const InputOf& input_of, volatile uint64_t* next) {
  const int null = open("/dev/null", O_WRONLY);
  dup2(null, STDERR_FILENO);
  rlimit limit{virtual_bytes() + kMostMemory, RLIM_INFINITY};
  setrlimit(RLIMIT_AS, &limit);
  rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  try {
    for (; *next < count; *next = *next + 1) {
      const Bytes input = input_of(*next);
      bound_time();
      LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(input.data()), input.size());
    }
  } catch (const std::exception&) {
    _exit(1);
  }
  _exit(0);
}

std::string keep(const Bytes& input, uint64_t number) {
  const std::string path =
      (std::filesystem::temp_directory_path() / ("strobe-attack-" + std::to_string(number)))
          .string();
  std::ofstream(path, std::ios::binary) << input;
  return path;
}

std::string attack_with(uint64_t count, const InputOf& input_of) {
  void* shared =
      mmap(nullptr, sizeof(uint64_t), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) throw std::runtime_error("mmap failed");
  auto* next = static_cast<volatile uint64_t*>(shared);
  *next = 0;
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("fork failed");
  if (child == 0) attack_here(count, input_of, next);
  int status = 0;
  waitpid(child, &status, 0);
  const uint64_t number = *next;
  munmap(shared, sizeof(uint64_t));
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
    return number == count ? "" : "it stopped early";
  std::ostringstream text;
  text << "input " << number << " of " << count << ": ";
  if (WIFEXITED(status)) {
    text << "an exception left the parser, or memory ran out";
  } else if (WTERMSIG(status) == SIGPROF) {
    text << "took more than " << kMostTime << " s";
  } else {
    text << "ended with signal " << WTERMSIG(status) << " (" << strsignal(WTERMSIG(status)) << ")";
  }
  text << "; it is kept in " << keep(input_of(number), number);
  return text.str();
}

}  // namespace

std::string attack(uint64_t count, const Damage& damage) {
  return attack_with(count, [&damage](uint64_t number) {
    std::mt19937_64 random(kSeed + number);
    return damage(random);
  });
}

std::string attack(const std::vector<Bytes>& inputs) {
  return attack_with(inputs.size(), [&inputs](uint64_t number) { return inputs[number]; });
}

void put_nasty(Bytes& bytes, size_t offset, size_t width, std::mt19937_64& random) {
  const uint64_t size = bytes.size();
  const std::array<uint64_t, 24> values = {0,
                                           1,
                                           2,
                                           0x7f,
                                           0x80,
                                           0xff,
                                           0x7fff,
                                           0x8000,
                                           0xffff,
                                           0x10000,
                                           0x7fffffff,
                                           0x80000000,
                                           0xffffffff,
                                           0x100000000,
                                           0x7fffffffffffffff,
                                           0x8000000000000000,
                                           0xffffffffffffffff,
                                           0xfffffffffffff000,
                                           size,
                                           size - 1,
                                           size + 1,
                                           size / 2,
                                           uint64_t{1} << pick(random, 64),
                                           random()};
  const uint64_t value = values[pick(random, values.size())];
  for (size_t i = 0; i < width && offset + i < bytes.size(); ++i) {
    bytes[offset + i] = static_cast<char>(value >> (8 * i));
  }
}

Bytes mutated(const std::vector<Bytes>& seeds, std::mt19937_64& random) {
  Bytes bytes = seeds[pick(random, seeds.size())];
  const Bytes& other = seeds[pick(random, seeds.size())];
  for (size_t rounds = 1 + pick(random, 4); rounds > 0; --rounds) {
    const size_t at = pick(random, bytes.size());
    const size_t length = std::min(1 + pick(random, 1 + pick(random, 256)), bytes.size() - at);
    switch (pick(random, 8)) {
      case 0:
        if (!bytes.empty()) bytes[at] = static_cast<char>(bytes[at] ^ (1 << pick(random, 8)));
        break;
      case 1:
        if (!bytes.empty()) bytes[at] = static_cast<char>(random());
        break;
      case 2:
        put_nasty(bytes, at, size_t{1} << pick(random, 4), random);
        break;
      case 3:
        bytes.resize(at);
        break;
      case 4:
        bytes.erase(at, length);
        break;
      case 5:
        bytes.insert(at, bytes.substr(at, length));
        break;
      case 6:
        bytes.insert(at, other.substr(pick(random, other.size()), length));
        break;
      default:
        bytes.insert(at, 1 + pick(random, 8), static_cast<char>(random()));
        break;
    }
  }
  return bytes;
}

Bytes content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file.good() || text.str().empty()) throw std::runtime_error(path + ": cannot be read");
  return text.str();
}

}  // namespace strobe::security
