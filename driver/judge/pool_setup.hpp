// SPDX-License-Identifier: MIT
//
// The settings of a worker-pool case as the checks need them: times in nanoseconds, items counted.

#pragma once

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace driver {

/// Virtual time, in nanoseconds.
using Nanoseconds = std::int64_t;

/// How far a time may be off that somebody computed from seconds in floating point: one rounds and
/// another truncates, and both are right.
inline constexpr Nanoseconds rounding = 1;

/// Gives the nearest number of nanoseconds.
Nanoseconds from_seconds(double seconds);

/// One case in the matrix form.
struct PoolSetup {
  std::size_t workers = 1;
  std::size_t queue_size = 1;
  Nanoseconds timeout = 0;
  std::vector<std::string> retryable;
  std::int64_t max_retries = 0;
  std::size_t items = 0;
  std::unordered_map<std::int64_t, std::size_t> copies;  ///< How often a value occurs in the items.
  std::string metrics = "none";
  bool has_bad_repr = false;
  bool stops_before = false;
  std::optional<Nanoseconds> caller_delay;
  Nanoseconds source_linger = 0;  ///< How long a woken source may go on without a sign.

  // What the statements say differently.
  std::int64_t result_factor = 10;    ///< The handler returns the item times this.
  bool failures_stop = true;          ///< Whether an item that fails for good stops the pool.
  bool timeouts_are_retried = false;  ///< Whether a timeout is retried even if it is not listed.
  bool lead_ends_at_start = false;    ///< Whether an item counts until its handler is called.
  bool metrics_take_items = false;    ///< Whether metrics always get the item, and no text.
  std::string failure_event = "failure";  ///< The metrics event of an item that failed for good.

  std::size_t lead_bound() const { return queue_size + workers + 1; }
  bool is_unique(std::int64_t item) const;
};

/// Reads a case that its schema has accepted.
/// Shape: `parameters` is the object "judge" of exercise.json: the members above that differ from
/// what they are here, by name; and "stops_in_source", whether a negative `stop_after` stops as
/// well.
PoolSetup read_setup(const nlohmann::json& test_case, const nlohmann::json& parameters);

}  // namespace driver
