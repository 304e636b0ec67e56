// SPDX-License-Identifier: MIT
//
// What an attempt may rightly count as. Usually that is one thing; at an exact tie with the
// deadline, or when the caller leaves, it is more than one, and any of them is right.

#pragma once

#include "driver/judge/pool_setup.hpp"
#include "driver/judge/pool_trace.hpp"

#include <string>
#include <vector>

namespace driver {

/// One thing that an attempt may count as.
struct Outcome {
  enum class Kind { ok, failure, aborted };  ///< Aborted: the caller left, and nothing is recorded.
  Kind kind = Kind::ok;
  std::string type;     ///< Of a failure: the class of its exception.
  std::string message;  ///< Of a failure.

  bool operator==(const Outcome&) const = default;
};

/// Whether a failure is to be retried, if retries are left; readings of the statement may differ.
enum class Retry { never, either, always };

/// A failure as "Class: message".
std::string describe(const Outcome& outcome);

/// A failure as repr() shows its exception.
std::string repr(const Outcome& outcome);

Outcome timeout_failure();
Outcome self_cancel_failure();

/// Says whether `failure` is retryable: an instance of a listed class, or a timeout where those
/// always are. A timeout that is covered by a base class alone may otherwise be taken either way
/// ("only if TimeoutError is listed").
Retry retry_of(const Outcome& failure, const PoolSetup& setup);

/// Gives everything that the attempt may count as, judged by itself; never empty.
std::vector<Outcome> outcomes_of(const Attempt& attempt, const PoolSetup& setup,
                                 const PoolTrace& trace);

/// Whether the attempt was cancelled because its time was up: no cancellation came early.
bool is_late(const Attempt& attempt, const PoolSetup& setup);

}  // namespace driver
