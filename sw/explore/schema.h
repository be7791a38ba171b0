// The SQLite database of a sweep; docs/sweeps.md describes its tables and views.
#pragma once

#include <cstdint>
#include <string>

#include "sw/explore/database.h"

namespace strobe::explore {

/// In the database as PRAGMA user_version; rises when a table or view changes its meaning.
inline constexpr int kDatabaseVersion = 2;

/// The version of a database; 0: it has no tables yet. Throws DatabaseError when it is of a newer
/// Strobe. @param path  for the message
int64_t known_version(Database& database, const std::string& path);

/// Makes every table and the views that do not depend on the sweep.
extern const char* const kSchema;

}  // namespace strobe::explore
