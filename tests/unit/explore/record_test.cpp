#include "sw/explore/store/record.h"

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sw/explore/store/database.h"
#include "tests/unit/config/scratch.h"

namespace strobe::explore {
namespace {

TEST(WriteWhole, APlaceThatCannotBeWrittenIsNotSaidToBeFull) {
  const config::Scratch scratch;
  const std::filesystem::path file = scratch.file("sweep.yaml");
  const uid_t self = geteuid();  // root may write anywhere, so the test takes another user's id
  chmod(file.parent_path().c_str(), 0555);
  ASSERT_EQ(seteuid(self == 0 ? 65534 : self), 0);
  std::string message = "no error";
  try {
    write_whole(file, "text");
  } catch (const FolderError& error) {
    message = error.what();
  }
  ASSERT_EQ(seteuid(self), 0);
  chmod(file.parent_path().c_str(), 0755);
  EXPECT_EQ(message, "cannot write " + file.string() +
                         ": Permission denied; make that place writable, and repeat the command: "
                         "every complete run is kept");
}

TEST(Database, ANameOfAnySortIsOneColumn) {
  Database database(":memory:");
  const std::string name = R"(a" FROM b; --)";
  database.run("CREATE TABLE t (" + quoted_name(name) + ")");
  database.run("INSERT INTO t VALUES (7)");
  EXPECT_EQ(database.integer("SELECT " + quoted_name(name) + " FROM t"), 7);
}

TEST(Database, AReadOnlyDatabaseIsNotSaidToBeFull) {
  const config::Scratch scratch;
  const std::string file = scratch.file("sweep.sqlite");
  Database(file).run("CREATE TABLE t (a)");
  Database database(file, Database::Access::kRead);
  std::string message = "no error";
  try {
    database.run("INSERT INTO t VALUES (7)");
  } catch (const DatabaseError& error) {
    message = error.what();
  }
  EXPECT_EQ(message, "the database " + file +
                         ": attempt to write a readonly database; make that place writable, and "
                         "start the sweep again: every complete run is kept");
}

}  // namespace
}  // namespace strobe::explore
