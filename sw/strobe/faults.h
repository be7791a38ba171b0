// What a command does about the faults of its work: a sentence on standard error and an exit code.
#pragma once

#include <functional>

namespace strobe {

/// Does `work`, which returns the exit code. A std::exception from it is printed, and the exit code
/// is `fault`. std::bad_alloc goes on to the command line, which says how much memory there was.
int say_faults(int fault, const std::function<int()>& work);

/// The same for the work of a run: the exit code is kExitUsage when the result directory, a stream
/// or an object file is not as expected, and kExitSimulation after any other exception.
int say_faults_of_run(const std::function<int()>& work);

}  // namespace strobe
