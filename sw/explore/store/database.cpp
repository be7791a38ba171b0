#include "sw/explore/store/database.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <cerrno>
#include <filesystem>

#include "sw/files/advice.h"

namespace strobe::explore {
namespace {

constexpr int kStepsAtATime = 1000;  // of SQLite's machine, which are counted together

}  // namespace

std::string quoted_name(const std::string& name) {
  std::string text = "\"";
  for (const char c : name) text += c == '"' ? std::string("\"\"") : std::string(1, c);
  return text + "\"";
}

// The constructor delegates, so that the destructor closes a database that could not be opened
// completely.
Database::Database(const std::string& path, Access access) : Database() {
  path_ = path;
  const int flags =
      access == Access::kRead ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  if (sqlite3_open_v2(path.c_str(), &handle_, flags, nullptr) != SQLITE_OK) fail();
  sqlite3_busy_timeout(handle_, 60'000);  // waits while another process reads it
  // Changes are not synchronized to the disk one by one: what a power failure damages is made anew
  // from the runs.
  run("PRAGMA foreign_keys = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -65536");
  if (access == Access::kRead) expect_within_limits();
  // Reads the file, so that a file that is no database is refused here.
  integer("PRAGMA schema_version");
}

/// The file may come from someone else. Its functions and triggers are not run, and a view in place
/// of a table ends as a table does that is too large.
void Database::expect_within_limits() {
  constexpr int kCache = -16384;  // KiB
  is_limited_ = true;
  sqlite3_db_config(handle_, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(handle_, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(handle_, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
  sqlite3_limit(handle_, SQLITE_LIMIT_LENGTH, static_cast<int>(text::limits::kJsonBytes.most));
  sqlite3_progress_handler(handle_, kStepsAtATime, &Database::count_steps, this);
  run(fmt::format("PRAGMA cache_size = {}", kCache));
  const text::Limit& most = text::limits::kDatabaseBytes;
  std::error_code error;
  const uint64_t bytes = std::filesystem::file_size(path_, error);
  if (error || !text::exceeds(most, bytes)) return;
  excess_ = text::excess(most, bytes);
  fail();
}

int Database::count_steps(void* database) {
  auto& self = *static_cast<Database*>(database);
  if (self.steps_.take(kStepsAtATime)) return 0;
  self.excess_ = self.steps_.excess();
  return 1;
}

void Database::keep(uint64_t values) {
  if (!is_limited_ || values_.take(values)) return;
  excess_ = values_.excess();
  fail();
}

Database::~Database() { sqlite3_close(handle_); }

void Database::check() {
  Statement statement(*this, "PRAGMA quick_check(1)");
  const std::string found = statement.step() ? statement.text(0) : "no answer";
  if (found == "ok") return;
  throw DamagedDatabase(fmt::format("the database {} is damaged: {}", path_, found));
}

void Database::run(const std::string& sql) {
  if (sqlite3_exec(handle_, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) fail();
}

int64_t Database::integer(const std::string& sql) {
  Statement statement(*this, sql);
  return statement.step() ? statement.integer(0) : 0;
}

int64_t Database::last_id() const { return sqlite3_last_insert_rowid(handle_); }

void Database::fail() const {
  if (!excess_.empty()) {
    throw DatabaseError(fmt::format("the database {} is too large: {}", path_, excess_));
  }
  const int code = sqlite3_errcode(handle_) & 0xff;
  const int reason = code == SQLITE_FULL       ? ENOSPC
                     : code == SQLITE_READONLY ? EROFS
                                               : sqlite3_system_errno(handle_);
  const std::string advice =
      code == SQLITE_NOTADB || code == SQLITE_CORRUPT
          ? "remove it and start the sweep again, which rebuilds it from the runs"
          : files::advice_for(reason) + ", and start the sweep again: every complete run is kept";
  const std::string text =
      fmt::format("the database {}: {}; {}", path_, sqlite3_errmsg(handle_), advice);
  if (code == SQLITE_NOTADB || code == SQLITE_CORRUPT) throw DamagedDatabase(text);
  throw DatabaseError(text);
}

void Database::fail_of_value() const {
  throw DamagedDatabase(
      fmt::format("the database {} is damaged: {}; remove it and start the sweep again, which "
                  "rebuilds it from the runs",
                  path_, sqlite3_errmsg(handle_)));
}

Statement::Statement(Database& database, const std::string& sql) : database_(database) {
  if (sqlite3_prepare_v2(database_.handle_, sql.c_str(), static_cast<int>(sql.size()), &handle_,
                         nullptr) != SQLITE_OK) {
    database_.fail();
  }
}

Statement::~Statement() { sqlite3_finalize(handle_); }

Statement& Statement::bind(int64_t value) {
  sqlite3_bind_int64(handle_, ++bound_, value);
  return *this;
}

Statement& Statement::bind(double value) {
  sqlite3_bind_double(handle_, ++bound_, value);
  return *this;
}

Statement& Statement::bind(std::string_view value) {
  sqlite3_bind_text64(handle_, ++bound_, value.data(), value.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
  return *this;
}

Statement& Statement::bind_null() {
  sqlite3_bind_null(handle_, ++bound_);
  return *this;
}

Statement& Statement::bind(const nlohmann::json& value) {
  // SQLite's integers are below 2^63.
  const bool large = value.is_number_unsigned() && value.get<uint64_t>() > INT64_MAX;
  if (large) return bind(std::string_view(std::to_string(value.get<uint64_t>())));
  if (value.is_number_integer()) return bind(value.get<int64_t>());
  if (value.is_number()) return bind(value.get<double>());
  if (value.is_string()) return bind(std::string_view(value.get_ref<const std::string&>()));
  return bind_null();
}

bool Statement::step() {
  const int code = sqlite3_step(handle_);
  if (code == SQLITE_ROW) {
    database_.keep(1);
    return true;
  }
  // A statement that was prepared fails so when a function refuses a value that is kept.
  if (code == SQLITE_ERROR && database_.excess_.empty()) database_.fail_of_value();
  if (code != SQLITE_DONE) database_.fail();
  sqlite3_reset(handle_);
  bound_ = 0;
  return false;
}

int64_t Statement::integer(int column) const { return sqlite3_column_int64(handle_, column); }
uint64_t Statement::natural(int column) const {
  return sqlite3_column_type(handle_, column) == SQLITE_TEXT
             ? std::stoull(text(column))
             : static_cast<uint64_t>(integer(column));
}

double Statement::real(int column) const { return sqlite3_column_double(handle_, column); }

std::string Statement::text(int column) const {
  constexpr uint64_t kOfAValue = 16;  // bytes
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(handle_, column));
  database_.keep(static_cast<uint64_t>(sqlite3_column_bytes(handle_, column)) / kOfAValue);
  return text == nullptr ? "" : text;
}

bool Statement::null(int column) const {
  return sqlite3_column_type(handle_, column) == SQLITE_NULL;
}

int Statement::columns() const { return sqlite3_column_count(handle_); }
std::string Statement::name(int column) const { return sqlite3_column_name(handle_, column); }

nlohmann::json Statement::value(int column) const {
  switch (sqlite3_column_type(handle_, column)) {
    case SQLITE_INTEGER:
      return integer(column);
    case SQLITE_FLOAT:
      return real(column);
    case SQLITE_TEXT:
      return text(column);
    default:
      return nullptr;
  }
}

Transaction::Transaction(Database& database) : database_(database) { database_.run("BEGIN"); }

Transaction::~Transaction() {
  if (!open_) return;
  try {
    database_.run("ROLLBACK");
  } catch (const DatabaseError&) {  // SQLite has rolled back already, as on a full disk
  }
}

void Transaction::commit() {
  database_.run("COMMIT");
  open_ = false;
}

}  // namespace strobe::explore
