// SPDX-License-Identifier: MIT
// WorkerPool: handles the items of an async source, several at a time, and yields each result as
// soon as it is there. Items that fail for good do not stop it: their failures come at the end.
#pragma once

#include "aio/aio.hpp"
#include "item.hpp"
#include "options.hpp"

#include <functional>
#include <string_view>
#include <utility>

/// Handles items of type T, which gives results of type R.
/// Lifetime: must outlive the generator that run() returns.
template <class T, class R>
class WorkerPool {
 public:
  /// Handles one item. The reference stays valid until the attempt has finished.
  using Handler = std::function<asio::awaitable<R>(const T&)>;
  using Options = WorkerPoolOptions<T>;

  /// Errors: std::invalid_argument when `workers` or `queue_size` is not positive, `item_timeout`
  /// is not finite and positive, or `max_retries` is negative.
  WorkerPool(Handler handle, Options options)
      : handle_(std::move(handle)), options_(std::move(options)) {
    // TODO(pool-keep-going): refuse bad settings before anything starts (S1 to S6).
    throw aio::NotImplemented("pool-keep-going: WorkerPool::WorkerPool");
  }

  /// Takes in no more items; what was taken in is still finished. Calling it again does nothing.
  void request_stop() {
    // TODO(pool-keep-going): stop the intake, and wake whoever waits for it (S54 to S61).
    throw aio::NotImplemented("pool-keep-going: WorkerPool::request_stop");
  }

  /// Yields the results of the items of `source`, in the order in which they finish. Nothing
  /// starts before the first next(). `source` stays open: it belongs to the caller.
  /// Errors: aio::ExceptionGroup, after the last result, of every failure that was recorded;
  /// std::runtime_error "pool is single-use" when the pool has run before.
  /// Cancel: cancels everything, waits until all tasks of the pool have ended, then passes it on.
  aio::AsyncGenerator<R> run(aio::AsyncIterator<T>& source) {
    // TODO(pool-keep-going): start the tasks, yield what they finish, and leave none behind (S7 to
    // S76, B1 to B13).
    static_cast<void>(source);
    throw aio::NotImplemented("pool-keep-going: WorkerPool::run");
    co_return;  // makes this a coroutine: it starts when somebody calls next()
  }

 private:
  Handler handle_;
  Options options_;
};
