#include "sw/confine/file_rules.h"

#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <utility>

namespace strobe::confine {
namespace {

// Rights that Debian's <linux/landlock.h> does not have yet.
constexpr uint64_t kTruncate = uint64_t{1} << 14;       // from ABI 3 on
constexpr uint64_t kDeviceControl = uint64_t{1} << 15;  // from ABI 5 on

// ABI 1 cannot allow renaming from one directory to another, which programs may do.
constexpr int kFirstAbi = 2;

constexpr uint64_t kReads = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
constexpr uint64_t kRemoves = LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR;
constexpr uint64_t kWrites = LANDLOCK_ACCESS_FS_WRITE_FILE | kTruncate | kRemoves |
                             LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_DIR |
                             LANDLOCK_ACCESS_FS_REFER;
constexpr uint64_t kHandledRights = kReads | kWrites | LANDLOCK_ACCESS_FS_EXECUTE |
                                    LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_SOCK |
                                    LANDLOCK_ACCESS_FS_MAKE_FIFO | LANDLOCK_ACCESS_FS_MAKE_BLOCK |
                                    LANDLOCK_ACCESS_FS_MAKE_SYM | kDeviceControl;
constexpr uint64_t kOfFiles = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE |
                              kTruncate | LANDLOCK_ACCESS_FS_EXECUTE;

uint64_t rights_of(Access access) {
  switch (access) {
    case Access::kRead:
      return kReads;
    case Access::kExecute:
      return kReads | LANDLOCK_ACCESS_FS_EXECUTE;
    case Access::kWrite:
      return kReads | kWrites;
    case Access::kRemove:
      return LANDLOCK_ACCESS_FS_READ_DIR | kRemoves;
    case Access::kPlaceDirectory:
      return LANDLOCK_ACCESS_FS_READ_DIR | LANDLOCK_ACCESS_FS_MAKE_DIR |
             LANDLOCK_ACCESS_FS_REMOVE_DIR;
    case Access::kPlaceFile:
      return LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_REMOVE_FILE;
  }
  return 0;
}

/// The rights that a kernel of this ABI knows.
uint64_t known_rights(int abi) {
  uint64_t rights = kHandledRights;
  if (abi < 3) rights &= ~kTruncate;
  if (abi < 5) rights &= ~kDeviceControl;
  return rights;
}

/// An open file that closes itself.
class Descriptor {
 public:
  explicit Descriptor(long fd) : fd_(static_cast<int>(fd)) {}
  ~Descriptor() {
    if (fd_ >= 0) close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }
  int release() { return std::exchange(fd_, -1); }
  explicit operator bool() const { return fd_ >= 0; }

 private:
  int fd_;
};

/// Adds one grant. @return 0 or an error number
int add_rule(int ruleset, const PathGrant& grant, uint64_t known) {
  const Descriptor path(open(grant.path.c_str(), O_PATH | O_CLOEXEC));
  if (!path) return errno == ENOENT || errno == ENOTDIR ? 0 : errno;
  struct stat status {};
  if (fstat(path.get(), &status) != 0) return errno;
  landlock_path_beneath_attr rule{};
  rule.parent_fd = path.get();
  rule.allowed_access = rights_of(grant.access) & known;
  if (!S_ISDIR(status.st_mode)) rule.allowed_access &= kOfFiles;
  if (rule.allowed_access == 0) return 0;
  const long result = syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
  return result == 0 ? 0 : errno;
}

std::string not_in_force(const std::string& why) {
  return "the kernel does not restrict which files this process may open (Landlock): " + why;
}

std::string failure(const std::string& what) {
  return not_in_force(what + ": " + std::strerror(errno));
}

}  // namespace

PathRules::PathRules(const std::vector<PathGrant>& grants, std::vector<std::string>* missing) {
  const long version =
      syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
  if (version < 0) {
    missing->push_back(failure("the kernel has no Landlock, or it is switched off"));
    return;
  }
  abi_ = static_cast<int>(version);
  if (abi_ < kFirstAbi) {
    missing->push_back(not_in_force("expected version 2 or later, got version 1"));
    return;
  }
  landlock_ruleset_attr attributes{};
  attributes.handled_access_fs = known_rights(abi_);
  Descriptor ruleset(syscall(SYS_landlock_create_ruleset, &attributes, sizeof attributes, 0));
  if (!ruleset) {
    missing->push_back(failure("no rules can be made"));
    return;
  }
  for (const PathGrant& grant : grants) {
    if (const int error = add_rule(ruleset.get(), grant, attributes.handled_access_fs)) {
      errno = error;
      missing->push_back(failure("no rule can be made for " + grant.path));
      return;
    }
  }
  ruleset_ = ruleset.release();
}

PathRules::~PathRules() {
  if (made()) close(ruleset_);
}

int PathRules::put_in_force() const {
  if (!made()) return 0;
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return errno;
  return syscall(SYS_landlock_restrict_self, ruleset_, 0) == 0 ? 0 : errno;
}

void bound_paths(const std::vector<PathGrant>& grants, Confinement& confinement) {
  const PathRules rules(grants, &confinement.missing);
  if (!rules.made()) return;
  if (const int error = rules.put_in_force()) {
    errno = error;
    confinement.missing.push_back(failure("the rules cannot be put in force"));
    return;
  }
  confinement.landlock = rules.abi();
}

}  // namespace strobe::confine
