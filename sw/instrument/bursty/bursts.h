// The counters of bursty tracing, set in the file of an edited program without linking it again.
#pragma once

#include <cstdint>
#include <vector>

namespace strobe::instrument {

/// nCheck0 and nInstr0 of an edited program (bursty tracing, Figure 3); its first check counts from
/// nCheck0. Throws std::invalid_argument when one of them is 0 or above 2^31 - 1, which stands for
/// infinity.
void set_bursts(std::vector<uint8_t>* elf, uint64_t checks, uint64_t instrumented);

/// Draws the numbers of checks between the bursts of a program that was edited with jitter: evenly
/// from checks - 2^(bits-1) + 1 to checks + 2^(bits-1). There are kDistanceCount of them, which
/// repeat; the first check counts from one of them. Throws std::invalid_argument when one may be
/// below 1 or above 2^31 - 1.
void set_distances(std::vector<uint8_t>* elf, uint64_t checks, unsigned bits, uint64_t seed);

}  // namespace strobe::instrument
