// System calls with odd arguments return what they return under qemu-riscv64
// (programs/odd_calls.c), but for the differences that are listed here.
#include <unistd.h>

#include <cstdio>
#include <map>
#include <regex>
#include <set>

#include "sc_models/isa/linux/calls/system_calls.h"
#include "tests/security/nightly.h"
#include "tests/unit/linux/program_fixture.h"

namespace strobe::isa {
namespace {

/// Calls that the program does not make, of those that the proxy has.
const std::map<std::string, const char*> kLeftOut = {
    {"clone", "starts a thread or a process, which takes more than odd arguments"},
    {"clone3", "likewise"},
    {"execve", "stops the run"},
    {"execveat", "stops the run"},
    {"exit", "ends the program"},
    {"exit_group", "ends the program"},
    {"sync", "cannot fail, and waits for the disks of the host"},
    {"rt_sigreturn", "takes over the registers that it finds on the stack"},
};

/// A difference between the worlds that has a reason.
struct Known {
  const char* call;    // regular expressions: the call with its arguments,
  const char* ours;    // what it returns here
  const char* theirs;  // and what under qemu-riscv64
  const char* reason;
};

const char kAny[] = ".*", kError[] = "E.*", kNumber[] = "[0-9]+";

const Known kKnown[] = {
    // qemu-riscv64 looks at addresses before it looks at anything else.
    {kAny, kError, "EFAULT", "Linux finds the other error first"},
    {"(read|write|pread64|pwrite64|getcwd|getrandom|recvfrom|sendto) .*", kNumber, "EFAULT",
     "Linux stops at the page that is missing"},
    {"(ppoll|pselect6) .*", kNumber, "EFAULT",
     "Linux does not mind that it cannot write back the time"},
    {"(clock_getres|getitimer|timerfd_gettime) .*", "EFAULT", "0",
     "it does not look whether it could write"},
    {"rt_sigpending .* 0", "0", "EFAULT", "for no bytes Linux does not look"},
    {"(readv|writev|preadv|pwritev) .*", "EFAULT", kAny, "Linux looks at every address at first"},
    {"mincore .*", "E(FAULT|INVAL)", "ENOMEM", "it looks whether the range is mapped first"},
    {"mincore .* 0 .*", "0", "EFAULT", "for no bytes Linux does not write"},
    // It takes whole registers where Linux takes an int.
    {"(dup3|fcntl|prctl|epoll_create1|pipe2|memfd_create|getsockopt|setsockopt|ioctl) "
     ".*0x[1-9a-f][0-9a-f]{8,15}( .*)?",
     kAny, kError, "the upper half of the register does not count"},
    {"mprotect .* 0x[1-9a-f][0-9a-f]{8,15}", "EINVAL", kAny, "the whole register counts"},
    {"mremap .* 0x[1-9a-f][0-9a-f]{8,15} .*", "EINVAL", kAny, "the whole register counts"},
    // Calls and arguments that it does not have, or looks at in another order.
    {"(preadv2|pwritev2|mlock2|copy_file_range|epoll_pwait2|(get|set)_robust_list) .*", kAny,
     "ENOSYS", "it does not have them"},
    {"(sendmsg|recvmsg) .*", kError, "0", "it does nothing for no vectors"},
    {"sysinfo 0", "EFAULT", "0", "it does not look whether it could write"},
    {"sched_[gs]etaffinity .*", "ESRCH|EFAULT", "EINVAL", "it wants whole words of a mask"},
    {"(mmap|mremap) .*", kError, kError, "it looks at sizes and places first"},
    {"epoll_pwait .*", "EFAULT", "EINVAL", "it counts events first"},
    {"epoll_pwait .*", "0", "EFAULT", "it looks whether it could write events, of which are none"},
    {"timer_settime .*", "EFAULT", "EINVAL", "it looks for the timer first"},
    {"setsockopt .*", kError, "EINVAL", "it looks at the size first"},
    {"futex .*", "EFAULT", "EINVAL", "both hold"},
    {"futex .* 0x[0-9a-f]*8[0-9a-f] .*", "EFAULT", "0|EAGAIN", "Linux compares addresses alone"},
    {"pselect6 0 .*", "0", "EFAULT", "Linux reads no bytes of a set"},
    {"mmap .*", "EINVAL", "0", "it does not look at the kind of a mapping"},
    {"mremap .*", "EFAULT", "0", "Linux does not look at what stays as it is"},
    {"recvfrom .* 0 .*", "0", "EAGAIN", "no bytes are there at once"},
    {"futex (.* )?read-only .*", "[0-9]+", "EFAULT",
     "futexes of a process and shared ones are the same"},
    {"(recvfrom|read) .*", "EFAULT", "EAGAIN", "Linux does not look when there is nothing"},
    {"setgroups .*", "EPERM", "EINVAL", "it counts groups first"},
    {"openat .* '\\.' .*", "EISDIR", "EEXIST", "both hold"},
    {"(readv|writev|preadv|pwritev) .* 0( .*)?", kError, "0", "it does nothing for no vectors"},
    {"(readv|writev|preadv|pwritev) .*", "EBADF|ESPIPE", "EINVAL", "it counts vectors first"},
    {"(getsockopt|setsockopt) .*", kError, "EOPNOTSUPP|ENOPROTOOPT", "it knows other levels"},
    {"(fcntl|copy_file_range) .*", "EBADF", "EINVAL", "it looks at other arguments first"},
    {"ioctl .*", kError, "EINVAL|ENOSYS", "it looks at the command first"},
    {"madvise .*", kError, "0", "it takes most advice without a look"},
    {"mlockall .*", "EINVAL", "0|ENOMEM", "it does not know which flags there are"},
    {"mprotect .* 0 .*", "0", "ENOMEM", "Linux does nothing for no bytes"},
    {"openat .* 0x[0-9a-f]*3 .*", "EINVAL", kAny,
     "there is no file that can neither be read nor written"},
    {"getdents64 .*", kError, "ENOMEM", "it wants a buffer of its own first"},
    {"prlimit64 P 0x([0-9a-f]*0)?[239] .*", "EFAULT", "0", "it keeps these limits as they are"},
    // What the host decides.
    {"(epoll_create1|pipe2|timerfd_create) .*", "EINVAL", "[0-9]+|ENOPKG",
     "some hosts take any flag"},
    {"sendto .*", "ENOTSOCK", "EINVAL", "some hosts look at the address first"},
    {"write .*", "8", "EINVAL", "some hosts take eight bytes for an eventfd and no more"},
    {"utimensat .*", "0", "EPERM", "the test's directory is of another user"},
    {"fallocate .*", "0", "ENOSPC", "the file is made longer, and takes no room on the disk"},
    {"(mlock|munlock) .*", "EINVAL", "ENOMEM", "some hosts look at the end in another way"},
    {"(mlock|mlockall) .*", "0", "ENOMEM|EPERM", "limits are not enforced here"},
    {"sendfile .*", "EINVAL", "0|EAGAIN", "some hosts look at the bytes first"},
    {"(pread64|write) .*", "0|EFAULT", "EINVAL", "some hosts look at the size first"},
    {"fcntl .* 0x[0-9a-f]*3 .*", "32770", "2", "some hosts do not show O_LARGEFILE"},
    {"membarrier .*", kAny, kAny, "the kinds of barriers that the host has"},
    {"(getpriority|getpgid|getsid) .*", "ESRCH|[0-9]+", "[0-9]+|ESRCH",
     "other processes are not seen here, and the own number is another"},
    {"setpriority .*", "0|ESRCH|EACCES", "EACCES|EPERM|ESRCH",
     "other processes, and how the test was started"},
    {"getgroups .*", "1|EFAULT", "0|EINVAL", "the user has other groups"},
    {"(setsid|setpgid)( .*)?", "EPERM", "[0-9]+|ESRCH", "the program leads its session here"},
    {"sched_getaffinity .*", "8", kNumber, "how many processors there are"},
    {"setgroups .*", "0", "EPERM", "Linux asks for a right even when nothing changes"},
    // Policies of the sandbox and of the proxy (docs/linux-proxy.md).
    {"(mknodat|symlinkat|linkat|fchownat|fchown) .*", "EPERM|ENAMETOOLONG", kAny,
     "the sandbox has no devices and links, and no other owners"},
    {"fallocate .*", "EOPNOTSUPP", "0|EINVAL|ENODEV", "mode 0 alone"},
    {"sched_setscheduler .*", "EPERM", "0", "there is one scheduling class"},
    {"sched_getscheduler .*", "0", "[35]", "there is one scheduling class"},
    {"mremap .* 0x[0-9a-f]*[4-7c-f] .*", "EINVAL", kAny, "without MREMAP_DONTUNMAP"},
    {"(fchmod|fchmodat) .*", "EPERM", "0|EOPNOTSUPP",
     "what is inside of the program has no permissions"},
    {"memfd_create .*", "EINVAL", kNumber, "without huge pages"},
    {"lseek .* 0x[0-9a-f]*[34]", "EINVAL", kAny, "without SEEK_DATA and SEEK_HOLE"},
    {"fcntl .* 0x[0-9a-f]*407 .*", "65536", kNumber, "a pipe keeps its size"},
    {"(dup3|close|fcntl) .*400.*", "EBADF", kNumber, "there are 1,024 descriptors"},
    {"copy_file_range .*", kNumber, "EXDEV", "between files of every kind"},
    {"readlinkat .*", "ENOENT", "EINVAL", "/dev/null is no file of the sandbox"},
    {"socketpair .*", kError, kError, "there is no network"},
    {"(unlinkat|renameat2|mkdirat|truncate|fchmodat|utimensat|openat) .*", "E(NOENT|ROFS|ACCES)",
     kError, "/dev/null is the only device, and cannot be changed"},
    {"utimensat .* '/dev/null' .*", "ENOENT", "0", "/dev/null is no file of the sandbox"},
    {"recvfrom .* 0x[0-9a-f]*[13579bdf]", "EOPNOTSUPP|EFAULT", "EINVAL",
     "without out-of-band data"},
    {"renameat2 .* 0x[0-9a-f]*[4-7c-f]", "EINVAL", kAny, "without RENAME_WHITEOUT"},
};

class OddCallTest : public ProgramTest {
 protected:
  static constexpr uint64_t kSeed = 7, kSlice = 200;

  /// The lines that the program prints, by the number of the call.
  static std::map<uint64_t, std::string> lines_of(const std::string& output) {
    std::map<uint64_t, std::string> lines;
    std::istringstream text(output);
    for (std::string line; std::getline(text, line);) {
      const size_t blank = line.find(' ');
      if (blank == 0 || blank == std::string::npos) continue;
      lines[std::stoull(line)] = line.substr(blank + 1);
    }
    return lines;
  }

  /// As an unprivileged user, which the program is here, too.
  std::string in_qemu(const std::string& args) {
    const std::string user = "setpriv --reuid=1000 --regid=1000 --clear-groups ";
    std::filesystem::copy_file(program("odd_calls"), top_ / "odd_calls",
                               std::filesystem::copy_options::overwrite_existing);
    const std::string command = "exec 2>/dev/null; ulimit -c 0; chmod 777 " + top_.string() + " " +
                                (top_ / "work").string() + "; cd " + (top_ / "work").string() +
                                " && timeout -s KILL 60 " + (geteuid() == 0 ? user : "") +
                                "env -i qemu-riscv64 ../odd_calls " + args +
                                " < /dev/null > ../out";
    static_cast<void>(std::system(command.c_str()));
    return content(top_ / "out");
  }

  static bool is_known(const std::string& ours, const std::string& theirs) {
    const size_t end = ours.find(" = ");
    const std::string call = ours.substr(0, end);
    if (theirs.substr(0, theirs.find(" = ")) != call) return false;
    const std::string own = ours.substr(end + 3), other = theirs.substr(end + 3);
    for (const Known& one : kKnown) {
      if (std::regex_match(call, std::regex(one.call)) &&
          std::regex_match(own, std::regex(one.ours)) &&
          std::regex_match(other, std::regex(one.theirs))) {
        return true;
      }
    }
    return false;
  }
};

TEST_F(OddCallTest, AreAllThatTheProxyHasButForThoseWithAReason) {
  const Result run = this->run("odd_calls");
  ASSERT_EQ(run.failure, "");
  std::set<std::string> made;
  std::istringstream names(run.out);
  for (std::string name; names >> name;) made.insert(name);
  for (const CallAnswer& one : SystemCalls::answers()) {
    const bool is_there = one.kind != CallAnswer::Kind::kNoSuchCall &&
                          one.kind != CallAnswer::Kind::kUnsupported;  // they are all ENOSYS
    EXPECT_EQ(is_there, made.count(one.name) + kLeftOut.count(one.name) == 1) << one.name;
  }
}

TEST_F(OddCallTest, ReturnWhatTheyReturnUnderQemu) {
  const uint64_t seed = security::seed(kSeed), count = security::rounds(400, 10'000);
  SCOPED_TRACE("STROBE_SEED=" + std::to_string(seed));
  uint64_t compared = 0, known = 0;
  for (uint64_t first = 0; first < count; first += kSlice) {
    const std::vector<std::string> args = {std::to_string(seed), std::to_string(first),
                                           std::to_string(kSlice)};
    std::filesystem::remove_all(top_ / "work");
    std::filesystem::create_directory(top_ / "work");
    const Result run = this->run("odd_calls", args);
    ASSERT_EQ(run.failure, "");
    const auto ours = lines_of(run.out);
    ASSERT_EQ(ours.size(), kSlice) << "from call " << first;
    std::filesystem::remove_all(top_ / "work");
    std::filesystem::create_directory(top_ / "work");
    const auto theirs = lines_of(in_qemu(args[0] + " " + args[1] + " " + args[2]));
    for (const auto& [number, line] : theirs) {
      ++compared;
      if (line == ours.at(number)) continue;
      const bool has_reason = is_known(ours.at(number), line);
      known += has_reason ? 1 : 0;
      EXPECT_TRUE(has_reason) << "call " << number << ": " << ours.at(number) << "\nqemu: " << line;
    }
  }
  std::printf("STROBE_SEED=%llu: %llu calls compared, %llu known differences\n",
              static_cast<unsigned long long>(seed), static_cast<unsigned long long>(compared),
              static_cast<unsigned long long>(known));
  EXPECT_GT(compared, count * 9 / 10) << "qemu-riscv64 has ended before";
}

}  // namespace
}  // namespace strobe::isa
