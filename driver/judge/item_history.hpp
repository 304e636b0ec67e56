// SPDX-License-Identifier: MIT
//
// What became of the items of a run: the outcome of every attempt, settled by what followed it, and
// the instants at which the pool may or must have stopped.

#pragma once

#include "driver/judge/outcome.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace driver {

/// An attempt with what it may still count as once its successors and its yield are known.
struct SettledAttempt {
  const Attempt* attempt = nullptr;
  std::vector<Outcome> outcomes;
  const Attempt* next = nullptr;  ///< The retry of the same item; only for unique items.
  bool is_unique = false;         ///< Whether its item's value occurs once.

  bool can_be_ok() const;
  bool can_be_aborted() const;
  bool can_fail() const;
  bool must_be_ok() const { return !can_fail() && !can_be_aborted(); }
  bool must_fail() const { return !can_be_ok() && !can_be_aborted(); }
  /// Whether this attempt surely was the last of its item.
  bool must_be_last(const PoolSetup& setup) const;
};

/// The instant of a stop, and who caused it.
struct StopInstant {
  enum class Cause { request, failure, source };
  Nanoseconds time = 0;
  Cause cause = Cause::request;
};

/// Everything that several checks need to know of one run.
struct ItemHistory {
  std::vector<SettledAttempt> attempts;    ///< In the order of PoolTrace::attempts.
  std::optional<StopInstant> sure_stop;    ///< From here on the pool must have stopped.
  std::optional<StopInstant> likely_stop;  ///< From here on it may have; never after sure_stop.
  std::optional<Nanoseconds> sure_stop_by_others;  ///< The same, without what the source did.
  std::optional<Nanoseconds> likely_stop_by_others;
};

ItemHistory settle(const PoolSetup& setup, const PoolTrace& trace);

}  // namespace driver
