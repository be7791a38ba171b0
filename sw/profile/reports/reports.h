// Hot streams, call pairs and methods with the program's names, for people and for programs.
// docs/hot-streams.md describes the formats. The same profile gives the same bytes.
#pragma once

#include <ostream>

#include "sw/profile/counts/profile.h"
#include "sw/profile/reports/program_names.h"
#include "sw/profile/streams/stream_profile.h"

namespace strobe::profile {

/// Writes a line for each stream, hottest first, and below it a line for each access.
void write_streams_text(const StreamProfile& profile, std::ostream& out, const ProgramNames& names);
void write_streams_json(const StreamProfile& profile, std::ostream& out, const ProgramNames& names);

/// Writes a line for each entry, largest count first: call pairs as "caller -> callee", methods by
/// name.
void write_calls_text(const Profile& profile, std::ostream& out, const ProgramNames& names);
void write_calls_json(const Profile& profile, std::ostream& out, const ProgramNames& names);

}  // namespace strobe::profile
