// What of the host can an attacker who runs code in a confined simulator still reach?
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <random>
#include <set>
#include <string>

#include "tests/security/confined_child.h"
#include "tests/security/nightly.h"

namespace strobe::security {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

template <class... Arguments>
std::function<int()> call(long number, Arguments... arguments) {
  return [=] { return static_cast<int>(syscall(number, arguments...)); };
}

struct Attack {
  const char* name;  // the name of the system call
  std::function<int()> work;
};

void* const kPage = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
const char* const kArguments[] = {"/bin/true", nullptr};

TEST(Confinement, RefusesWhatLeadsOutOfTheProcess) {
  const pid_t self = getpid();
  const Attack attacks[] = {
      {"execve", call(SYS_execve, kArguments[0], kArguments, nullptr)},
      {"execveat", call(SYS_execveat, AT_FDCWD, kArguments[0], kArguments, nullptr, 0)},
      {"fork", call(SYS_fork)},
      {"vfork", call(SYS_vfork)},
      {"clone", call(SYS_clone, SIGCHLD, 0, 0, 0, 0)},
      {"clone", call(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0)},
      {"clone3", call(SYS_clone3, kPage, 64)},
      {"socket", call(SYS_socket, AF_INET, SOCK_STREAM, 0)},
      {"socketpair", call(SYS_socketpair, AF_UNIX, SOCK_STREAM, 0, kPage)},
      {"connect", call(SYS_connect, 0, kPage, 16)},
      {"sendto", call(SYS_sendto, 1, kPage, 1, 0, nullptr, 0)},
      {"ptrace", call(SYS_ptrace, PTRACE_ATTACH, self, 0, 0)},
      {"process_vm_readv", call(SYS_process_vm_readv, self, kPage, 1, kPage, 1, 0)},
      {"process_vm_writev", call(SYS_process_vm_writev, self, kPage, 1, kPage, 1, 0)},
      {"pidfd_open", call(SYS_pidfd_open, self, 0)},
      {"pidfd_getfd", call(SYS_pidfd_getfd, 0, 0, 0)},
      {"kill", call(SYS_kill, self, SIGTERM)},
      {"kill", call(SYS_kill, -1, SIGTERM)},
      {"tkill", call(SYS_tkill, self, SIGTERM)},
      {"tgkill", call(SYS_tgkill, self, self, SIGTERM)},
      {"rt_sigqueueinfo", call(SYS_rt_sigqueueinfo, self, SIGTERM, kPage)},
      {"fcntl", call(SYS_fcntl, 0, F_SETOWN, self)},
      {"mprotect", call(SYS_mprotect, kPage, 4096, PROT_READ | PROT_EXEC)},
      {"mprotect", call(SYS_mprotect, kPage, 4096, PROT_READ | PROT_WRITE | PROT_EXEC)},
      {"pkey_mprotect", call(SYS_pkey_mprotect, kPage, 4096, PROT_EXEC, -1)},
      {"mmap",
       call(SYS_mmap, nullptr, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)},
      {"mmap", call(SYS_mmap, nullptr, 4096, PROT_EXEC, MAP_SHARED, 0, 0)},
      {"memfd_create", call(SYS_memfd_create, "x", 0)},
      {"shmat", call(SYS_shmat, 0, nullptr, 0)},
      {"shmget", call(SYS_shmget, 1, 4096, 0)},
      {"personality", call(SYS_personality, 0x0400000)},
      {"prctl", call(SYS_prctl, 22, 0, 0, 0, 0)},
      {"arch_prctl", call(SYS_arch_prctl, 0x1002, 0)},
      {"seccomp", call(SYS_seccomp, 0, 0, nullptr)},
      {"prlimit64", call(SYS_prlimit64, self, 7, nullptr, kPage)},
      {"prlimit64", call(SYS_prlimit64, 0, 7, kPage, nullptr)},
      {"setuid", call(SYS_setuid, 0)},
      {"capset", call(SYS_capset, kPage, kPage)},
      {"unshare", call(SYS_unshare, CLONE_NEWUSER)},
      {"setns", call(SYS_setns, 0, 0)},
      {"chroot", call(SYS_chroot, "/")},
      {"chdir", call(SYS_chdir, "/")},
      {"mount", call(SYS_mount, "x", "/mnt", "tmpfs", 0, nullptr)},
      {"umount2", call(SYS_umount2, "/mnt", 0)},
      {"open_by_handle_at", call(SYS_open_by_handle_at, 0, kPage, 0)},
      {"open", call(SYS_open, "/etc/passwd", O_RDONLY)},
      {"creat", call(SYS_creat, "/tmp/x", 0600)},
      {"link", call(SYS_link, "/etc/passwd", "/tmp/x")},
      {"linkat", call(SYS_linkat, AT_FDCWD, "/etc/passwd", AT_FDCWD, "/tmp/x", 0)},
      {"symlink", call(SYS_symlink, "/etc/passwd", "/tmp/x")},
      {"mknodat", call(SYS_mknodat, AT_FDCWD, "/tmp/x", 0010600, 0)},
      {"mknod", call(SYS_mknod, "/tmp/x", 0010600, 0)},
      {"chmod", call(SYS_chmod, "/tmp", 0777)},
      {"fchmodat", call(SYS_fchmodat, AT_FDCWD, "/tmp", 0777, 0)},
      {"chown", call(SYS_chown, "/tmp", 0, 0)},
      {"truncate", call(SYS_truncate, "/etc/passwd", 0)},
      {"utimensat", call(SYS_utimensat, AT_FDCWD, "/tmp", nullptr, 0)},
      {"setxattr", call(SYS_setxattr, "/tmp", "user.x", "", 0, 0)},
      {"io_uring_setup", call(SYS_io_uring_setup, 1, kPage)},
      {"bpf", call(SYS_bpf, 0, kPage, 64)},
      {"userfaultfd", call(SYS_userfaultfd, 0)},
      {"perf_event_open", call(SYS_perf_event_open, kPage, 0, -1, -1, 0)},
      {"keyctl", call(SYS_keyctl, 0, 0, 0, 0, 0)},
      {"init_module", call(SYS_init_module, kPage, 0, "")},
      {"kexec_load", call(SYS_kexec_load, 0, 0, nullptr, 0)},
      {"reboot", call(SYS_reboot, 0, 0, 0, nullptr)},
      {"settimeofday", call(SYS_settimeofday, kPage, nullptr)},
      {"setsid", call(SYS_setsid)},
      {"rt_sigaction", call(SYS_rt_sigaction, SIGSYS, kPage, nullptr, 8)},
      {"wait4", call(SYS_wait4, -1, nullptr, 0, nullptr)},
  };
  for (const Attack& attack : attacks) {
    const Ending ending = in_confined_child({}, attack.work);
    EXPECT_EQ(ending.exit_code, confine::kExitRefusedCall) << attack.name;
    EXPECT_THAT(ending.err, HasSubstr(std::string("system call ") + attack.name + ","));
  }
}

TEST(Confinement, PushesNoCharacterIntoTheTerminal) {
  constexpr unsigned long kPushCharacter = 0x5412;
  EXPECT_EQ(
      in_confined_child({},
                        [] {
                          char character = 'x';
                          return syscall(SYS_ioctl, 0, kPushCharacter, &character) == 0 ? 0 : errno;
                        })
          .exit_code,
      ENOTTY);
}

#ifdef __x86_64__
TEST(Confinement, RefusesTheSystemCallsOfOtherArchitectures) {
  constexpr long kX32 = 0x40000000;
  const Ending x32 = in_confined_child({}, call(kX32 + SYS_getpid));
  EXPECT_NE(x32.exit_code, 0);
  const Ending i386 = in_confined_child({}, [] {
    int number = 20, answer = 0;  // getpid
    asm volatile("int $0x80" : "=a"(answer) : "a"(number) : "memory");
    return 0;
  });
  EXPECT_NE(i386.signal, 0) << "the kernel kills such a process";
}
#endif

/// The calls that the filter lets through, whatever their arguments, or some.
const std::set<long> kLetThrough = {SYS_brk,
                                    SYS_clock_gettime,
                                    SYS_clock_nanosleep,
                                    SYS_close,
                                    SYS_exit,
                                    SYS_exit_group,
                                    SYS_fchmod,
                                    SYS_fcntl,
                                    SYS_fstat,
                                    SYS_fstatfs,
                                    SYS_fsync,
                                    SYS_ftruncate,
                                    SYS_futex,
                                    SYS_getcwd,
                                    SYS_getdents64,
                                    SYS_getpid,
                                    SYS_getrandom,
                                    SYS_getrusage,
                                    SYS_gettid,
                                    SYS_gettimeofday,
                                    SYS_ioctl,
                                    SYS_lseek,
                                    SYS_lstat,
                                    SYS_madvise,
                                    SYS_mkdir,
                                    SYS_mkdirat,
                                    SYS_mmap,
                                    SYS_mprotect,
                                    SYS_mremap,
                                    SYS_munmap,
                                    SYS_newfstatat,
                                    SYS_openat,
                                    SYS_openat2,
                                    SYS_pread64,
                                    SYS_prlimit64,
                                    SYS_pwrite64,
                                    SYS_read,
                                    SYS_readlink,
                                    SYS_readlinkat,
                                    SYS_readv,
                                    SYS_rename,
                                    SYS_renameat,
                                    SYS_renameat2,
                                    SYS_restart_syscall,
                                    SYS_rmdir,
                                    SYS_rt_sigaction,
                                    SYS_rt_sigprocmask,
                                    SYS_rt_sigreturn,
                                    SYS_sched_yield,
                                    SYS_stat,
                                    SYS_statx,
                                    SYS_sysinfo,
                                    SYS_tgkill,
                                    SYS_uname,
                                    SYS_unlink,
                                    SYS_unlinkat,
                                    SYS_write,
                                    SYS_writev};

/// uretprobe and uprobe, which newer kernels show to no filter: code that the kernel has put into a
/// process calls them, from anywhere else they do nothing.
const std::set<long> kOfTheKernel = {335, 336};

TEST(Confinement, RefusesEveryCallThatIsNotOnTheList) {
  constexpr long kNumbers = 520;
  std::mt19937_64 random(1);
  for (uint64_t round = 0; round < rounds(1, 30); ++round) {
    for (long number = 0; number < kNumbers; ++number) {
      if (kLetThrough.count(number) != 0 || kOfTheKernel.count(number) != 0) continue;
      uint64_t arguments[6];
      for (uint64_t& argument : arguments) argument = random() >> (random() % 64);
      const Ending ending =
          in_confined_child({}, call(number, arguments[0], arguments[1], arguments[2], arguments[3],
                                     arguments[4], arguments[5]));
      ASSERT_EQ(ending.exit_code, confine::kExitRefusedCall) << "call " << number;
    }
  }
}

class Paths : public testing::Test {
 protected:
  Paths() {
    std::string pattern = (fs::temp_directory_path() / "strobe-paths-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("mkdtemp failed");
    top_ = pattern;
    fs::create_directory(top_ / "in");
    std::ofstream(top_ / "secret") << "key\n";
    fs::create_symlink(top_ / "secret", top_ / "in/link");
    fs::create_directory_symlink("/proc/self", top_ / "in/self");
    grants_.paths = {{(top_ / "in").string(), confine::Access::kWrite}};
  }
  ~Paths() override { fs::remove_all(top_); }

  confine::Grants grants_;
  fs::path top_;
};

TEST_F(Paths, LeadNowhereButToWhatWasGranted) {
  const int above = open(top_.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
  const fs::path in = top_ / "in";
  for (const fs::path& path :
       {fs::path("/etc/passwd"), fs::path("/etc"), fs::path("/"), fs::path("/proc/self/mem"),
        fs::path("/proc/self/maps"), fs::path("/dev/mem"), fs::path("/dev/tty"),
        fs::path("/sys/kernel"), top_ / "secret", in / "../secret", in / "link", in / "self/mem",
        in / "self/environ", in / "self/root/etc/passwd"}) {
    for (const int flags : {O_RDONLY, O_WRONLY, O_RDWR, O_WRONLY | O_CREAT}) {
      const Ending ending = in_confined_child(
          grants_, [&] { return openat(AT_FDCWD, path.c_str(), flags, 0600) < 0 ? 7 : 0; });
      EXPECT_EQ(ending.exit_code, 7) << path << " " << flags;
    }
  }
  EXPECT_EQ(in_confined_child(
                grants_, [above] { return openat(above, "secret", O_RDONLY) >= 0 ? 0 : errno; })
                .exit_code,
            EACCES)
      << "a descriptor above is no way round";
  close(above);
}

}  // namespace
}  // namespace strobe::security
