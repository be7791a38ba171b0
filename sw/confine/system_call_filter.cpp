#include "sw/confine/system_call_filter.h"

#include <fcntl.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

#include "sw/confine/violation.h"

namespace strobe::confine {
namespace {

// Calls that are allowed with any arguments. The sandbox of the guest, and also Landlock, decide
// which files the calls with a path can reach.
constexpr int kAllowedCalls[] = {
    // memory
    SCMP_SYS(brk), SCMP_SYS(madvise), SCMP_SYS(mremap), SCMP_SYS(munmap),
    // open files
    SCMP_SYS(close), SCMP_SYS(fchmod), SCMP_SYS(fstat), SCMP_SYS(fstatfs), SCMP_SYS(fsync),
    SCMP_SYS(ftruncate), SCMP_SYS(getdents64), SCMP_SYS(lseek), SCMP_SYS(pread64),
    SCMP_SYS(pwrite64), SCMP_SYS(read), SCMP_SYS(readv), SCMP_SYS(write), SCMP_SYS(writev),
    // paths
    SCMP_SYS(getcwd), SCMP_SYS(lstat), SCMP_SYS(mkdir), SCMP_SYS(mkdirat), SCMP_SYS(newfstatat),
    SCMP_SYS(openat), SCMP_SYS(openat2), SCMP_SYS(readlink), SCMP_SYS(readlinkat), SCMP_SYS(rename),
    SCMP_SYS(renameat), SCMP_SYS(renameat2), SCMP_SYS(rmdir), SCMP_SYS(stat), SCMP_SYS(statx),
    SCMP_SYS(unlink), SCMP_SYS(unlinkat),
    // time, random numbers and the process itself
    SCMP_SYS(clock_gettime), SCMP_SYS(clock_nanosleep), SCMP_SYS(exit), SCMP_SYS(exit_group),
    SCMP_SYS(futex), SCMP_SYS(getpid), SCMP_SYS(getrandom), SCMP_SYS(getrusage), SCMP_SYS(gettid),
    SCMP_SYS(gettimeofday), SCMP_SYS(restart_syscall), SCMP_SYS(rt_sigprocmask),
    SCMP_SYS(rt_sigreturn), SCMP_SYS(sched_yield), SCMP_SYS(sysinfo), SCMP_SYS(uname)};

// Calls that a thread makes when it starts or ends.
constexpr int kOfThreads[] = {SCMP_SYS(rseq), SCMP_SYS(sched_getaffinity),
                              SCMP_SYS(set_robust_list)};

// F_SETOWN and F_SETSIG are left out, because they make the kernel signal another process.
constexpr int kFileControls[] = {F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL, F_SETFL};

/// Conditions on an argument.
scmp_arg_cmp equal(unsigned argument, uint64_t value) { return {argument, SCMP_CMP_EQ, value, 0}; }
scmp_arg_cmp unequal(unsigned argument, uint64_t value) {
  return {argument, SCMP_CMP_NE, value, 0};
}
scmp_arg_cmp masked(unsigned argument, uint64_t mask, uint64_t value) {
  return {argument, SCMP_CMP_MASKED_EQ, mask, value};
}

class Filter {
 public:
  Filter() : filter_(seccomp_init(SCMP_ACT_TRAP), &seccomp_release) {
    if (!filter_) error_ = ENOMEM;
    set(SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS);
    set(SCMP_FLTATR_CTL_TSYNC, 1);
    // Older kernels slow a filtered process down to protect it from speculation by code that it
    // does not trust. This process only interprets such code and never runs it.
    set(SCMP_FLTATR_CTL_SSB, 1);
  }

  void allow(int call, const std::vector<scmp_arg_cmp>& conditions = {}) {
    rule(SCMP_ACT_ALLOW, call, conditions);
  }
  void fail(int call, int error) { rule(SCMP_ACT_ERRNO(static_cast<unsigned>(error)), call, {}); }

  /// @return 0 or the error number of the first step that failed
  int load() {
    if (error_ == 0) error_ = -seccomp_load(filter_.get());
    return error_;
  }

 private:
  void set(scmp_filter_attr attribute, uint32_t value) {
    if (error_ == 0) error_ = -seccomp_attr_set(filter_.get(), attribute, value);
  }
  void rule(uint32_t action, int call, const std::vector<scmp_arg_cmp>& conditions) {
    if (error_ != 0) return;
    error_ = -seccomp_rule_add_array(filter_.get(), action, call,
                                     static_cast<unsigned>(conditions.size()), conditions.data());
  }

  std::unique_ptr<void, void (*)(scmp_filter_ctx)> filter_;
  int error_ = 0;
};

void add_rules(const Grants& grants, Filter& filter) {
  for (const int call : kAllowedCalls) filter.allow(call);
  filter.allow(SCMP_SYS(mmap), {masked(2, PROT_EXEC, 0)});
  filter.allow(SCMP_SYS(mprotect), {masked(2, PROT_EXEC, 0)});
  for (const int command : kFileControls) {
    filter.allow(SCMP_SYS(fcntl), {equal(1, static_cast<uint64_t>(command))});
  }
  // The C library reads the limits of this process but sets none.
  filter.allow(SCMP_SYS(prlimit64), {equal(0, 0), equal(2, 0)});
  filter.allow(SCMP_SYS(rt_sigaction), {unequal(0, SIGSYS)});
  filter.allow(SCMP_SYS(tgkill), {equal(0, static_cast<uint64_t>(getpid()))});  // abort()
  // The C library asks whether stdout is a terminal, and works without the answer.
  filter.fail(SCMP_SYS(ioctl), ENOTTY);
  if (grants.child != 0) {
    filter.allow(SCMP_SYS(kill),
                 {equal(0, static_cast<uint64_t>(grants.child)), equal(1, SIGKILL)});
    filter.allow(SCMP_SYS(wait4));
  }
  if (grants.threads) {
    for (const int call : kOfThreads) filter.allow(call);
    // clone3 has its arguments in memory, which a filter cannot read. When it fails, the C library
    // uses clone.
    filter.fail(SCMP_SYS(clone3), ENOSYS);
    constexpr uint64_t kThread = CLONE_THREAD | CLONE_SIGHAND | CLONE_VM;
    constexpr uint64_t kNamespaces = CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC |
                                     CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET;
    filter.allow(SCMP_SYS(clone), {masked(0, kThread | kNamespaces, kThread)});
  }
}

std::string name_of(int number) {
  const std::unique_ptr<char, void (*)(void*)> name(
      seccomp_syscall_resolve_num_arch(SCMP_ARCH_NATIVE, number), &std::free);
  return name ? name.get() : "";
}

}  // namespace

void filter_system_calls(const Grants& grants, Confinement& confinement) {
  end_at_refused_calls(name_of);
  Filter filter;
  add_rules(grants, filter);
  if (const int error = filter.load()) {
    confinement.missing.push_back(
        std::string("the kernel does not filter the system calls of this process (seccomp): ") +
        std::strerror(error));
    return;
  }
  confinement.system_calls = true;
}

}  // namespace strobe::confine
