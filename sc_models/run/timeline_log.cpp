#include "sc_models/run/timeline_log.h"

#include <iterator>
#include <stdexcept>

#include "sw/profile/reports/export.h"

namespace strobe::platform {
namespace {

constexpr size_t kBufferBytes = 1 << 16;

}  // namespace

TimelineLog::TimelineLog(const std::string& file, uint64_t most)
    : name_(file), most_(most), file_(file, std::ios::binary | std::ios::trunc) {
  text_.append(std::string("cycle,event,source,cycles,value,pc,symbol,handler\n"));
  write_out();
}

void TimelineLog::add(const TimelineRecord& record) {
  if (records_ == most_) {
    ++left_out_;
    return;
  }
  ++records_;
  fmt::format_to(std::back_inserter(text_), "{},{},{},{},{},{},{},{}\n", record.cycle, record.event,
                 record.source, record.cycles, record.value, record.pc,
                 profile::csv_field(record.symbol), profile::csv_field(record.handler));
  if (text_.size() >= kBufferBytes) write_out();
}

void TimelineLog::finish() { write_out(); }

void TimelineLog::write_out() {
  file_.write(text_.data(), static_cast<std::streamsize>(text_.size()));
  file_.flush();
  text_.clear();
  if (!file_) throw std::runtime_error(fmt::format("cannot write the timeline to {}", name_));
}

}  // namespace strobe::platform
