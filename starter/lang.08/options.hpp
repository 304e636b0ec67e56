// SPDX-License-Identifier: MIT
// Given: the settings of a download, by name.
#pragma once

#include "aio/sleep.hpp"

#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <cstdint>
#include <functional>

/// How to wait between two attempts; a test passes one that only notes the delays.
using Sleep = std::function<boost::asio::awaitable<void>(std::chrono::duration<double>)>;

/// The settings of one download.
/// Example: `const FetchOptions options{.attempts = 5}; co_await fetch(url, options);`
/// With g++ 12, name the options first, as here: it destroys an unnamed one twice.
struct FetchOptions {
  std::int64_t attempts = 3;                      ///< at least 1
  std::chrono::duration<double> timeout{5.0};     ///< of one attempt
  std::chrono::duration<double> base_delay{0.1};  ///< the wait after the first attempt
  Sleep sleep = aio::sleep;
};

/// The settings of many downloads.
struct DownloadOptions {
  std::int64_t limit = 4;  ///< how many at a time
  std::int64_t attempts = 3;
  std::chrono::duration<double> timeout{5.0};
  std::chrono::duration<double> base_delay{0.1};
  Sleep sleep = aio::sleep;
};
