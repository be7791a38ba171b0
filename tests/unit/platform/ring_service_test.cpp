// Does a message's service time begin where the service thread took the message up?
#include "sc_models/machine/system/ring_service.h"

#include <gtest/gtest.h>

#include "sc_models/port/region_marker.h"

namespace strobe::platform {
namespace {

class Thread {
 public:
  void mark(uint32_t number, uint64_t cycle) {
    RetireRecord records[2];
    records[1].insn = marker_insn(number);
    const RetireRecord* const picked[] = {&records[0], &records[1]};
    meter.retire(cycle, records, 2, picked, 2);
  }
  ServiceMeter meter;
};

TEST(ServiceMeter, BeginsWhereAMessageIsTakenUpAfterWaiting) {
  Thread thread;
  thread.mark(STROBE_SERVICE_WAITS, 10);
  thread.mark(STROBE_SERVICE_TAKES, 50);
  thread.mark(STROBE_SERVICE_DONE, 80);
  thread.mark(STROBE_SERVICE_WAITS, 90);
  thread.mark(STROBE_SERVICE_TAKES, 200);
  thread.mark(STROBE_SERVICE_DONE, 240);
  EXPECT_EQ(thread.meter.service().count(), 2u);
  EXPECT_EQ(thread.meter.service().sum(), 30u + 40);
}

TEST(ServiceMeter, BeginsWhereTheOneBeforeEndedWhenTheThreadDidNotWait) {
  Thread thread;
  thread.mark(STROBE_SERVICE_TAKES, 50);
  thread.mark(STROBE_SERVICE_DONE, 80);
  thread.mark(STROBE_SERVICE_TAKES, 95);
  thread.mark(STROBE_SERVICE_TAKES, 100);  // the first was written over meanwhile
  thread.mark(STROBE_SERVICE_DONE, 130);
  EXPECT_EQ(thread.meter.service().sum(), 30u + 50);
}

}  // namespace
}  // namespace strobe::platform
