#include "sw/strobe/faults.h"

#include <fmt/format.h>

#include <exception>
#include <new>

#include "sw/object/file/object_file.h"
#include "sw/process/exit_code.h"
#include "sw/result/result_directory.h"
#include "sw/stream/stream_format.h"

namespace strobe {
namespace {

int say(int code, const std::exception& error) {
  fmt::print(stderr, "strobe: error: {}\n", error.what());
  return code;
}

}  // namespace

int say_faults(int fault, const std::function<int()>& work) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    return say(fault, error);
  }
}

int say_faults_of_run(const std::function<int()>& work) {
  return say_faults(kExitSimulation, [&work]() -> int {
    try {
      return work();
    } catch (const result::ResultError& error) {
      return say(kExitUsage, error);
    } catch (const stream::StreamError& error) {
      return say(kExitUsage, error);
    } catch (const object::ObjectError& error) {
      return say(kExitUsage, error);
    }
  });
}

}  // namespace strobe
