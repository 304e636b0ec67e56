// SPDX-License-Identifier: MIT
// aio::AsyncIterator<T>: values that arrive one after the other, each worth waiting for.
#pragma once

#include <boost/asio/awaitable.hpp>

#include <optional>

namespace aio {

/// The interface of everything that gives values one at a time.
template <class T>
class AsyncIterator {
 public:
  AsyncIterator() = default;
  virtual ~AsyncIterator() = default;

  /// The next value, or nothing when there are no more. One call at a time.
  /// Errors: whatever the source throws.
  virtual boost::asio::awaitable<std::optional<T>> next() = 0;

 protected:
  AsyncIterator(const AsyncIterator&) = default;
  AsyncIterator(AsyncIterator&&) = default;
  AsyncIterator& operator=(const AsyncIterator&) = default;
  AsyncIterator& operator=(AsyncIterator&&) = default;
};

}  // namespace aio
