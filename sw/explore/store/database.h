// The part of SQLite that a sweep needs: statements that are prepared once, and errors that say
// what to do.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <string_view>

#include "sw/text/limits.h"

struct sqlite3;
struct sqlite3_stmt;

namespace strobe::explore {

/// One sentence: which operation on which database failed, why, and what to do.
class DatabaseError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The file is no database, or a part of it is not readable.
class DamagedDatabase : public DatabaseError {
 public:
  using DatabaseError::DatabaseError;
};

/// Makes any text the name of a column or a table. Values are never part of a statement's text:
/// they are bound.
std::string quoted_name(const std::string& name);

class Database {
 public:
  enum class Access { kWrite, kRead };

  /// Opens the file; write access also creates it. Throws DatabaseError, also when the file is no
  /// database. What is read from a file that is opened to read is within the limits of
  /// sw/text/limits.h; else the statement throws.
  explicit Database(const std::string& path, Access access = Access::kWrite);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  /// Reads the whole database. Throws DamagedDatabase.
  void check();
  void run(const std::string& sql);
  /// The integer that a statement returns.
  int64_t integer(const std::string& sql);
  int64_t last_id() const;
  /// The reader keeps so many values of a row, beside one and its texts.
  void keep(uint64_t values);

 private:
  friend class Statement;
  Database() = default;
  [[noreturn]] void fail() const;
  [[noreturn]] void fail_of_value() const;
  void expect_within_limits();
  static int count_steps(void* database);

  std::string path_;
  sqlite3* handle_ = nullptr;
  bool is_limited_ = false;
  text::Budget values_{text::limits::kDatabaseValues}, steps_{text::limits::kDatabaseSteps};
  std::string excess_;  // why a statement was interrupted
};

/// Bind from left to right, then step until it returns false; then the statement can be bound
/// again.
class Statement {
 public:
  Statement(Database& database, const std::string& sql);
  ~Statement();
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  Statement& bind(int64_t value);
  Statement& bind(double value);
  Statement& bind(std::string_view value);
  Statement& bind_null();
  /// Binds a number, a text or null.
  Statement& bind(const nlohmann::json& value);

  /// @return whether there is a row
  bool step();
  /// For a statement without rows.
  void execute() { step(); }

  int64_t integer(int column) const;
  /// A natural number. One from 2^63 on is stored as a text.
  uint64_t natural(int column) const;
  double real(int column) const;
  std::string text(int column) const;
  bool null(int column) const;
  int columns() const;
  std::string name(int column) const;
  /// A number, a text or null.
  nlohmann::json value(int column) const;

 private:
  Database& database_;
  sqlite3_stmt* handle_ = nullptr;
  int bound_ = 0;
};

/// All statements during its life are one change of the database. Without commit() none of them has
/// an effect.
class Transaction {
 public:
  explicit Transaction(Database& database);
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  void commit();

 private:
  Database& database_;
  bool open_ = true;
};

}  // namespace strobe::explore
