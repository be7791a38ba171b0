// Profiles as text for other programs. Entries come largest count first, so the same profile gives
// the same bytes. docs/results.md describes both formats.
#pragma once

#include <ostream>
#include <string>
#include <string_view>

#include "sw/profile/counts/profile.h"

namespace strobe::profile {

/// The form in which every format has pcs and values: "0x1234".
std::string hexadecimal(uint64_t value);

/// A text as a JSON string with its quotes. Bytes that are not UTF-8 become U+FFFD.
std::string json_string(std::string_view text);

/// A text as a field of a CSV line, as text::one_line() gives it and quoted as RFC 4180 says where
/// it must be. A spreadsheet would take a text that begins with `=`, `+`, `-` or `@` for a formula.
/// Such a text, and one that begins with `'`, gets a leading `'`.
std::string csv_field(const std::string& value);

/// Writes one line an entry under the header `tag,pc,value,count,symbol`. The pc and the value are
/// hexadecimal; fields are quoted as RFC 4180 says where they must be. `symbol_of` may be empty.
void write_csv(const Profile& profile, std::ostream& out, const SymbolOf& symbol_of);

/// Writes {"entries": [{"count", "pc", "symbol", "tag", "value"}...], "schema_version": 1,
/// "total"}. The pc and the value are strings, "0x1234", because JSON numbers lose bits above 2^53.
/// Bytes of a symbol that are not UTF-8 become U+FFFD.
void write_json(const Profile& profile, std::ostream& out, const SymbolOf& symbol_of);

}  // namespace strobe::profile
