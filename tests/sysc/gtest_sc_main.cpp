// sc_main of the GoogleTest programs that use SystemC.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <systemc>

int sc_main(int argc, char** argv) {
  testing::InitGoogleMock(&argc, argv);
  return RUN_ALL_TESTS();
}
