// SPDX-License-Identifier: MIT
// Given: the settings of a WorkerPool. Leave this file as it is; the check uses its own copy.
#pragma once

#include "aio/retry_on.hpp"

#include <chrono>
#include <concepts>
#include <cstdint>
#include <functional>
#include <limits>
#include <string_view>
#include <utility>

/// A whole number that limits something. A bool does not compile; the sign is for the pool to
/// check. Bounds: a larger unsigned number counts as the largest std::int64_t.
class Limit {
 public:
  template <std::integral Number>
    requires(!std::same_as<Number, bool>)
  constexpr Limit(Number number)  // NOLINT(google-explicit-constructor): `{.workers = 3}`
      : value_(std::in_range<std::int64_t>(number) ? static_cast<std::int64_t>(number)
                                                   : std::numeric_limits<std::int64_t>::max()) {}
  constexpr operator std::int64_t() const { return value_; }  // NOLINT(google-explicit-constructor)

 private:
  std::int64_t value_;
};

/// The settings of a WorkerPool for items of type T, by name.
/// Example: `{.workers = 3, .queue_size = 3, .item_timeout = std::chrono::seconds(1)}`
template <class T>
struct WorkerPoolOptions {
  /// How many items are handled at once. Bounds: at least 1.
  Limit workers;
  /// How many items may wait for a worker. Bounds: at least 1.
  Limit queue_size;
  /// How long one attempt may take. Bounds: finite and more than zero.
  std::chrono::duration<double> item_timeout;
  /// Which failures are worth another attempt, apart from timeouts, which always are.
  aio::RetryOn retryable = {};
  /// How many more attempts a failed item gets. Bounds: at least 0.
  Limit max_retries = 0;
  /// Called with "ok", "retry" or "failed" and the item that it is about; may be empty.
  std::function<void(std::string_view event, const T& item)> metrics = {};
};
