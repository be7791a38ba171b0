// What the edited code of bursty tracing shares: counters, the slow part of a check, the event
// buffer.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "sw/instrument/bursty/bursty.h"
#include "sw/instrument/snippets.h"
#include "sw/object/analysis/registers.h"
#include "sw/object/edit/encode.h"
#include "sw/object/file/object_file.h"

namespace strobe::instrument {

/// Names of the runtime's data, which strobe sets and reads.
inline constexpr const char* kCheckCount = "__strobe_ncheck";           // nCheck, 32 bits
inline constexpr const char* kInstrumentedCount = "__strobe_ninstr";    // nInstr
inline constexpr const char* kCheckReload = "__strobe_ncheck0";         // nCheck0
inline constexpr const char* kInstrumentedReload = "__strobe_ninstr0";  // nInstr0
inline constexpr const char* kDistances = "__strobe_distances";  // with jitter, of 32 bits each
inline constexpr unsigned kDistanceCount = 1024;
inline constexpr const char* kNextEvent = "__strobe_next_event";  // where in the buffer, 64 bits
inline constexpr const char* kMode = "__strobe_mode";             // of fold.c: 1 folds

/// The routines that code with the scratch register `reg` calls, linked in that register.
std::string check_routine(unsigned reg);
std::string full_routine(unsigned reg);

/// The routine that records an event: {link, value}. It is linked in kRecordLink, which a return
/// predictor knows, and changes both registers.
struct Record {
  unsigned value = 0, next = 0;
  bool operator<(const Record& other) const {
    return std::tie(value, next) < std::tie(other.value, other.next);
  }
};
inline constexpr unsigned kRecordLink = object::kT0;
std::string record_routine(const Record& record);

/// Routines that edited code calls.
struct Routines {
  object::Registers links = 0;  // of check_routine() and full_routine()
  std::set<Record> records;
};

/// The runtime's object: the compiled fold.c, the data, and the routines in `used`.
object::ObjectFile make_runtime(std::vector<uint8_t> fold, const Routines& used,
                                const BurstyOptions& options);

}  // namespace strobe::instrument
