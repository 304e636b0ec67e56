// SPDX-License-Identifier: MIT
//
// The events of one run of a worker pool, sorted by what they are about. Positions are indices into
// the run's events: they give the order within one instant, where time cannot.

#pragma once

#include "driver/core/run_log.hpp"
#include "driver/judge/pool_setup.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

namespace driver {

/// An event does not have the form that its name promises: the runner is at fault, not the pool.
struct BadObservation : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// When something happened, and where in the list of events it stands.
struct Moment {
  Nanoseconds time = 0;
  std::size_t position = 0;
};

struct Pull {
  Moment at;
  std::int64_t item = 0;
};

/// One call of the handler.
struct Attempt {
  std::int64_t item = 0;
  std::int64_t number = 1;  ///< Counted by item value, from 1.
  Moment start;
  std::optional<Moment> end;
  std::string how;  ///< As in the attempt_end event; empty while it runs.
  std::vector<Nanoseconds> cancels;

  bool is_over_at(Nanoseconds time) const { return end && end->time <= time; }
};

struct Yield {
  Moment at;
  std::int64_t result = 0;
};

struct MetricsCall {
  Moment at;
  std::string event;
  std::string detail;
};

struct Stop {
  Moment at;
  std::string by;
};

struct SourceFailure {
  Moment at;
  std::string error;
};

/// What the fixtures saw in one run, by kind. A kind that was not recorded is empty.
struct PoolTrace {
  std::vector<Moment> nexts;
  std::vector<Pull> pulls;
  std::vector<Attempt> attempts;  ///< In the order of their starts.
  std::unordered_map<std::int64_t, std::vector<std::size_t>> attempts_of;  ///< By item value.
  std::unordered_map<std::int64_t, std::size_t> pulls_of;
  std::vector<Yield> yields;
  std::unordered_map<std::int64_t, std::size_t> yields_of;  ///< By result.
  std::vector<MetricsCall> metrics;
  std::vector<Stop> stops;
  std::vector<Moment> overlaps;
  std::vector<SourceFailure> source_failures;
  std::optional<Moment> source_end;
  std::optional<Moment> source_woken;  ///< The last time.
  std::optional<Moment> source_closed;
  std::optional<Moment> caller_cancelled;  ///< The first time.
  std::optional<Moment> caller_closed;
  std::optional<Moment> end;
  std::optional<Moment> last_before_end;

  /// Gives when the caller stopped reading by cancelling or closing the run, if it did.
  std::optional<Moment> caller_left() const;
  std::size_t yields_for(std::int64_t result) const;
};

/// Sorts the events of a run.
/// Errors: BadObservation when an event lacks a field, or ends an attempt that never started.
PoolTrace read_trace(const std::vector<Event>& events);

}  // namespace driver
