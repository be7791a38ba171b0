// What an entry of the table of system calls says about its call.
#include "sc_models/isa/linux/calls/call_answer.h"

#include <algorithm>
#include <iterator>

#include "sc_models/isa/linux/calls/system_calls.h"

namespace strobe::isa {

CallAnswer SystemCalls::answer_of(const Entry& entry) {
  using Kind = CallAnswer::Kind;
  CallAnswer answer{entry.number, entry.name, entry.group, Kind::kWhole,
                    entry.partial == nullptr ? "" : entry.partial};
  const auto is_one_of = [&](std::initializer_list<Handler> handlers) {
    return std::find(handlers.begin(), handlers.end(), entry.handler) != handlers.end();
  };
  if (entry.handler == nullptr) {
    answer.kind = Kind::kUnsupported;
  } else if (is_one_of({&SystemCalls::execve})) {
    answer.kind = Kind::kStopsTheRun;
  } else if (is_one_of({&SystemCalls::enosys})) {
    answer.kind = Kind::kNoSuchCall;
  } else if (is_one_of({&SystemCalls::not_permitted, &SystemCalls::not_permitted_at<1>,
                        &SystemCalls::not_permitted_at<2>, &SystemCalls::not_permitted_at<3>})) {
    answer.kind = Kind::kNotPermitted;
  } else if (is_one_of({&SystemCalls::succeed, &SystemCalls::check_descriptor})) {
    answer.kind = Kind::kNoEffect;
  } else if (!answer.how.empty()) {
    answer.kind = Kind::kPartial;
  }
  return answer;
}

}  // namespace strobe::isa
