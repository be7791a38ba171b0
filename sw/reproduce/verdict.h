// The verdict on a claim, from the confidence interval of what was measured.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sw/reproduce/bootstrap.h"
#include "sw/reproduce/limits.h"
#include "sw/reproduce/reproduction.h"

namespace strobe::reproduce {

/// Holds when all of the interval is within the range, differs when none of it is, and is undecided
/// otherwise. Without an interval it is undecided, because too few programs were measured.
Claim judged(std::string statement, std::string ours, const std::optional<Interval>& interval,
             Range range, std::string why);

/// Undecided whatever the interval: `reason` says what is missing.
Claim undecided(std::string statement, std::string ours, std::string reason);

/// A statement of several parts: holds when each part does, differs when one of them differs, and
/// is undecided otherwise. Takes at least one part. What is ours and why come from the parts, each
/// under its statement.
Claim together(std::string statement, const std::vector<Claim>& parts);

/// "12.34 % (10.10 % to 15.02 %)": a value and its interval; the value alone without one.
std::string percent_text(double fraction, const std::optional<Interval>& interval);
/// "2.31 (1.80 to 4.02)"; an end that is not finite reads "no bound".
std::string number_text(double value, const std::optional<Interval>& interval, int decimals = 2);

}  // namespace strobe::reproduce
