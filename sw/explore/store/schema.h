// The SQLite database of a sweep; docs/sweeps.md describes its tables and views.
#pragma once

#include <cstdint>
#include <string>

#include "sw/explore/store/database.h"

namespace strobe::explore {

/// The version of the schema, PRAGMA user_version in the database. It rises when a table or view
/// changes its meaning.
inline constexpr int kDatabaseVersion = 3;

/// The version of a database; 0: it has no tables yet. Throws DatabaseError when a newer Strobe
/// wrote it. @param path  the path that the message names
int64_t known_version(Database& database, const std::string& path);

/// Makes every table and the views that do not depend on the sweep.
extern const char* const kSchema;

}  // namespace strobe::explore
