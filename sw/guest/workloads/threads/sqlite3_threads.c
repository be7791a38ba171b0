// Four threads fill, change and ask one SQLite database in memory, each through a connection of its
// own, and write a log through a connection that they share. What it prints does not depend on the
// order in which they run.
//
// Standard input has lines of a word and a number: rows that each thread inserts, transfers that
// each makes between accounts, and queries that each asks.
#include <pthread.h>
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../workload.h"

enum { kThreads = 4, kAccounts = 64, kBatch = 25, kStart = 1000 };

static int rows, transfers, queries;
static sqlite3* shared;
static pthread_barrier_t barrier;

struct worker {
  pthread_t thread;
  int number;
  sqlite3* database;
  uint64_t answers; /* a checksum */
};

static void fail(sqlite3* database, const char* what) {
  fprintf(stderr, "%s: %s\n", what, sqlite3_errmsg(database));
  exit(1);
}
static void run(sqlite3* database, const char* sql) {
  if (sqlite3_exec(database, sql, NULL, NULL, NULL) != SQLITE_OK) fail(database, sql);
}
static sqlite3* open_database(void) {
  sqlite3* database;
  const int flags =
      SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_URI | SQLITE_OPEN_FULLMUTEX;
  if (sqlite3_open_v2("file:/bank?vfs=memdb", &database, flags, NULL) != SQLITE_OK)
    fail(database, "open");
  sqlite3_busy_timeout(database, 600000);
  return database;
}
static sqlite3_stmt* prepare(sqlite3* database, const char* sql) {
  sqlite3_stmt* statement;
  if (sqlite3_prepare_v2(database, sql, -1, &statement, NULL) != SQLITE_OK) fail(database, sql);
  return statement;
}
/* Runs a statement that returns no row, with these numbers for its parameters. */
static void change(sqlite3_stmt* statement, int64_t first, int64_t second, int64_t third) {
  const int64_t values[] = {first, second, third};
  const int count = sqlite3_bind_parameter_count(statement);
  for (int i = 0; i < count; ++i) sqlite3_bind_int64(statement, i + 1, values[i]);
  if (sqlite3_step(statement) != SQLITE_DONE)
    fail(sqlite3_db_handle(statement), sqlite3_sql(statement));
  sqlite3_reset(statement);
}
static void insert_rows(struct worker* me) {
  sqlite3_stmt* insert =
      prepare(me->database,
              "INSERT INTO entries VALUES (?1, ?2, ?3, printf('entry %d of account %d', ?1, ?2))");
  uint64_t state = (uint64_t)me->number;
  for (int i = 0; i < rows; ++i) {
    if (i % kBatch == 0) run(me->database, "BEGIN IMMEDIATE");
    change(insert, (int64_t)i * kThreads + me->number, random_below(&state, kAccounts),
           random_below(&state, 997));
    if (i % kBatch == kBatch - 1 || i == rows - 1) run(me->database, "COMMIT");
  }
  sqlite3_finalize(insert);
}

/* Moves amounts between accounts. The sum of all of them is always the same, whichever thread
 * looks. */
static void transfer(struct worker* me) {
  sqlite3_stmt* move =
      prepare(me->database, "UPDATE accounts SET balance = balance + ?2 WHERE id = ?1");
  sqlite3_stmt* log = prepare(shared, "INSERT INTO log VALUES (?1, ?2)");
  uint64_t state = (uint64_t)me->number + 100;
  for (int i = 0; i < transfers; ++i) {
    const int from = (int)random_below(&state, kAccounts),
              to = (int)random_below(&state, kAccounts), amount = (int)random_below(&state, 50);
    run(me->database, "BEGIN IMMEDIATE");
    change(move, from, -amount, 0);
    change(move, to, amount, 0);
    run(me->database, i % 5 == 4 ? "ROLLBACK" : "COMMIT");
    change(log, me->number, amount, 0);
  }
  sqlite3_finalize(move);
  sqlite3_finalize(log);
}

static void ask(struct worker* me) {
  sqlite3_stmt* query = prepare(
      me->database,
      "SELECT a.id, a.balance, count(*), sum(e.amount), max(e.note), (SELECT sum(balance) FROM "
      "accounts) "
      "FROM accounts a JOIN entries e ON e.account = a.id WHERE e.amount % ?1 = ?2 AND a.id >= ?3 "
      "GROUP BY a.id ORDER BY sum(e.amount) DESC, a.id LIMIT 20");
  for (int i = 0; i < queries; ++i) {
    const int values[] = {7 + i % 5, (i + me->number) % 7, i % 16};
    for (int v = 0; v < 3; ++v) sqlite3_bind_int(query, v + 1, values[v]);
    while (sqlite3_step(query) == SQLITE_ROW) {
      for (int column = 0; column < sqlite3_column_count(query); ++column) {
        const char* text = (const char*)sqlite3_column_text(query, column);
        me->answers = checksum_bytes(me->answers, text, strlen(text));
      }
    }
    if (sqlite3_reset(query) != SQLITE_OK) fail(me->database, "query");
  }
  sqlite3_finalize(query);
}

static void* work(void* argument) {
  struct worker* me = argument;
  me->database = open_database();
  insert_rows(me);
  transfer(me);
  pthread_barrier_wait(&barrier);
  ask(me);
  sqlite3_close(me->database);
  return NULL;
}

static int print_row(void* unused, int columns, char** values, char** names) {
  (void)unused;
  for (int i = 0; i < columns; ++i) printf("%s%s %s", i == 0 ? "" : ", ", names[i], values[i]);
  puts("");
  return 0;
}

int main(void) {
  if (scanf("rows %d transfers %d queries %d", &rows, &transfers, &queries) != 3) {
    fputs("expected \"rows N\", \"transfers N\" and \"queries N\" on standard input\n", stderr);
    return 2;
  }
  if (sqlite3_open(":memory:", &shared) != SQLITE_OK) fail(shared, "open");
  run(shared, "CREATE TABLE log (thread, amount)");
  sqlite3* const database = open_database();
  run(database,
      "CREATE TABLE entries (id INTEGER PRIMARY KEY, account, amount, note);"
      "CREATE INDEX of_account ON entries (account);"
      "CREATE TABLE accounts (id INTEGER PRIMARY KEY, balance)");
  sqlite3_stmt* account = prepare(database, "INSERT INTO accounts VALUES (?1, ?2)");
  for (int i = 0; i < kAccounts; ++i) change(account, i, kStart, 0);
  sqlite3_finalize(account);

  struct worker workers[kThreads];
  memset(workers, 0, sizeof workers);
  pthread_barrier_init(&barrier, NULL, kThreads);
  for (int i = 0; i < kThreads; ++i) {
    workers[i].number = i;
    workers[i].answers = CHECKSUM_START;
    if (pthread_create(&workers[i].thread, NULL, work, &workers[i]) != 0)
      return perror("pthread_create"), 1;
  }
  for (int i = 0; i < kThreads; ++i) {
    pthread_join(workers[i].thread, NULL);
    printf("answers of thread %d: %016llx\n", i, (unsigned long long)workers[i].answers);
  }
  sqlite3_exec(database,
               "SELECT count(*) AS entries, sum(amount) AS amount, sum(id) AS ids FROM entries",
               print_row, NULL, NULL);
  sqlite3_exec(
      database,
      "SELECT sum(balance) AS balance, min(balance) AS least, max(balance) AS most FROM accounts",
      print_row, NULL, NULL);
  sqlite3_exec(database, "PRAGMA integrity_check", print_row, NULL, NULL);
  sqlite3_exec(shared,
               "SELECT thread, count(*) AS transfers, sum(amount) AS amount FROM log GROUP BY "
               "thread ORDER BY thread",
               print_row, NULL, NULL);
  sqlite3_close(database);
  sqlite3_close(shared);
  return 0;
}
