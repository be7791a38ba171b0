// The timeline of a run as trace events. docs/timeline.md
#pragma once

#include <cstdint>
#include <filesystem>

#include "sw/answer/formats/trace_events.h"

namespace strobe::answer {

/// Adds what the file of `trace.timeline` has, on a track of its own.
/// @return the cycle in which the region of interest begins
/// Throws AnswerError when the file is damaged.
uint64_t add_timeline(const std::filesystem::path& file, unsigned track, TraceEvents* events);

}  // namespace strobe::answer
