// SPDX-License-Identifier: MIT
// aio::aclosing: reads a generator in a loop and closes it however the loop ends.
#pragma once

#include "async_generator.hpp"

#include <boost/asio/awaitable.hpp>

#include <exception>
#include <optional>
#include <utility>

namespace aio {

/// Runs `body(generator)`, then closes the generator, also when the body throws or is cancelled.
/// Shape: `body` takes the generator by reference and returns an awaitable<void>.
/// Errors: what the body throws; if closing throws as well, what closing throws.
/// Cancel: reaches the body, or the closing.
/// Lifetime: `body` is kept until the call has ended; name a capturing lambda before passing it.
/// Example: `co_await aio::aclosing(pool.run(source), print_all);`
template <class T, class Body>
boost::asio::awaitable<void> aclosing(AsyncGenerator<T> generator, Body body) {
  std::exception_ptr error;
  try {
    co_await body(generator);
  } catch (...) {
    error = std::current_exception();  // C++ allows no co_await in here
  }
  co_await generator.aclose();
  if (error) std::rethrow_exception(error);
}

}  // namespace aio
