// What follows from the keys a user gave (derive), and whether they fit together (check).
#pragma once

#include "sw/config/reader.h"

namespace strobe::config {

/// Fills in what the user left to us: the selectors of profilers that name none. Pure.
void derive(RunConfig* configuration);

/// Everything that concerns more than one key, or more than its range. A key that already has a
/// fault is left out.
void check(const ReadResult& read, const yaml::Node& root, text::Diagnostics* diagnostics);

/// The same for a run of which only a part is known: what concerns the rest is left out.
void check_part(const ReadResult& read, const yaml::Node& root, text::Diagnostics* diagnostics);

/// What a recorded run asks of its profilers: that they only watch, and select what was recorded.
/// Those that name no selectors get the recorded ones.
void check_replay(ReadResult* read, const yaml::Node& root,
                  const std::vector<SelectorConfig>& recorded, text::Diagnostics* diagnostics);

}  // namespace strobe::config
