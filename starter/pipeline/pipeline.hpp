// SPDX-License-Identifier: MIT
// A bounded pipeline: one producer, a bounded queue, a fixed number of workers, and one owner that
// sees all of them end. The results come in the order of the items.
#pragma once

#include "aio/aio.hpp"
#include "options.hpp"
#include "source.hpp"

#include <vector>

/// Calls `process` for every item of `items`, which may be of any size, and gives the results in
/// the order of the items.
/// Lifetime: `items` must outlive the call; it is gone through once, a little ahead of the workers.
/// Errors: std::invalid_argument when `workers` or `capacity` is less than 1, before anything has
/// started; aio::ExceptionGroup of what `process` or `items` threw, once everything has ended.
/// Cancel: cancels everything, waits until all tasks have ended, then passes it on.
template <SizedSource Items, class Process>
asio::awaitable<std::vector<ResultOf<Items, Process>>> process_all(Items&& items, Process process,
                                                                   PipelineOptions options) {
  // TODO(pipeline): refuse bad settings before anything starts (P22 to P26).
  // TODO(pipeline): start one producer and the workers, and give each result its place (P1 to P16).
  // TODO(pipeline): leave no task behind, whatever happens (P17 to P21, P27, P28).
  static_cast<void>(items);
  static_cast<void>(process);
  static_cast<void>(options);
  throw aio::NotImplemented("pipeline: process_all");
  // Makes this a coroutine: it starts when somebody awaits it.
  co_return std::vector<ResultOf<Items, Process>>();
}
