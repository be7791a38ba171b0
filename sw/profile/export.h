// Profiles as text for other programs. Entries come largest count first, so the same profile gives
// the same bytes. docs/results.md describes both formats.
#pragma once

#include <ostream>
#include <string>
#include <string_view>

#include "sw/profile/profile.h"

namespace strobe::profile {

/// "0x1234", as every format has pcs and values.
std::string hexadecimal(uint64_t value);

/// A text as a JSON string with its quotes. Bytes that are not UTF-8 become U+FFFD.
std::string json_string(std::string_view text);

/// A text as a field of a CSV line, quoted as RFC 4180 says where it must be. One that begins with
/// `=`, `+`, `-`, `@`, a tab or a carriage return, which a spreadsheet would take for a formula, or
/// with `'` gets a `'` in front.
std::string csv_field(const std::string& text);

/// One line an entry under the header `tag,pc,value,count,symbol`; pc and value in hexadecimal;
/// fields quoted as RFC 4180 says where they must be. `symbol_of` may be empty.
void write_csv(const Profile& profile, std::ostream& out, const SymbolOf& symbol_of);

/// {"entries": [{"count", "pc", "symbol", "tag", "value"}...], "schema_version": 1, "total"}.
/// pc and value are strings, "0x1234", because JSON numbers lose bits above 2^53. Bytes of a symbol
/// that are not UTF-8 become U+FFFD.
void write_json(const Profile& profile, std::ostream& out, const SymbolOf& symbol_of);

}  // namespace strobe::profile
