// Attacks a parser with damaged files. The parser is the libFuzzer entry point of tests/fuzz: it
// returns when the input loads or gets a clear error, and aborts when a promise is broken.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace strobe::security {

using Bytes = std::string;
/// Makes one damaged input; the same generator state makes the same one.
using Damage = std::function<Bytes(std::mt19937_64& random)>;

/// Feeds `count` inputs to the parser in a child process, under the bounds of memory and time that
/// amplification.h names. Empty when all is well; else what happened, and where the input is kept.
std::string attack(uint64_t count, const Damage& damage);
/// The same with these inputs.
std::string attack(const std::vector<Bytes>& inputs);

/// A seed with one to four changes: flipped bits, a replaced byte, a nasty integer, a cut end, or a
/// part that is dropped, doubled or taken from another seed.
Bytes mutated(const std::vector<Bytes>& seeds, std::mt19937_64& random);

/// Writes an integer that parsers trip over (0, 1, limits of each width, the size of the file and
/// its neighbors) at `offset`, in `width` bytes, little-endian; what lies outside the file is not
/// written.
void put_nasty(Bytes& bytes, size_t offset, size_t width, std::mt19937_64& random);

/// The content of a file. Throws std::runtime_error when it cannot be read.
Bytes content(const std::string& path);

}  // namespace strobe::security
