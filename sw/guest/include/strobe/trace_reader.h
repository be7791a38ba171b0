// Reads the references that the data-stream handler recorded, from a copy of the guest's memory at
// the trace's symbol. It is for the host: a header that uses only the standard library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>

#include "sw/guest/include/strobe/handlers_abi.h"

namespace strobe::guest {

/// A view of a trace in host memory. The bytes must outlive the reader; they need no alignment.
class TraceReader {
 public:
  /// @param size  bytes at `image`, at least sizeof(strobe_reference_trace_t).
  /// Throws std::runtime_error when the image is too small or its head is invalid.
  TraceReader(const void* image, uint64_t size) : bytes_(static_cast<const unsigned char*>(image)) {
    if (size < sizeof(strobe_reference_trace_t)) {
      fail("an image of " + std::to_string(sizeof(strobe_reference_trace_t)) + " bytes",
           std::to_string(size));
    }
    std::memcpy(&used_, bytes_, sizeof used_);
    std::memcpy(&dropped_, bytes_ + offsetof(strobe_reference_trace_t, dropped), sizeof dropped_);
    if (used_ > STROBE_TRACE_CAPACITY) {
      fail("at most " + std::to_string(STROBE_TRACE_CAPACITY) + " records", std::to_string(used_));
    }
  }

  uint64_t used() const { return used_; }        // records, ends of bursts included
  uint64_t dropped() const { return dropped_; }  // records lost because the trace was full

  /// Calls, in the trace's order, reference(pc, address), and burst_end() where a burst ended.
  template <class Reference, class BurstEnd>
  void for_each(Reference reference, BurstEnd burst_end) const {
    const unsigned char* at = bytes_ + offsetof(strobe_reference_trace_t, records);
    for (uint64_t i = 0; i < used_; ++i, at += sizeof(strobe_reference_t)) {
      strobe_reference_t record;
      std::memcpy(&record, at, sizeof record);
      if (record.pc == 0) {
        burst_end();
      } else {
        reference(record.pc, record.address);
      }
    }
  }

 private:
  [[noreturn]] static void fail(const std::string& expected, const std::string& got) {
    throw std::runtime_error("the reference trace in guest memory is damaged: expected " +
                             expected + ", got " + got);
  }

  const unsigned char* bytes_;
  uint64_t used_ = 0, dropped_ = 0;
};

}  // namespace strobe::guest
