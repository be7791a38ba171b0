// The SQLite database of a sweep; docs/sweeps.md describes its tables and views.
#pragma once

namespace strobe::explore {

/// In the database as PRAGMA user_version; rises when a table or view changes its meaning.
inline constexpr int kDatabaseVersion = 1;

/// Makes every table and the views that do not depend on the sweep.
extern const char* const kSchema;

}  // namespace strobe::explore
