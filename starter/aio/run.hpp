// SPDX-License-Identifier: MIT
// aio::run: an event loop in real time, for a program's own main().
#pragma once

#include "detail/loop_executor.hpp"
#include "task.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>

#include <stdexcept>
#include <utility>

namespace aio {

/// Runs `main` as a task on an event loop of its own and returns what it returns. Tasks that it
/// leaves behind are destroyed where they stand.
/// Errors: throws what `main` throws; std::runtime_error "deadlock: the main task waits for
/// something that nobody will do" when nothing is left that could wake it.
template <class T>
T run(boost::asio::awaitable<T> main) {
  boost::asio::io_context loop(1);
  const Task<T> task = spawn(detail::LoopExecutor(loop), std::move(main), "main");
  while (!task.done() && loop.run_one() > 0) {
  }
  if (!task.done()) {
    throw std::runtime_error("deadlock: the main task waits for something that nobody will do");
  }
  return task.result();
}

}  // namespace aio
