#include "sw/measure/baseline_process.h"

#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>
#include <new>
#include <stdexcept>
#include <utility>
#include <vector>

#include "sc_models/run/run.h"
#include "sw/confine/confine.h"
#include "sw/files/sha256.h"
#include "sw/measure/confinement.h"
#include "sw/measure/run_manifest.h"
#include "sw/measure/shared_baseline.h"
#include "sw/process/memory_limit.h"
#include "sw/result/manifest.h"
#include "sw/text/json_text.h"

namespace strobe {
namespace {

/// A class of the CPI stack.
struct NamedCycles {
  char name[40] = {};
  uint64_t cycles = 0;
};

/// What the process sends when it ends; so many classes of its CPI stack follow.
struct Report {
  uint64_t cycles = 0;  // 0: it failed
  uint64_t classes = 0;
  // In mode sampled; the units' cycles follow those.
  uint64_t instructions = 0, start_instructions = 0, start_cycles = 0, unit = 0, units = 0;
  char error[1024] = {};
  char inputs[72] = {};  // no padding follows, so that equal baselines are equal bytes
};

bool send(int to, const std::string& bytes) {
  for (size_t done = 0; done < bytes.size();) {
    const ssize_t put = write(to, bytes.data() + done, bytes.size() - done);
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return false;
    done += static_cast<size_t>(put);
  }
  return true;
}

bool receive(int from, void* data, size_t size) {
  char* at = static_cast<char*>(data);
  while (size > 0) {
    const ssize_t got = read(from, at, size);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    at += got;
    size -= static_cast<size_t>(got);
  }
  return true;
}

struct Simulated {
  Report report;
  std::vector<NamedCycles> stack;
  std::vector<uint64_t> units;

  /// What the process sends.
  std::string message() const {
    std::string bytes(reinterpret_cast<const char*>(&report), sizeof report);
    bytes.append(reinterpret_cast<const char*>(stack.data()), stack.size() * sizeof stack[0]);
    return bytes.append(reinterpret_cast<const char*>(units.data()),
                        units.size() * sizeof units[0]);
  }
};

/// Whether the bytes are a message of a baseline that finished.
bool is_message(const std::string& bytes) {
  Report report;
  if (bytes.size() < sizeof report) return false;
  std::memcpy(&report, bytes.data(), sizeof report);
  const size_t rest = bytes.size() - sizeof report;
  return report.cycles != 0 && report.classes <= rest && report.units <= rest &&
         rest == report.classes * sizeof(NamedCycles) + report.units * sizeof(uint64_t);
}

std::vector<NamedCycles> named(const result::CpiStack& stack) {
  std::vector<NamedCycles> all;
  for (const auto& [name, cycles] : stack) {
    NamedCycles& one = all.emplace_back();
    name.copy(one.name, sizeof one.name - 1);
    one.cycles = cycles;
  }
  return all;
}

Simulated simulate(const config::RunConfig& configuration,
                   std::shared_ptr<const isa::ElfFile> program, bool confined) {
  Simulated simulated;
  Report& report = simulated.report;
  std::string error;
  try {
    platform::RunHooks hooks;
    // The profiled run says what of it is not in force.
    if (confined) hooks.elaborated = [&] { confine::confine(sandbox_grants(configuration)); };
    hooks.program = std::move(program);
    hooks.loaded = [&](const platform::RunInputs& inputs) {
      inputs_hash(configuration, inputs).copy(report.inputs, sizeof report.inputs - 1);
    };
    const platform::RunOutcome outcome = platform::run(configuration, /*profiled=*/false, hooks);
    if (outcome.end == platform::RunEnd::kExited || outcome.end == platform::RunEnd::kRegionDone) {
      report.cycles = outcome.cycles;
      simulated.stack = named(result::cpi_stack(outcome.counters));
      report.classes = simulated.stack.size();
      if (outcome.samples) {
        simulated.units = outcome.samples->unit_cycles;
        report.instructions = outcome.samples->instructions;
        report.start_instructions = outcome.samples->start_instructions;
        report.start_cycles = outcome.samples->start_cycles;
        report.unit = outcome.samples->unit;
        report.units = simulated.units.size();
      }
    }
    error = outcome.error;
  } catch (const std::bad_alloc&) {
    error = out_of_memory();
  } catch (const std::exception& exception) {
    error = exception.what();
  }
  std::strncpy(report.error, error.c_str(), sizeof report.error - 1);
  return simulated;
}

/// The message of the shared baseline, if there is one, which is made where it is missing.
std::string simulate_or_share(const config::RunConfig& configuration,
                              std::shared_ptr<const isa::ElfFile> program, bool confined,
                              const std::string& shared) {
  std::optional<SharedBaseline> kept;
  if (!shared.empty()) kept.emplace(shared);
  std::string message = kept ? kept->content() : "";
  if (is_message(message)) return message;
  message = simulate(configuration, std::move(program), confined).message();
  if (kept && is_message(message)) kept->keep(message);
  return message;
}

[[noreturn]] void fail(const char* what) {
  throw std::runtime_error(fmt::format("baseline run: {}: {}", what, std::strerror(errno)));
}

}  // namespace

std::string inputs_hash(const config::RunConfig& configuration, const platform::RunInputs& inputs) {
  nlohmann::json manifest = result::make_manifest(manifest_input(configuration, inputs));
  manifest.erase("seed");      // of which the configuration decides whether it matters
  manifest.erase("observer");  // which a baseline does not have
  return files::sha256_of_text(text::json_text(manifest));
}

BaselineProcess::BaselineProcess(const config::RunConfig& configuration,
                                 std::shared_ptr<const isa::ElfFile> program, bool confined,
                                 const std::string& shared) {
  std::array<int, 2> ends = {};
  if (pipe(ends.data()) != 0) fail("pipe");
  const pid_t parent = getpid();
  child_ = fork();
  if (child_ < 0) fail("fork");
  if (child_ == 0) {
    close(ends[0]);
    prctl(PR_SET_PDEATHSIG, SIGKILL);   // it must not outlive the run it belongs to
    if (getppid() != parent) _exit(1);  // which has ended before the call
    _exit(send(ends[1], simulate_or_share(configuration, std::move(program), confined, shared))
              ? 0
              : 1);
  }
  close(ends[1]);
  read_end_ = ends[0];
}

BaselineProcess::~BaselineProcess() {
  if (child_ > 0) {
    kill(child_, SIGKILL);
    waitpid(child_, nullptr, 0);
  }
  close(read_end_);
}

void BaselineProcess::join() {
  if (child_ == 0) return;
  Report report;
  bool whole = receive(read_end_, &report, sizeof report);
  std::vector<NamedCycles> stack(whole ? report.classes : 0);
  std::vector<uint64_t> units(whole ? report.units : 0);
  const auto receive_all = [&](auto& values) {
    return receive(read_end_, values.data(), values.size() * sizeof values[0]);
  };
  whole = whole && receive_all(stack) && receive_all(units);
  waitpid(child_, nullptr, 0);
  child_ = 0;
  if (!whole || report.cycles == 0) {
    error_ = !whole ? "the baseline run died without a result"
                    : std::string("the baseline run: ") + report.error;
    return;
  }
  inputs_ = report.inputs;
  result_.emplace().cycles = report.cycles;
  for (const NamedCycles& one : stack) {
    result_->stack[{one.name, strnlen(one.name, sizeof one.name)}] = one.cycles;
  }
  if (report.unit == 0) return;
  profile::Samples& samples = result_->samples.emplace();
  samples.unit = report.unit;
  samples.instructions = report.instructions;
  samples.start_instructions = report.start_instructions;
  samples.start_cycles = report.start_cycles;
  samples.unit_cycles = std::move(units);
}

void BaselineProcess::expect_done() {
  join();
  if (!error_.empty()) throw std::runtime_error(error_);
}

}  // namespace strobe
