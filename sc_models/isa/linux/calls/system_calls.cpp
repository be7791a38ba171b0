#include "sc_models/isa/linux/calls/system_calls.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <stdexcept>

namespace strobe::isa {
namespace {

std::shared_ptr<OpenFile> open_stdin(const std::string& path) {
  auto file = std::make_shared<OpenFile>();
  file->kind = OpenFile::Kind::kEmpty;
  file->flags = abi::kReadOnly;
  if (path.empty()) return file;
  file->kind = OpenFile::Kind::kFile;
  file->host = HostFd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  struct stat status {};
  const bool opened = file->host && ::fstat(file->host.get(), &status) == 0;
  if (!opened || !S_ISREG(status.st_mode) || is_kernel_file(file->host.get())) {
    throw std::runtime_error("standard input " + path + ": expected a readable file, got: " +
                             (opened ? "not a regular file" : std::strerror(errno)) +
                             "; correct the path, or leave it out for an empty input");
  }
  return file;
}

std::shared_ptr<OpenFile> open_output(int fd) {
  auto file = std::make_shared<OpenFile>();
  file->kind = OpenFile::Kind::kOutput;
  file->flags = abi::kWriteOnly;
  file->output = fd;
  return file;
}

const HartState kNoCaller;  // calls on plain numbers are made by no hart

}  // namespace

SystemCalls::SystemCalls(UserMemory& memory, AddressSpace& space, const ProcessOptions& options,
                         const std::string& program)
    : memory_(memory),
      space_(space),
      sandbox_(options.read, options.write),
      random_(options.seed),
      program_(program),
      memory_limit_(options.memory_limit),
      output_limit_(options.output_limit),
      instruction_limit_(options.instruction_limit),
      caller_(&kNoCaller),
      threads_(options.scheduler) {
  thread().name = program.substr(0, 15);
  standard_input_ = open_stdin(options.stdin_file);
  files_.set(0, standard_input_, false);
  files_.set(1, open_output(1), false);
  files_.set(2, open_output(2), false);

  cwd_ = options.cwd.empty() ? sandbox_.first_directory() : Sandbox::normalize("/", options.cwd);
  ResolvedPath place;
  if (!options.cwd.empty() && (sandbox_.resolve("/", cwd_ + "/", true, place) != 0 || place.above ||
                               !S_ISDIR(place.status.st_mode))) {
    throw std::runtime_error("working directory " + options.cwd +
                             ": expected a directory of the sandbox, got another; add it to the "
                             "directories the program may read");
  }

  constexpr unsigned kData = 2, kStack = 3, kOpenFiles = 7, kAddressSpace = 9;
  limits_.fill({abi::kNoLimit, abi::kNoLimit});
  limits_[kStack].soft = AddressSpace::kStackSize;
  limits_[kOpenFiles] = {FileTable::kMost, FileTable::kMost};
  limits_[kData] = limits_[kAddressSpace] = {memory_limit_, memory_limit_};
}

uint64_t SystemCalls::call(uint64_t number, const Args& args) {
  ++count_;
  Thread& caller = thread();
  const Entry* entry = find(number);
  caller.call = {number, entry == nullptr ? args : typed(args, entry->arguments), caller_->pc};
  if (entry == nullptr || entry->handler == nullptr) {
    unsupported_.add(number, name(number));
    return static_cast<uint64_t>(-int64_t{ENOSYS});
  }
  timers_.go_on();
  int64_t result = handle();
  // Where no other thread could run, it is known now how a wait ends.
  while (caller.waits() && threads_.ready() == 0 && !stopped()) {
    if (!pass_time()) return static_cast<uint64_t>(deadlock());
    if (!stopped() && !caller.waits()) result = make_again();
  }
  if (!caller.waits()) caller.wait = Wait();
  timers_.go_on();
  return static_cast<uint64_t>(result);
}

SystemCalls::Args SystemCalls::typed(Args args, const char* types) {
  for (size_t i = 0; i < args.size() && types[i] != 0; ++i) {
    switch (types[i]) {
      case 'i':
        args[i] = static_cast<uint64_t>(int64_t{static_cast<int32_t>(args[i])});
        break;
      case 'u':
        args[i] = static_cast<uint32_t>(args[i]);
        break;
      case 'h':
        args[i] = static_cast<uint16_t>(args[i]);
        break;
      default:
        break;
    }
  }
  return args;
}

int64_t SystemCalls::handle() {
  handling_ = true;
  const int64_t result = (this->*find(thread().call.number)->handler)(thread().call.args);
  handling_ = false;
  return result;
}

int64_t SystemCalls::fail(const std::string& what, const std::string& advice) {
  const uint64_t pc = caller_->pc;
  const CallInProgress call = threads_.idles() ? CallInProgress() : thread().call;
  const bool in_call =
      !threads_.idles() && (handling_ || pc == call.pc || pc == call.pc + abi::kEcallBytes);
  const std::string call_text = in_call ? call_name(call) + " " : "";
  exit_.failed = true;
  exit_.error = call_text + "at pc " + place(in_call ? call.pc : pc) + ": " + what + "; " + advice;
  return 0;
}

void SystemCalls::suspect(const std::string& what) {
  note_suspect(call_name(thread().call) + " at pc " + place(thread().call.pc) + ", called by " +
               callers_(caller_->x) + ": " + what);
}

void SystemCalls::note_suspect(const std::string& sentence) {
  constexpr size_t kMost = 8;
  const bool is_new = std::find(suspects_.begin(), suspects_.end(), sentence) == suspects_.end();
  if (is_new && suspects_.size() < kMost) suspects_.push_back(sentence);
}

std::string SystemCalls::call_name(const CallInProgress& call) {
  const Entry* const entry = find(call.number);
  return entry == nullptr ? "system call " + std::to_string(call.number) : entry->name;
}

std::string SystemCalls::hexadecimal(uint64_t value) {
  char text[24];
  std::snprintf(text, sizeof text, "%#llx", static_cast<unsigned long long>(value));
  return text;
}

int64_t SystemCalls::succeed(const Args&) { return 0; }
int64_t SystemCalls::enosys(const Args&) { return -ENOSYS; }
int64_t SystemCalls::not_permitted(const Args&) { return -EPERM; }

int64_t SystemCalls::not_permitted_path(uint64_t address) {
  ResolvedPath place;
  if (const int error = memory_.get_path(place.asked, address)) return -error;
  return refuse(place, Refusal::kNever, EPERM);
}

}  // namespace strobe::isa
