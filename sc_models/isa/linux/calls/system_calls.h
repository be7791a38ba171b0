// The system calls: one table with one handler per call, over the address space, the files and the
// sandbox.
//
// A handler gets the six argument registers and returns the value for a0: a result or a negative
// error number. It does not depend on harts, so tests call it with plain numbers; only resume(),
// which enters the handlers of signals, does. The handlers live in the files calls_*.cpp.
#pragma once

#include <sys/stat.h>

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sc_models/isa/hart/hart.h"
#include "sc_models/isa/linux/abi.h"
#include "sc_models/isa/linux/abi_events.h"
#include "sc_models/isa/linux/address_space.h"
#include "sc_models/isa/linux/calls/call_answer.h"
#include "sc_models/isa/linux/calls/guest_vector.h"
#include "sc_models/isa/linux/files/file_table.h"
#include "sc_models/isa/linux/files/sandbox.h"
#include "sc_models/isa/linux/process.h"
#include "sc_models/isa/linux/user_memory.h"

namespace strobe::isa {

/// splitmix64, which makes the random numbers that a guest sees.
class SeededBytes {
 public:
  explicit SeededBytes(uint64_t seed) : state_(seed) {}
  void fill(uint8_t* to, size_t size);

 private:
  uint64_t next();
  uint64_t state_;
};

class SystemCalls {
 public:
  using Args = std::array<uint64_t, 6>;

  /// `program` is argv[0]. Throws std::runtime_error for a stdin file or a sandbox directory that
  /// cannot be opened and for a working directory outside the sandbox.
  SystemCalls(UserMemory& memory, AddressSpace& space, const ProcessOptions& options,
              const std::string& program);

  /// Runs system call `number`. The result means nothing if stopped() is true afterwards.
  /// @param where  returns the ECALL's address as text, for error messages
  uint64_t call(uint64_t number, const Args& args, const std::function<std::string()>& where);

  /// The way back from a system call that did not stop: writes its result and the next pc, or what
  /// the frame of rt_sigreturn has, and enters the handlers of signals that are not blocked. May
  /// stop.
  void resume(HartState& state, uint64_t result, const std::function<std::string()>& where);
  /// Where the stack pointer is in the next call.
  void set_stack_pointer(uint64_t sp) { stack_pointer_ = sp; }

  bool stopped() const { return exit_.exited || exit_.failed; }
  const ProcessExit& exit() const { return exit_; }
  uint64_t count() const { return count_; }
  const Refusals& refusals() const { return refusals_; }
  SeededBytes& random() { return random_; }
  /// The host descriptor of the file that was standard input at the start; -1 without one.
  int standard_input() const { return standard_input_->host.get(); }

  /// Sets what says which functions led to a call, as text, for error messages.
  void set_callers(std::function<std::string()> callers) { callers_ = std::move(callers); }
  void set_output(std::function<void(int, const char*, size_t)> sink) { output_ = std::move(sink); }
  void set_clock(std::function<uint64_t()> clock) { clock_ = std::move(clock); }
  const std::string& captured(int fd) const { return captured_[fd - 1]; }

  /// The name of a system call, or "" for a number Linux does not use.
  static std::string name(uint64_t number);
  /// What the proxy does for every system call, by number.
  static std::vector<CallAnswer> answers();

 private:
  using Handler = int64_t (SystemCalls::*)(const Args&);
  struct Entry {
    uint64_t number;
    const char* name;
    CallAnswer::Group group;
    Handler handler;                // nullptr: stops the run
    const char* partial = nullptr;  // what it does or leaves out; nullptr: nothing
  };
  // The groups as the table names them.
  static constexpr auto kMemory = CallAnswer::Group::kMemory, kFiles = CallAnswer::Group::kFiles,
                        kPaths = CallAnswer::Group::kPaths, kEvents = CallAnswer::Group::kEvents,
                        kTime = CallAnswer::Group::kTime, kProcess = CallAnswer::Group::kProcess,
                        kSignals = CallAnswer::Group::kSignals,
                        kThreads = CallAnswer::Group::kThreads,
                        kSystem = CallAnswer::Group::kSystem;
  static const Entry kTable[];
  static const Entry* find(uint64_t number);
  static CallAnswer answer_of(const Entry& entry);

  // Memory
  int64_t brk(const Args&);
  int64_t mmap(const Args&);
  int64_t munmap(const Args&);
  int64_t mprotect(const Args&);
  int64_t mremap(const Args&);
  int64_t madvise(const Args&);
  int64_t mincore(const Args&);
  int64_t riscv_flush_icache(const Args&);

  // Open files
  int64_t openat(const Args&);
  int64_t close(const Args&);
  int64_t close_range(const Args&);
  int64_t read(const Args&);
  int64_t write(const Args&);
  int64_t readv(const Args&);
  int64_t writev(const Args&);
  int64_t pread64(const Args&);
  int64_t pwrite64(const Args&);
  int64_t preadv(const Args&);
  int64_t pwritev(const Args&);
  int64_t preadv2(const Args&);
  int64_t pwritev2(const Args&);
  int64_t sendfile(const Args&);
  int64_t copy_file_range(const Args&);
  int64_t fallocate(const Args&);
  int64_t memfd_create(const Args&);
  int64_t lseek(const Args&);
  int64_t ftruncate(const Args&);
  int64_t fcntl(const Args&);
  int64_t dup(const Args&);
  int64_t dup3(const Args&);
  int64_t ioctl(const Args&);
  int64_t getdents64(const Args&);
  int64_t check_descriptor(const Args&);  // fsync, flock, fadvise64: nothing to do
  int64_t fchmod(const Args&);
  int64_t pipe2(const Args&);
  int64_t ppoll(const Args&);
  int64_t pselect6(const Args&);
  int64_t eventfd2(const Args&);
  int64_t epoll_create1(const Args&);
  int64_t epoll_ctl(const Args&);
  int64_t epoll_pwait(const Args&);
  int64_t epoll_pwait2(const Args&);

  // Sockets
  int64_t socketpair(const Args&);
  int64_t sendto(const Args&);
  int64_t recvfrom(const Args&);
  int64_t sendmsg(const Args&);
  int64_t recvmsg(const Args&);
  int64_t shutdown(const Args&);
  int64_t socket_name(const Args&);  // getsockname, getpeername: no socket has a name
  int64_t getsockopt(const Args&);
  int64_t setsockopt(const Args&);

  // Paths
  int64_t fstat(const Args&);
  int64_t newfstatat(const Args&);
  int64_t statx(const Args&);
  int64_t faccessat(const Args&);
  int64_t faccessat2(const Args&);
  int64_t readlinkat(const Args&);
  int64_t getcwd(const Args&);
  int64_t chdir(const Args&);
  int64_t fchdir(const Args&);
  int64_t unlinkat(const Args&);
  int64_t mkdirat(const Args&);
  int64_t renameat2(const Args&);
  int64_t truncate(const Args&);
  int64_t fchmodat(const Args&);
  int64_t utimensat(const Args&);
  int64_t statfs(const Args&);
  int64_t fstatfs(const Args&);

  // Time
  int64_t clock_gettime(const Args&);
  int64_t clock_getres(const Args&);
  int64_t gettimeofday(const Args&);
  int64_t times(const Args&);
  int64_t getrusage(const Args&);
  int64_t nanosleep(const Args&);
  int64_t clock_nanosleep(const Args&);

  // The process and its surroundings
  int64_t exit_process(const Args&);
  int64_t clone(const Args&);
  int64_t clone3(const Args&);
  int64_t execve(const Args&);
  int64_t no_child(const Args&);  // wait4, waitid: there is none to wait for
  int64_t getpid(const Args&);
  int64_t getppid(const Args&);
  int64_t getuid(const Args&);
  int64_t getresuid(const Args&);  // getresgid too
  int64_t getpgid(const Args&);    // getsid too
  int64_t getpriority(const Args&);
  int64_t setpriority(const Args&);
  int64_t sched_setscheduler(const Args&);
  int64_t sched_getscheduler(const Args&);
  int64_t sched_setparam(const Args&);
  int64_t sched_getparam(const Args&);
  int64_t sched_get_priority_max(const Args&);
  int64_t sched_get_priority_min(const Args&);
  int64_t sched_rr_get_interval(const Args&);
  int64_t umask(const Args&);
  int64_t uname(const Args&);
  int64_t sysinfo(const Args&);
  int64_t getrandom(const Args&);
  int64_t prlimit64(const Args&);
  int64_t getrlimit(const Args&);
  int64_t setrlimit(const Args&);
  int64_t futex(const Args&);
  int64_t rt_sigaction(const Args&);
  int64_t rt_sigprocmask(const Args&);
  int64_t rt_sigpending(const Args&);
  int64_t rt_sigsuspend(const Args&);
  int64_t rt_sigtimedwait(const Args&);
  int64_t rt_sigreturn(const Args&);
  int64_t rt_sigqueueinfo(const Args&);
  int64_t rt_tgsigqueueinfo(const Args&);
  int64_t sigaltstack(const Args&);
  int64_t kill(const Args&);
  int64_t tgkill(const Args&);
  int64_t sched_getaffinity(const Args&);
  int64_t getcpu(const Args&);
  int64_t membarrier(const Args&);
  int64_t prctl(const Args&);
  int64_t getgroups(const Args&);

  int64_t succeed(const Args&);  // returns 0: there is nothing to do
  int64_t enosys(const Args&);   // the answer of old kernels; programs and glibc cope
  int64_t not_permitted(const Args&);
  template <unsigned kPath>  // the argument that holds the path
  int64_t not_permitted_at(const Args& a) {
    return not_permitted_path(a[kPath]);
  }
  int64_t not_permitted_path(uint64_t address);

  /// Ends the run with an error; returns 0 for the handler to return.
  int64_t fail(const std::string& what, const std::string& advice);
  int64_t refuse_clone(uint64_t flags);
  int64_t send_signal(uint64_t signal, const abi::SignalInfo& info);
  void send_signal_to_itself(uint64_t signal);
  int64_t queue_signal(uint64_t target, uint64_t signal, uint64_t address);
  int64_t end_by_signal(uint64_t signal);
  int64_t act_by_default();
  uint64_t pending_set() const;
  bool take_pending(uint64_t set, abi::SignalInfo* info);
  void enter_handler(HartState& state);
  void leave_handler(HartState& state);
  bool map_return_page();

  /// Reads the path at `address`, and finds the directory to which it is relative.
  int get_path(uint64_t directory, uint64_t address, std::string& base, std::string& path) const;
  int get_base(uint64_t directory, const std::string& path, std::string& base) const;
  /// Resolves a path in the sandbox and records a refusal. `changes` tells whether the call changes
  /// something.
  int resolve(const std::string& base, const std::string& path, bool follow, bool changes,
              ResolvedPath& result);
  /// Resolves a path in guest memory whose file is to be changed: EROFS outside writable
  /// directories.
  int locate_writable(uint64_t directory, uint64_t address, bool follow, ResolvedPath& result);
  /// Records a refusal. Returns -error for the handler to return.
  int64_t refuse(const ResolvedPath& place, Refusal why, int error);
  int64_t open_host(const ResolvedPath& place, uint64_t flags, uint64_t mode, OpenFile& file);
  /// Leaves `place` unchanged for an open file (AT_EMPTY_PATH) and for /dev/null.
  int64_t stat_path(uint64_t directory, uint64_t address, uint64_t flags, abi::Stat& result,
                    ResolvedPath& place);
  static abi::Stat stat_of(const struct stat& host, const std::string& identity);
  static int64_t stat_file(const OpenFile& file, abi::Stat& result);
  /// Reads the entries of a directory. Returns 0 or a negative error number.
  int64_t list(OpenFile& file) const;

  /// One transfer between guest memory and an open file, at `offset`; if that is negative, at the
  /// file's position.
  int64_t transfer(bool out, OpenFile& file, uint64_t address, uint64_t size, int64_t offset);
  static int64_t check_transfer(bool out, const OpenFile& file, int64_t offset);
  int64_t move_bytes(bool out, OpenFile& file, uint8_t* data, uint64_t size, int64_t offset);
  int64_t transfer_stream(bool out, OpenFile& file, const std::vector<abi::IoVector>& parts);
  int64_t read_pipe(OpenFile& file, GuestVector& to);
  int64_t read_counter(OpenFile& file, GuestVector& to);
  int64_t write_counter(OpenFile& file, const GuestVector& from);
  int64_t write_stream(OpenFile& file, const GuestVector& from, uint64_t flags);
  int64_t send(OpenFile& file, const GuestVector& from, uint64_t flags);
  int64_t send_message(OpenFile& file, const GuestVector& from, uint64_t flags);
  /// `told` gets the flags that recvmsg tells.
  int64_t receive(OpenFile& file, GuestVector& to, uint64_t flags, uint32_t& told);
  int64_t receive_stream(OpenFile& file, GuestVector& to, uint64_t flags);
  int64_t receive_message(OpenFile& file, GuestVector& to, uint64_t flags, uint32_t& told);
  /// The socket of a descriptor: nullptr, with EBADF or ENOTSOCK as a negative number in `error`,
  /// for another.
  OpenFile* get_socket(uint64_t fd, int64_t& error) const;
  int64_t get_header(uint64_t address, abi::MessageHeader& header,
                     std::vector<abi::IoVector>& parts) const;

  /// Waits until a descriptor changes: then the call is made again with the same arguments. A
  /// handler that waits returns at once what this returns, and has had no effect, except that
  /// `progress_` may have grown. Returns 0 after the time-out.
  /// @param time  address of the time-out; 0: none
  /// @param what  what the thread does, for the sentence of a deadlock
  int64_t wait_for_none(uint64_t time, const std::string& what);
  int64_t wait_at_most(std::optional<uint64_t> nanoseconds, const std::string& what);
  /// The handler asked for a wait, so its result means nothing yet.
  bool waits() const { return stopped(); }
  /// A descriptor changed in a way for which a thread may wait. Returns the number of this change.
  uint64_t files_changed();
  /// The result of a call that may have waited in the middle: what it has done, if that is
  /// something, else `result`.
  int64_t finish(int64_t result);
  static int64_t bytes_left(const OpenFile& file);
  static int64_t seek_memory(OpenFile& file, int64_t offset, uint64_t from);
  static int64_t add_seals(OpenFile& file, uint64_t seals);
  int64_t get_offset(uint64_t address, const OpenFile& file, int64_t& offset) const;
  int64_t copy_bytes(OpenFile& from, OpenFile& to, int64_t& from_offset, int64_t& to_offset,
                     uint64_t size);
  static void seek(OpenFile& file, int64_t position);
  int64_t copy_to_stream(OpenFile& from, OpenFile& to, int64_t& offset, uint64_t size);
  int64_t add_file(OpenFile::Kind kind, uint64_t flags, std::shared_ptr<OpenFile>* made = nullptr);
  int64_t wait_for_events(uint64_t fd, uint64_t events, uint64_t most,
                          const std::function<int64_t(const std::string& what)>& wait);
  static bool is_own_thread(uint64_t id);
  int64_t put_out(int fd, const char* data, uint64_t size);
  int64_t get_vector(uint64_t vector, uint64_t count, std::vector<abi::IoVector>& parts) const;
  int64_t transfer_vector(bool out, uint64_t fd, uint64_t vector, uint64_t count, int64_t offset);
  int64_t transfer_at(bool out, const Args& args);
  int64_t transfer_vector_at(bool out, const Args& args);
  int64_t transfer_vector_with_flags(bool out, const Args& args);

  uint64_t now() const;
  int64_t sleep(uint64_t request) const;
  int64_t exchange_limit(uint64_t resource, uint64_t new_limit, uint64_t old_limit);

  UserMemory& memory_;
  AddressSpace& space_;
  Sandbox sandbox_;
  FileTable files_;
  std::shared_ptr<OpenFile> standard_input_;
  SeededBytes random_;
  std::string cwd_;
  std::string program_;
  ProcessExit exit_;
  uint64_t count_ = 0;
  const char* current_ = "";  // name of the call being handled
  Refusals refusals_;
  uint64_t umask_ = 022;
  int made_files_ = 2;     // inside of the program so far, counted on from the two outputs
  uint64_t changes_ = 1;   // of descriptors
  uint64_t progress_ = 0;  // bytes moved by this call of the thread before it waited
  int64_t nice_ = 0;
  uint64_t memory_limit_, output_limit_;
  uint64_t output_bytes_ = 0;  // written to stdout and stderr so far
  std::function<void(int, const char*, size_t)> output_;
  std::function<uint64_t()> clock_;
  std::function<std::string()> callers_ = [] { return std::string("an unknown function"); };
  std::array<std::string, 2> captured_;
  std::array<abi::SignalAction, abi::kSignals + 1> actions_{};
  abi::SignalStack signal_stack_{0, abi::kSignalStackDisabled, 0, 0};
  uint64_t blocked_ = 0;                         // bit n-1 is signal n
  std::vector<abi::SignalInfo> pending_;         // in the order in which they came
  std::optional<uint64_t> mask_after_handlers_;  // of rt_sigsuspend
  uint64_t stack_pointer_ = 0;
  bool leaves_handler_ = false;  // by rt_sigreturn
  bool has_return_page_ = false;
  std::array<abi::Limit, abi::kLimits> limits_;
  std::string thread_name_;
};

}  // namespace strobe::isa
