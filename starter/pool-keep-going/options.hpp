// SPDX-License-Identifier: MIT
// Given: the settings of a WorkerPool. Leave this file as it is; the check uses its own copy.
#pragma once

#include "aio/limit.hpp"
#include "aio/retry_on.hpp"

#include <chrono>
#include <functional>
#include <string_view>

/// The settings of a WorkerPool for items of type T, by name.
/// Example: `{.workers = 3, .queue_size = 3, .item_timeout = std::chrono::seconds(1)}`
template <class T>
struct WorkerPoolOptions {
  /// How many items are handled at once. Bounds: at least 1.
  aio::Limit workers;
  /// How many items may wait for a worker. Bounds: at least 1.
  aio::Limit queue_size;
  /// How long one attempt may take. Bounds: finite and more than zero.
  std::chrono::duration<double> item_timeout;
  /// Which failures are worth another attempt, apart from timeouts, which always are.
  aio::RetryOn retryable = {};
  /// How many more attempts a failed item gets. Bounds: at least 0.
  aio::Limit max_retries = 0;
  /// Called with "ok", "retry" or "failed" and the item that it is about; may be empty.
  std::function<void(std::string_view event, const T& item)> metrics = {};
};
