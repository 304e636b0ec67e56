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
  Nanoseconds source_linger = 0;   ///< How long a woken source may go on without a sign.
  std::int64_t result_factor = 1;  ///< The handler returns the item times this.

  std::size_t lead_bound() const { return queue_size + workers + 1; }
  bool is_unique(std::int64_t item) const;
};

/// Reads a case that its schema has accepted.
/// Shape: `parameters` is the object "judge" of exercise.json; "result_factor" is 10 without it.
PoolSetup read_setup(const nlohmann::json& test_case, const nlohmann::json& parameters);

}  // namespace driver
