// SIGINT as an exception, so that everything unwinds and nothing is left half-written.
#pragma once

namespace strobe {

struct Interrupted {};

/// From now on SIGINT only makes throw_if_interrupted() throw.
void catch_interrupts();
void throw_if_interrupted();

}  // namespace strobe
