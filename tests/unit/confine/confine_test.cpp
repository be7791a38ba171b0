// What can a confined process still do, how does it end otherwise, and what is said when the kernel
// does not confine it?
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <future>
#include <stdexcept>
#include <vector>

#include "tests/security/confined_child.h"

namespace strobe::confine {
namespace {

using security::Ending;
using security::in_child;
using security::in_confined_child;
using testing::HasSubstr;
using testing::IsEmpty;

volatile std::sig_atomic_t interrupted = 0;

TEST(Confine, ARefusedCallEndsTheProcessWithASentenceThatNamesIt) {
  const Ending ending = in_confined_child({}, [] { return socket(AF_INET, SOCK_STREAM, 0); });
  EXPECT_EQ(ending.exit_code, kExitRefusedCall);
  EXPECT_EQ(
      ending.err,
      "\nstrobe: error: the simulator tried the host's system call socket, which no run needs, and "
      "was stopped before it: either the program exploits a fault of the simulator, or the "
      "simulator itself is at fault; please report it (--no-confine runs a program you trust)\n");
}

TEST(Confine, ACallWithoutANameIsNamedByItsNumber) {
  EXPECT_THAT(in_confined_child({}, [] { return static_cast<int>(syscall(1000)); }).err,
              HasSubstr("the host's system call number 1000, which no run needs"));
}

TEST(Confine, MemoryExceptionsAndSignalsWorkAsBefore) {
  const Ending ending = in_confined_child({}, [] {
    std::vector<char> large(64 << 20, 'x');
    large.resize(128 << 20);
    try {
      throw std::runtime_error("caught");
    } catch (const std::runtime_error&) {
    }
    std::signal(SIGINT, [](int) { interrupted = 1; });
    std::raise(SIGINT);
    return interrupted == 1 ? 0 : 1;
  });
  EXPECT_EQ(ending.exit_code, 0) << ending.err;
}

TEST(Confine, AbortEndsTheProcessAsBefore) {
  EXPECT_EQ(in_confined_child({}, []() -> int { std::abort(); }).signal, SIGABRT);
}

TEST(Confine, NoTerminalIsSeen) {
  EXPECT_EQ(in_confined_child({},
                              [] {
                                int left = 0;
                                return ioctl(STDERR_FILENO, FIONREAD, &left) == 0 ? 0 : errno;
                              })
                .exit_code,
            ENOTTY);
}

TEST(Confine, LimitsAreReadAndNotSet) {
  EXPECT_EQ(in_confined_child({},
                              [] {
                                rlimit limit{};
                                return getrlimit(RLIMIT_STACK, &limit);
                              })
                .exit_code,
            0);
  const Ending set = in_confined_child({}, [] {
    const rlimit limit{RLIM_INFINITY, RLIM_INFINITY};
    return setrlimit(RLIMIT_CORE, &limit);
  });
  EXPECT_THAT(set.err, HasSubstr("prlimit64"));
}

TEST(Confine, ThreadsStartOnlyWhereTheyWereGranted) {
  const auto in_thread = [](const std::function<int()>& work) {
    return [work] { return std::async(std::launch::async, work).get(); };
  };
  Grants grants;
  EXPECT_EQ(in_confined_child(grants, in_thread([] { return 0; })).signal, SIGSYS)
      << "the C library blocks all signals there, so nothing can be said";
  grants.threads = true;
  EXPECT_EQ(in_confined_child(grants, in_thread([] { return 0; })).exit_code, 0);
  const Ending refused =
      in_confined_child(grants, in_thread([] { return socket(AF_INET, SOCK_STREAM, 0); }));
  EXPECT_EQ(refused.exit_code, kExitRefusedCall);
  const Ending forked = in_confined_child(grants, [] { return static_cast<int>(fork()); });
  EXPECT_EQ(forked.exit_code, kExitRefusedCall);
}

TEST(Confine, ItsChildIsKilledAndWaitedForAndNoOtherProcess) {
  const auto with_child = [](bool parent) {
    return in_child([parent] {
      const pid_t above = getppid();
      const pid_t own = getpid();
      Grants grants;
      grants.child = fork();
      if (grants.child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() == own) pause();  // else the parent has ended before the call
        _exit(0);
      }
      confine(grants);
      if (parent) kill(above, SIGCONT);
      if (kill(grants.child, SIGKILL) != 0) return errno;
      int status = 0;
      waitpid(grants.child, &status, 0);
      return WIFSIGNALED(status) ? 0 : 1;
    });
  };
  const Ending own = with_child(false);
  EXPECT_EQ(own.exit_code, 0) << own.err;
  EXPECT_THAT(with_child(true).err, HasSubstr("system call kill,"));
}

/// What confine() says where the kernel answers `call` with `error`.
Ending confined_without(int call, int error) {
  return in_child([&] {
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    seccomp_rule_add_array(filter, SCMP_ACT_ERRNO(static_cast<unsigned>(error)), call, 0, nullptr);
    if (seccomp_load(filter) != 0) return 98;
    const Confinement found = confine({});
    for (const std::string& sentence : found.missing) {
      [[maybe_unused]] const ssize_t size =
          write(STDERR_FILENO, (sentence + "\n").c_str(), sentence.size() + 1);
    }
    return (found.system_calls ? 1 : 0) + (found.landlock ? 2 : 0);
  });
}

TEST(Confine, WithoutLandlockTheFilterIsInForceAndTheReasonIsSaid) {
  const Ending old = confined_without(SCMP_SYS(landlock_create_ruleset), ENOSYS);
  EXPECT_EQ(old.exit_code, 1);
  EXPECT_EQ(old.err,
            "the kernel does not restrict which files this process may open (Landlock): the kernel "
            "has no Landlock, or it is switched off: Function not implemented\n");
  const Ending refused = confined_without(SCMP_SYS(landlock_restrict_self), EPERM);
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_THAT(refused.err, HasSubstr("cannot be put in force: Operation not permitted"));
}

TEST(Confine, WithoutSeccompThePathsAreBoundedAndTheReasonIsSaid) {
  const Ending ending = confined_without(SCMP_SYS(seccomp), EPERM);
  EXPECT_EQ(ending.exit_code, 2);
  EXPECT_THAT(ending.err,
              HasSubstr("the kernel does not filter the system calls of this process (seccomp): "));
}

TEST(Confine, WithoutNoNewPrivilegesNothingIsInForceAndTheReasonIsSaid) {
  const Ending ending = confined_without(SCMP_SYS(prctl), EINVAL);
  EXPECT_EQ(ending.exit_code, 0);
  EXPECT_THAT(ending.err, HasSubstr("(PR_SET_NO_NEW_PRIVS): Invalid argument\n"));
}

TEST(Confine, WhereAllIsInForceNothingIsMissing) {
  const Ending ending = confined_without(SCMP_SYS(reboot), EPERM);
  EXPECT_EQ(ending.exit_code, 3);
  EXPECT_THAT(ending.err, IsEmpty());
}

}  // namespace
}  // namespace strobe::confine
