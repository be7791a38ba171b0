// Makes system calls with odd arguments and prints what each returns. The same in every world: what
// a call finds is made anew before it, and nothing that differs between worlds is printed.
//
// The file is longer than others because its table of calls is.
//
// odd_calls SEED FIRST COUNT: the calls FIRST to FIRST + COUNT - 1 of this seed
// odd_calls: the names of the calls that it makes
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum { kFirstFile = 20, kKinds = 12, kPage = 4096 };
static char* const kArena = (char*)0x30000000;  // 8 pages, of which the fifth is missing
static char good[8 * kPage] __attribute__((aligned(4096)));
static char* read_only;
static char home[kPage];  // the folder of the files
static uint64_t state;

static uint64_t draw(void) {  // splitmix64
  uint64_t z = (state += 0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}
static uint64_t below(uint64_t limit) { return draw() % limit; }
#define ONE_OF(...)                                                                      \
  ((const uint64_t[]){__VA_ARGS__})[below(sizeof((const uint64_t[]){__VA_ARGS__}) / 8)]
/** The upper half of a register does not belong to an int. */
static uint64_t as_int(uint64_t value) {
  return below(4) != 0 ? value : (value & 0xffffffff) | (draw() << 32);
}
static uint64_t address(const void* pointer) { return (uint64_t)pointer; }

// ---- the arguments, a letter each

static const char long_path[5000] = {[0 ... 4998] = 'x'};
static const char* const kPaths[] = {"file", "dir",   "missing", "",          "file/", "dir/../file",
                                     "new",  "dir/x", ".",       "/dev/null", "link"};
static uint64_t path(void) {
  const uint64_t which = below(16);
  if (which < sizeof kPaths / sizeof kPaths[0]) return address(kPaths[which]);
  return ONE_OF(0, 1, address(long_path), ~0ull - 5, address(kArena + 4 * kPage));
}
static uint64_t buffer(void) {
  return ONE_OF(address(good), address(good + 1), address(good), address(read_only), 0, 1,
                address(kArena + 4 * kPage), 0x50000000, ~0ull - 4095);
}
static uint64_t size(void) {
  return ONE_OF(0, 1, 4, 8, 16, 24, 100, 256, 4096, 1ull << 31, 1ull << 40, 1ull << 63, ~0ull);
}
static uint64_t time_of(void) {
  static const struct timespec kTimes[] = {{0, 0}, {0, 1000}, {0, -1}, {-1, 0}, {0, 1000000000}};
  return address(&kTimes[below(5)]);  // qemu sleeps without end at a bad address
}
static uint64_t file(void) {
  return as_int(below(5) == 0 ? ONE_OF(99, 1023, 1024, 1ull << 31, ~0ull, ~0ull - 99)
                              : kFirstFile + below(kKinds));
}
static uint64_t pieces(void) {
  static struct iovec kGood[3], kBad[2], kLong[3], kNegative[1];
  kGood[0] = (struct iovec){good, 3}, kGood[1] = (struct iovec){good + 8, 0};
  kGood[2] = (struct iovec){good + 16, 4};
  kBad[0] = (struct iovec){good, 3}, kBad[1] = (struct iovec){(void*)~0ull, 3};
  kLong[0] = (struct iovec){good, 2}, kLong[1] = (struct iovec){good, 1};
  kLong[2] = (struct iovec){good, 0};
  kNegative[0] = (struct iovec){good, 1ull << 63};
  return ONE_OF(address(kGood), address(kBad), address(kLong), address(kNegative), 0, 1);
}
static uint64_t clock_id(void) {
  clockid_t own = 0, process = 0;
  pthread_getcpuclockid(pthread_self(), &own);
  clock_getcpuclockid(0, &process);
  return as_int(ONE_OF(0, 1, 2, 3, 4, 5, 6, 7, 10, 12, 100, ~0ull, ~0ull - 5, (uint64_t)own,
                       (uint64_t)process, (uint64_t)(~99999u << 3 | 6), (uint64_t)(~99999u << 3 | 2)));
}
static uint64_t argument(char kind) {
  switch (kind) {
    case 'f': return file();
    case 'd': return below(3) != 0 ? as_int((uint64_t)AT_FDCWD) : file();
    case 'p': return path();
    case 'b': return buffer();
    case 'n': return size();
    case 'm': return ONE_OF(0, 1, 8, 100, 4096);  // bytes of a buffer that is large enough
    case 'o': return ONE_OF(0, 1, 5, 4096, ~0ull, 1ull << 40, INT64_MAX, 1ull << 63);
    // What a file in memory would get, the machine would have to have.
    case 'l': return ONE_OF(0, 1, 5, 4096, ~0ull, 1ull << 63);
    case 'F': return as_int(below(3) == 0 ? 0 : below(2) == 0 ? 1ull << below(32) : below(16));
    case 'i': return as_int(ONE_OF(0, 1, 2, 3, 4, 5, 8, 15, 100, INT32_MAX, ~0ull, 1ull << 31));
    case 'u': return as_int(ONE_OF(getuid(), getuid(), getuid() + 1, ~0ull));
    case 'P': return as_int(ONE_OF(0, (uint64_t)getpid(), 999999999, ~0ull, 1ull << 31));
    case 's': return as_int(ONE_OF(0, 17, 23, 28, 65, 100, ~0ull));  // none that ends the program
    case 'S': return as_int(ONE_OF(12, 40, 64, 9, 19, 0, 65, ~0ull));
    case 't': return time_of();
    case 'c': return clock_id();
    case 'K': return as_int(ONE_OF(0, 1, 3, 4, 5, 6, 7, 10, 12, 100, ~0ull));
    case 'v': return pieces();
    case 'k': return ONE_OF(0, 1, 2, 3, 1024, 1025, ~0ull);
    case 'a': return address(kArena) + ONE_OF(0, kPage, 3 * kPage, 4 * kPage, 1, 7 * kPage);
    case 'A': return below(4) == 0 ? 0x50000000 : argument('a');
    case 'z': return ONE_OF(0, 1, kPage, 2 * kPage, kPage + 1, ~0ull, ~0ull - 4095, 1ull << 63);
    case 'C': return as_int(ONE_OF(0, 1, 2, 3, 4, 5, 1030, 1031, 1032, 1033, 1034, 99, ~0ull));
    case 'I': return as_int(ONE_OF(0x5421, 0x541b, 0x5450, 0x5451, 0x5401, 0, 0xffffffff));
    case 'M': return as_int(ONE_OF(0, 0600, 0755, 01777, 0x10000));
    case 'O': return as_int(ONE_OF(0, 1, 2, 3, 0100, 0300, 01000, 02000, 04000, 0200000, 0400000,
                                   010000000, 02000000, 0x40000000));
    case 'e': return as_int(ONE_OF(1, 2, 3, 0, 4, ~0ull));
    case 'R': return as_int(ONE_OF(kFirstFile + below(kKinds), 50, 1024, ~0ull, 1ull << 31));
    case 'L': return as_int(ONE_OF((uint64_t)getpid(), 999999999, 1ull << 31));  // no other process
    case 'W': return as_int(ONE_OF(0, 1, 3, 4, 5, 9, 10, 128, 129, 131, 132, 137, 138, 14, ~0ull));
    case 'Q': return ONE_OF(0, 0xffffffff);
    case 'G': return as_int(ONE_OF(0, 3, ~0ull));
    case 'x': return as_int(ONE_OF(15, 16, 1000, ~0ull));
    case 'q': return as_int(ONE_OF(0, 0, ~0ull, 9999));
    default: return 0;
  }
}

struct Call {
  const char* name;
  long number;
  const char* arguments;
};
#define CALL(name, arguments) {#name, SYS_##name, arguments}
static const struct Call kCalls[] = {
    CALL(getcwd, "bn"),
    CALL(eventfd2, "iF"),
    CALL(epoll_create1, "F"),
    CALL(epoll_ctl, "fefb"),
    CALL(dup, "f"),
    CALL(dup3, "fRF"),
    CALL(fcntl, "fC0"),
    CALL(ioctl, "fIb"),
    CALL(flock, "fF"),
    CALL(mkdirat, "dpM"),
    CALL(unlinkat, "dpF"),
    CALL(truncate, "po"),
    CALL(ftruncate, "fo"),
    CALL(faccessat, "dpi"),
    CALL(faccessat2, "dpiF"),
    CALL(chdir, "p"),
    CALL(fchdir, "f"),
    CALL(fchmod, "fM"),
    CALL(fchmodat, "dpM"),
    CALL(openat, "dpOM"),
    CALL(close, "f"),
    CALL(pipe2, "bF"),
    CALL(getdents64, "fbm"),
    CALL(lseek, "foi"),
    CALL(read, "fbn"),
    CALL(write, "fbn"),
    CALL(readv, "fvk"),
    CALL(writev, "fvk"),
    CALL(pread64, "fbno"),
    CALL(pwrite64, "fbno"),
    CALL(preadv, "fvko"),
    CALL(pwritev, "fvko"),
    CALL(preadv2, "fvko0F"),
    CALL(pwritev2, "fvko0F"),
    CALL(readlinkat, "dpbi"),
    CALL(newfstatat, "dpbF"),
    CALL(fstat, "fb"),
    CALL(statx, "dpFFb"),
    CALL(fsync, "f"),
    CALL(fdatasync, "f"),
    CALL(sync_file_range, "fooF"),
    CALL(readahead, "fon"),
    CALL(fadvise64, "fooi"),
    CALL(timerfd_create, "cF"),
    CALL(timerfd_settime, "fFbb"),
    CALL(timerfd_gettime, "fb"),
    CALL(utimensat, "dpbF"),
    CALL(waitid, "iPbF0"),
    CALL(wait4, "PbF0"),
    CALL(nanosleep, "tb"),
    CALL(clock_nanosleep, "KFtb"),
    CALL(getitimer, "ib"),
    CALL(clock_gettime, "cb"),
    CALL(clock_getres, "cb"),
    CALL(timer_gettime, "ib"),
    CALL(timer_getoverrun, "i"),
    CALL(timer_delete, "i"),
    CALL(sched_getscheduler, "P"),
    CALL(sched_getparam, "Pb"),
    CALL(sched_get_priority_max, "i"),
    CALL(sched_get_priority_min, "i"),
    CALL(sched_rr_get_interval, "Pb"),
    CALL(tgkill, "PPs"),
    CALL(tkill, "Ps"),
    CALL(sigaltstack, "bb"),
    CALL(rt_sigaction, "Sbbm"),
    CALL(rt_sigprocmask, "iqbm"),
    CALL(rt_sigpending, "bm"),
    CALL(rt_sigtimedwait, "bqtm"),
    CALL(getpriority, "ii"),
    CALL(setregid, "uu"),
    CALL(setgid, "u"),
    CALL(setreuid, "uu"),
    CALL(setuid, "u"),
    CALL(setresuid, "uuu"),
    CALL(getresuid, "bbb"),
    CALL(setresgid, "uuu"),
    CALL(getresgid, "bbb"),
    CALL(times, "b"),
    CALL(getpgid, "P"),
    CALL(getsid, "P"),
    CALL(uname, "b"),
    CALL(getrlimit, "ib"),
    CALL(getrusage, "ib"),
    CALL(umask, "F"),
    CALL(prctl, "xb"),
    CALL(gettimeofday, "bb"),
    CALL(getpid, "i"),
    CALL(socketpair, "iiib"),
    CALL(getsockname, "fbb"),
    CALL(sendto, "fbm00"),
    CALL(recvfrom, "fbmF"),
    CALL(setsockopt, "fiibi"),
    CALL(getsockopt, "fiibb"),
    CALL(shutdown, "fi"),
    CALL(munmap, "Az"),
    CALL(mprotect, "Azi"),
    CALL(msync, "AzF"),
    CALL(mlock, "Az"),
    CALL(munlock, "Az"),
    CALL(mlockall, "F"),
    CALL(mincore, "Azb"),
    CALL(madvise, "Azi"),
    CALL(mlock2, "AzF"),
    CALL(prlimit64, "Piqb"),
    CALL(renameat2, "dpdpF"),
    CALL(getrandom, "bmF"),
    CALL(memfd_create, "pF"),
    CALL(membarrier, "F"),
    CALL(copy_file_range, "f0f0mF"),
    CALL(sendfile, "ff0m"),
    CALL(fallocate, "fFol"),
    CALL(fstatfs, "fb"),
    CALL(statfs, "pb"),
    CALL(ppoll, "bmtqi"),
    CALL(setfsuid, "u"),
    CALL(setfsgid, "u"),
    CALL(epoll_pwait, "fbi0qm"),
    CALL(epoll_pwait2, "fbitqm"),
    CALL(mknodat, "dpM0"),
    CALL(symlinkat, "pdp"),
    CALL(linkat, "dpdpF"),
    CALL(fchownat, "dpuuF"),
    CALL(fchown, "fuu"),
    CALL(pselect6, "ibbbtq"),
    CALL(syncfs, "f"),
    CALL(personality, "Q"),
    CALL(set_tid_address, "b"),
    CALL(futex, "bWitbi"),
    CALL(set_robust_list, "bn"),
    CALL(get_robust_list, "Pbb"),
    CALL(setitimer, "ibb"),
    CALL(timer_create, "cbb"),
    CALL(timer_settime, "iFbb"),
    CALL(sched_setparam, "Pb"),
    CALL(sched_setscheduler, "Pib"),
    CALL(sched_setaffinity, "Pmb"),
    CALL(sched_getaffinity, "Pmb"),
    CALL(sched_yield, ""),
    CALL(kill, "Ls"),
    CALL(rt_sigsuspend, "bx"),  // with a set of signals it waits without end
    CALL(rt_sigqueueinfo, "Lsb"),
    CALL(rt_tgsigqueueinfo, "LLsb"),
    CALL(setpriority, "Gii"),
    CALL(setpgid, "PP"),
    CALL(setsid, ""),
    CALL(getgroups, "ib"),
    CALL(setgroups, "ib"),
    CALL(setrlimit, "iq"),  // with limits that it takes, it could end the program
    CALL(getcpu, "bbb"),
    CALL(getppid, ""),
    CALL(getuid, ""),
    CALL(geteuid, ""),
    CALL(getgid, ""),
    CALL(getegid, ""),
    CALL(gettid, ""),
    CALL(sysinfo, "b"),
    CALL(getpeername, "fbb"),
    CALL(sendmsg, "fbF"),
    CALL(recvmsg, "fbF"),
    CALL(brk, "z"),
    CALL(mmap, "AziFfo"),
    CALL(mremap, "AzzFa"),
    CALL(munlockall, ""),
    CALL(riscv_flush_icache, "bbF"),
    CALL(close_range, "RRF"),
};

// ---- what the calls find

static void put_file(int number, int fd) {
  dup2(fd, number);
  close(fd);
}
static void make_files(void) {
  chdir(home);
  umask(022);
  static const char* const kNames[] = {"dir/x", "file", "dir", "new", "link", "missing"};
  for (unsigned i = 0; i < sizeof kNames / sizeof kNames[0]; ++i) unlink(kNames[i]), rmdir(kNames[i]);
  put_file(kFirstFile, open("file", O_RDWR | O_CREAT, 0644));
  write(kFirstFile, "0123456789", 10);
  lseek(kFirstFile, 0, SEEK_SET);
  mkdir("dir", 0755);
}
static void make_descriptors(void) {
  int two[2];
  int number = kFirstFile + 1;
  put_file(number++, open("file", O_RDONLY));
  put_file(number++, open("file", O_WRONLY));
  put_file(number++, open("dir", O_RDONLY | O_DIRECTORY));
  pipe2(two, O_NONBLOCK);
  write(two[1], "abcdef", 6);
  put_file(number++, two[0]), put_file(number++, two[1]);
  socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, two);
  write(two[1], "abcdef", 6);
  put_file(number++, two[0]), put_file(number++, two[1]);
  put_file(number++, eventfd(1, EFD_NONBLOCK));
  put_file(number++, epoll_create1(0));
  put_file(number++, timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK));
  const int memory = memfd_create("memory", 0);
  write(memory, "abcdef", 6);
  put_file(number++, memory);
}
static void make_memory(void) {
  const int all = PROT_READ | PROT_WRITE, flags = MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS;
  mmap(kArena, 8 * kPage, all, flags, -1, 0);
  mmap(kArena + 7 * kPage, kPage, all, MAP_FIXED | MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  munmap(kArena + 4 * kPage, kPage);
  munmap(kArena + 8 * kPage, 8 * kPage);
  munmap((void*)0x50000000, 8 * kPage);
  munlockall();
  memset(good, 0, sizeof good);
}
static void make_world(void) {
  for (int fd = 3; fd < kFirstFile + kKinds; ++fd) close(fd);
  close(50);
  close(1024);
  make_files();
  make_descriptors();
  make_memory();
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  const stack_t no_stack = {.ss_flags = SS_DISABLE};
  sigaltstack(&no_stack, NULL);
  signal(12, SIG_DFL), signal(40, SIG_DFL), signal(64, SIG_DFL);
  syscall(SYS_prctl, 15, "odd_calls");
}

/** Results whose value is another in each world. */
static int only_succeeds(const char* name) {
  static const char* const kNames[] = {"times",  "getpid", "getpgid", "getsid", "setfsuid", "setfsgid",
                                       "getcwd", "getdents64", "getppid", "gettid", "getuid",
                                       "geteuid", "getgid", "getegid", "set_tid_address", "brk",
                                       "mmap", "mremap"};
  for (unsigned i = 0; i < sizeof kNames / sizeof kNames[0]; ++i) {
    if (strcmp(name, kNames[i]) == 0) return 1;
  }
  return 0;
}
/** An argument by what it is, because addresses and the process differ. */
static void print_argument(uint64_t value) {
  for (unsigned i = 0; i < sizeof kPaths / sizeof kPaths[0]; ++i) {
    if (value == address(kPaths[i])) {
      printf(" '%s'", kPaths[i]);
      return;
    }
  }
  if (value >= address(good) && value < address(good + sizeof good)) {
    printf(" good");
  } else if (value - address(read_only) < kPage) {
    printf(" read-only");
  } else if (value - address(long_path) < sizeof long_path) {
    printf(" long");
  } else if (value - 0x30000000 < 8 * kPage) {
    printf(" arena+%#llx", (unsigned long long)(value - 0x30000000));
  } else if (value > 0x10000 && value < 0x200000) {
    printf(" data");
  } else {
    printf(" %#llx", (unsigned long long)value);
  }
}
static void make_call(unsigned long i) {
  const struct Call* const call = &kCalls[below(sizeof kCalls / sizeof kCalls[0])];
  uint64_t a[6] = {0};
  for (unsigned k = 0; call->arguments[k] != 0; ++k) a[k] = argument(call->arguments[k]);
  const long result =
      syscall(call->number, a[0], a[1], a[2], a[3], a[4], a[5]);
  const int error = result == -1 ? errno : 0;
  printf("%lu %s", i, call->name);
  for (unsigned k = 0; call->arguments[k] != 0; ++k) {
    const char kind = call->arguments[k];
    if (strchr("PuL", kind) != NULL || kind == 'c' || kind == 'K') {
      printf(" %c", kind);
    } else {
      print_argument(a[k]);
    }
  }
  if (error != 0) {
    printf(" = %s\n", strerrorname_np(error));
  } else {
    printf(" = %ld\n", only_succeeds(call->name) ? 0 : result);
  }
}

int main(int count, char** words) {
  for (unsigned i = 0; count < 4 && i < sizeof kCalls / sizeof kCalls[0]; ++i) puts(kCalls[i].name);
  if (count < 4) return 0;
  setlinebuf(stdout);
  const uint64_t seed = strtoull(words[1], NULL, 0);
  const unsigned long first = strtoul(words[2], NULL, 0), calls = strtoul(words[3], NULL, 0);
  read_only = mmap(NULL, kPage, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (getuid() == 0 || getcwd(home, sizeof home) == NULL) return 2;  // as root it could change /dev/null
  for (unsigned long i = first; i < first + calls; ++i) {
    make_world();
    state = seed * 0x9e3779b97f4a7c15 + i;
    make_call(i);
  }
  return 0;
}
