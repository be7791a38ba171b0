// The system calls: one table with one handler per call, over the address space, the files and the
// sandbox.
//
// A handler gets the six argument registers and returns the value for a0: a result or a negative
// error number. A call that has to wait is made again later, with the same arguments, and has had
// no effect until then, but that a long write into a pipe keeps how far it has come. Handlers do
// not depend on harts, so tests call them with plain numbers; what does is attend(), which switches
// threads (schedule.cpp) and enters the handlers of signals (signal_delivery.cpp). The handlers
// live in the files calls_*.cpp. The file is long because each of them is declared here.
#pragma once

#include <sys/stat.h>

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sc_models/isa/hart/hart.h"
#include "sc_models/isa/linux/abi.h"
#include "sc_models/isa/linux/abi_events.h"
#include "sc_models/isa/linux/address_space.h"
#include "sc_models/isa/linux/calls/call_answer.h"
#include "sc_models/isa/linux/calls/guest_vector.h"
#include "sc_models/isa/linux/calls/unsupported_calls.h"
#include "sc_models/isa/linux/files/file_table.h"
#include "sc_models/isa/linux/files/sandbox.h"
#include "sc_models/isa/linux/process.h"
#include "sc_models/isa/linux/seeded_bytes.h"
#include "sc_models/isa/linux/threads/threads.h"
#include "sc_models/isa/linux/timers.h"
#include "sc_models/isa/linux/user_memory.h"

namespace strobe::isa {

class SystemCalls {
 public:
  using Args = std::array<uint64_t, 6>;

  /// `program` is argv[0]. Throws std::runtime_error for a stdin file or a sandbox directory that
  /// cannot be opened and for a working directory outside the sandbox.
  SystemCalls(UserMemory& memory, AddressSpace& space, const ProcessOptions& options,
              const std::string& program);

  /// Runs system call `number` of the current thread. The result means nothing if stopped() or
  /// attends() is true afterwards.
  uint64_t call(uint64_t number, const Args& args);
  /// What the next calls are made from: the registers of the hart, and how many instructions have
  /// retired in U-mode.
  void set_caller(const HartState* state, uint64_t instructions) {
    caller_ = state;
    instructions_ = executed_[threads_.hart()] = instructions;
  }
  /// The threads run on so many harts; what is called next is about the one of this number.
  void set_harts(unsigned harts) { threads_.set_harts(harts); }
  void use_hart(unsigned hart) { threads_.use_hart(hart); }
  /// Where a hart waits that has no thread; false if the program has mapped something there.
  bool begin_idle(HartState& state) {
    idle(state);
    return has_return_page_;
  }
  /// Writes the result of a call into the registers of its thread, unless that is still to come.
  void finish(HartState& state, uint64_t result);

  /// Whether attend() is due before the next instruction.
  bool attends() const;
  /// Expires timers, lets another thread run if one is due, and enters the handlers of signals that
  /// are not blocked: `state`, that before an instruction of the program, becomes what goes on. May
  /// stop.
  void attend(HartState& state, uint64_t instructions);
  /// The U-mode instruction before which attend() is due next; kForever: none.
  uint64_t next_attention();
  /// An instruction of the program has trapped. True: a signal's handler is entered; or it cannot
  /// be, and the calls have stopped. False: no handler wants it.
  bool enter_exception(HartState& state, Cause cause, uint64_t value);
  /// Stops with a sentence on the instruction of the caller that has trapped.
  void fail_by_exception(Cause cause, uint64_t value);

  bool stopped() const { return exit_.exited || exit_.failed || exit_.reached_limit; }
  const ProcessExit& exit() const { return exit_; }
  uint64_t count() const { return count_; }
  const Threads& threads() const { return threads_; }
  void note_instructions(uint64_t instructions) { threads_.note_instructions(instructions); }
  /// Nanoseconds on the program's clock, which moves while the program sleeps.
  uint64_t now() const { return processor_time() + slept_; }
  const Refusals& refusals() const { return refusals_; }
  const UnsupportedCalls& unsupported() const { return unsupported_; }
  /// A sentence for each of the first things that a program in order does not do.
  const std::vector<std::string>& suspects() const { return suspects_; }
  SeededBytes& random() { return random_; }
  /// The host descriptor of the file that was standard input at the start; -1 without one.
  int standard_input() const { return standard_input_->host.get(); }

  /// Sets what says which functions led to a call with these integer registers, and where an
  /// address of the program is, as text, for error messages.
  void set_callers(std::function<std::string(const uint64_t* x)> callers) {
    callers_ = std::move(callers);
  }
  void set_places(std::function<std::string(uint64_t pc)> places) { places_ = std::move(places); }
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
    const char* arguments;          // a letter each: i, u, h or l (system_call_table.cpp)
    Handler handler;                // nullptr: ENOSYS, and the result counts the call
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
  /// The arguments as the call's declaration in Linux takes them out of their registers.
  static Args typed(Args args, const char* types);
  static CallAnswer answer_of(const Entry& entry);

  // Memory
  int64_t brk(const Args&);
  int64_t mmap(const Args&);
  int64_t munmap(const Args&);
  int64_t mprotect(const Args&);
  int64_t mremap(const Args&);
  int64_t madvise(const Args&);
  int64_t mincore(const Args&);
  int64_t msync(const Args&);
  int64_t mlock(const Args&);  // munlock too
  int64_t mlock2(const Args&);
  int64_t mlockall(const Args&);
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
  int64_t check_descriptor(const Args&);  // syncfs: nothing to do
  int64_t fsync(const Args&);             // and so do these, after they have looked at more
  int64_t flock(const Args&);
  int64_t fadvise64(const Args&);
  int64_t readahead(const Args&);
  int64_t sync_file_range(const Args&);
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

  // Time and timers
  int64_t clock_gettime(const Args&);
  int64_t clock_getres(const Args&);
  int64_t gettimeofday(const Args&);
  int64_t times(const Args&);
  int64_t getrusage(const Args&);
  int64_t nanosleep(const Args&);
  int64_t clock_nanosleep(const Args&);
  int64_t getitimer(const Args&);
  int64_t setitimer(const Args&);
  int64_t timer_create(const Args&);
  int64_t timer_settime(const Args&);
  int64_t timer_gettime(const Args&);
  int64_t timer_getoverrun(const Args&);
  int64_t timer_delete(const Args&);
  int64_t timerfd_create(const Args&);
  int64_t timerfd_settime(const Args&);
  int64_t timerfd_gettime(const Args&);

  // Threads
  int64_t clone(const Args&);
  int64_t clone3(const Args&);
  int64_t exit_thread(const Args&);
  int64_t gettid(const Args&);
  int64_t set_tid_address(const Args&);
  int64_t set_robust_list(const Args&);
  int64_t get_robust_list(const Args&);
  int64_t futex(const Args&);
  int64_t sched_yield(const Args&);
  int64_t sched_setaffinity(const Args&);
  int64_t sched_getaffinity(const Args&);

  // The process and its surroundings
  int64_t exit_process(const Args&);
  int64_t execve(const Args&);
  int64_t waitid(const Args&);  // there is no child to wait for
  int64_t wait4(const Args&);
  int64_t getpid(const Args&);
  int64_t getppid(const Args&);
  int64_t getuid(const Args&);
  int64_t getresuid(const Args&);    // getresgid too
  int64_t getpgid(const Args&);      // getsid too
  int64_t set_own_id(const Args&);   // setuid, setgid
  int64_t set_own_ids(const Args&);  // setreuid, setregid
  int64_t set_three_own_ids(const Args&);
  int64_t setgroups(const Args&);
  int64_t setpgid(const Args&);
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
  int64_t tkill(const Args&);
  int64_t tgkill(const Args&);
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

  static std::string call_name(const CallInProgress& call);
  static std::string hexadecimal(uint64_t value);
  std::string place(uint64_t pc) const { return places_ ? places_(pc) : hexadecimal(pc); }
  /// Notes that the call is hardly meant so; the program goes on.
  void suspect(const std::string& what);
  void note_suspect(const std::string& sentence);
  /// Ends the run with an error; returns 0 for the handler to return.
  int64_t fail(const std::string& what, const std::string& advice);

  // --- schedule.cpp
  Thread& thread() { return threads_.current(); }
  const Thread& thread() const { return threads_.current(); }
  /// Runs the handler of the current thread's call.
  int64_t handle();
  /// The thread waits: its call will be made again. Returns what the handler returns, which is
  /// -`interrupted` if a signal is there.
  int64_t wait(Wait why, int64_t interrupted = abi::kRestartWithoutHandler);
  /// The moment until which a call waits: `first`, or when it is made again, what it was.
  uint64_t until(uint64_t first) const { return thread().again ? thread().call.until : first; }
  /// The moment after so many nanoseconds; kForever if that is more than 292 years from the start.
  uint64_t later(uint64_t nanoseconds) const;
  /// The moment that a relative time-out at `address` stands for; kForever when `address` is 0.
  /// Returns 0 or a negative error number.
  int64_t get_deadline(uint64_t address, uint64_t* until) const;
  int64_t make_again();
  /// Counts something that is done for the program and that no instruction of it stands for: a
  /// handler is entered, a timer expires, a call is made again. Stops at the limit.
  void count_work();
  bool pass_time();
  void expire_timers();
  void wake_sleepers();
  bool must_switch() const;
  void switch_thread(HartState& state);
  void idle(HartState& state);
  void check_stacks(const HartState& state);
  int64_t deadlock();
  std::string what_waits(const Thread& one) const;

  // --- calls_thread.cpp, calls_futex.cpp
  struct CloneRequest {
    uint64_t flags, stack, stack_size, parent_id, child_id, tls;
  };
  int64_t start_thread(const CloneRequest& request);
  uint64_t stack_below(uint64_t top) const;
  int64_t refuse_process();
  void end_thread();
  void release_robust_list();
  bool release_robust_futex(uint64_t entry, uint64_t offset);
  uint64_t wake_futex(uint64_t address, uint64_t most, uint32_t bitset);
  int64_t wait_for_futex(const Args& a, uint64_t operation, uint32_t bitset);
  int64_t requeue_futex(const Args& a);
  int64_t suspect_futex(uint64_t address, int error);
  int64_t wake_by_operation(const Args& a);

  // --- calls_timer.cpp
  int64_t sleep(uint64_t clock, bool absolute, uint64_t request, uint64_t rest);
  uint64_t thread_time(const Thread& one);
  int64_t clock_offset(uint64_t clock, Timer::Clock* kind) const;
  const Thread* thread_of_clock(uint64_t clock) const;
  uint64_t time_on(Timer::Clock clock) const {
    return clock == Timer::Clock::kProgram ? now() : processor_time();
  }
  int64_t set_timer(Timer& timer, bool absolute, const Args& a);
  int64_t tell_timer(Timer& timer, uint64_t address);
  void expire(Timer& timer, uint64_t time);
  void expire_posix(Timer& timer, uint64_t time, uint64_t times);
  bool is_pending(const abi::SignalInfo& info) const;
  void take_up(abi::SignalInfo* info);
  int64_t read_timer(OpenFile& file, GuestVector& to);

  // --- signal_delivery.cpp
  /// Sends a signal to a thread, or to the process when `to` is null.
  int64_t send_signal(uint64_t signal, const abi::SignalInfo& info, Thread* to);
  void send_signal_to_itself(uint64_t signal);
  int64_t queue_signal(uint64_t signal, uint64_t address, bool exists, bool own, Thread* to);
  bool ignores(uint64_t signal) const;
  bool would_ignore(uint64_t signal, const Thread* to) const;
  Thread* taker_of(uint64_t signal) const;
  /// Blocks the signals of the set at `address` instead of those of now, until the call's end or a
  /// handler's; 0: those of now. Returns 0, or EINVAL (a set of
  /// another size) or EFAULT as a negative number.
  int64_t use_mask(uint64_t address, uint64_t size);
  int64_t end_by_signal(uint64_t signal);
  int64_t act_by_default();
  uint64_t pending_set(const Thread& one) const;
  uint64_t deliverable(const Thread& one) const { return pending_set(one) & ~one.blocked; }
  bool take_pending(uint64_t set, abi::SignalInfo* info);
  void deliver_signals(HartState& state);
  void enter_handler(HartState& state, const abi::SignalInfo& info);
  void refuse_frame(HartState& state, uint64_t signal);
  void leave_handler(HartState& state);
  bool map_return_page();
  /// Makes `stack` the alternate one of the thread. Returns 0, or a negative error number if it is
  /// not valid.
  int64_t set_signal_stack(abi::SignalStack stack);
  // Handlers return to a page of its own that calls rt_sigreturn, where Linux has its vdso. What a
  // hart without a thread executes follows there.
  static constexpr uint64_t kReturnPage = AddressSpace::kLowestStack, kIdle = kReturnPage + 8;

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
  static int64_t check_transfer(bool out, const OpenFile& file, int64_t offset, uint64_t size);
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
  /// progress() may have grown. Returns 0 after the time-out.
  /// @param time  address of the time-out; 0: none
  /// @param what  what the thread does, for the sentence of a deadlock
  int64_t wait_for_none(uint64_t time, const std::string& what);
  /// @param interrupted  as that of wait()
  int64_t wait_at_most(std::optional<uint64_t> nanoseconds, const std::string& what,
                       int64_t interrupted = abi::kRestart);
  /// The handler asked for a wait, so its result means nothing yet.
  bool waits() const { return stopped() || thread().waits(); }
  /// Bytes that this call has moved already, when it is made again.
  uint64_t& progress() { return thread().call.done; }
  /// A descriptor changed in a way for which a thread may wait. Returns the number of this change.
  uint64_t files_changed();
  /// The result of a call that may have waited in the middle: what it has done, if that is
  /// something, else `result`.
  int64_t end_transfer(int64_t result);
  int64_t refuse_mapping(const Args& a);
  void back_mapping(uint64_t address, const Args& a);
  bool keeps_mapped(const std::shared_ptr<OpenFile>& file);
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
  bool is_own_thread(uint64_t id) const;
  int64_t put_out(int fd, const char* data, uint64_t size);
  int64_t get_vector(uint64_t vector, uint64_t count, std::vector<abi::IoVector>& parts) const;
  int64_t transfer_vector(bool out, uint64_t fd, uint64_t vector, uint64_t count, int64_t offset);
  int64_t transfer_at(bool out, const Args& args);
  int64_t transfer_vector_at(bool out, const Args& args);
  int64_t transfer_vector_with_flags(bool out, const Args& args);

  /// Nanoseconds that the program has executed. Without a clock, every system call takes a
  /// microsecond, so that a loop that waits for time to pass ends.
  uint64_t processor_time() const { return clock_ ? clock_() : count_ * 1000; }
  int64_t exchange_limit(uint64_t resource, uint64_t new_limit, uint64_t old_limit);

  UserMemory& memory_;
  AddressSpace& space_;
  Sandbox sandbox_;
  Timers timers_;  // of which descriptors have some
  FileTable files_;
  std::vector<std::weak_ptr<OpenFile>> mapped_;  // that mappings keep open
  std::shared_ptr<OpenFile> standard_input_;
  SeededBytes random_;
  std::string cwd_;
  std::string program_;
  ProcessExit exit_;
  uint64_t count_ = 0;
  Refusals refusals_;
  UnsupportedCalls unsupported_;
  std::vector<std::string> suspects_;
  bool told_of_memory_ = false;  // suspects_ has a mapping that was refused
  uint64_t umask_ = 022;
  int made_files_ = 2;    // inside of the program so far, counted on from the two outputs
  uint64_t changes_ = 1;  // of descriptors
  int64_t nice_ = 0;
  uint64_t memory_limit_, output_limit_, instruction_limit_;
  uint64_t work_ = 0;          // see count_work()
  uint64_t output_bytes_ = 0;  // written to stdout and stderr so far
  std::function<void(int, const char*, size_t)> output_;
  std::function<uint64_t()> clock_;
  std::function<std::string(const uint64_t*)> callers_ = [](const uint64_t*) {
    return std::string("an unknown function");
  };
  std::function<std::string(uint64_t)> places_;
  const HartState* caller_;  // never null
  bool handling_ = false;    // a handler runs
  uint64_t instructions_ = 0;
  std::array<uint64_t, Threads::kMostHarts> executed_{};  // by each hart, as it last told
  std::array<std::string, 2> captured_;
  std::array<abi::SignalAction, abi::kSignals + 1> actions_{};
  std::vector<abi::SignalInfo> pending_;  // those of the process, which every thread blocks
  bool has_return_page_ = false;
  std::array<abi::Limit, abi::kLimits> limits_;
  Threads threads_;
  uint64_t slept_ = 0;  // nanoseconds that the clock moved while every thread waited
  std::array<std::shared_ptr<Timer>, 3> interval_timers_;
  std::map<uint64_t, std::shared_ptr<Timer>> posix_timers_;
  uint64_t timers_made_ = 0;
};

}  // namespace strobe::isa
