// SPDX-License-Identifier: MIT
// A bounded pipeline: one producer, a bounded queue, a fixed number of workers, and one owner that
// sees all of them end. The results come in the order of the items.
#pragma once

#include "aio/aio.hpp"
#include "options.hpp"
#include "source.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

/// One piece of work: an item, and where its result belongs.
template <class Item>
struct Job {
  std::size_t index;
  Item item;
};

/// The work that waits; an empty optional tells one worker to stop. An item is inside a Job, so no
/// value of it can be taken for that.
template <class Item>
using JobQueue = aio::Queue<std::optional<Job<Item>>>;

/// Marks what was taken from a queue as done, on whichever way the worker goes on.
template <class Queue>
class DoneMark {
 public:
  explicit DoneMark(Queue& queue) : queue_(queue) {}
  DoneMark(const DoneMark&) = delete;
  DoneMark& operator=(const DoneMark&) = delete;
  ~DoneMark() { queue_.task_done(); }

 private:
  Queue& queue_;
};

/// Puts the items into the queue, one at a time, and then a stop for each worker.
template <class Items>
asio::awaitable<void> produce(Items& items, JobQueue<ItemOf<Items>>& queue, std::int64_t workers) {
  std::size_t index = 0;
  for (auto&& item : items) {
    // Named: g++ 12 destroys a temporary in the call twice.
    std::optional<Job<ItemOf<Items>>> job({index++, std::forward<decltype(item)>(item)});
    co_await queue.put(std::move(job));
  }
  for (std::int64_t stop = 0; stop < workers; ++stop) co_await queue.put(std::nullopt);
}

/// Takes jobs until it is told to stop.
template <class Item, class Process, class Result>
asio::awaitable<void> work(JobQueue<Item>& queue, Process& process,
                           std::vector<std::optional<Result>>& results) {
  for (;;) {
    std::optional<Job<Item>> job = co_await queue.get();
    const DoneMark mark(queue);
    if (!job) co_return;
    // at(): a source may hold more than its size said.
    std::optional<Result>& place = results.at(job->index);
    place.emplace(co_await process(std::move(job->item)));
  }
}

/// Starts everybody and sees the work through.
template <class Items, class Process, class Result>
asio::awaitable<void> supervise(aio::TaskGroup& group, Items& items, Process& process,
                                std::int64_t workers, JobQueue<ItemOf<Items>>& queue,
                                std::vector<std::optional<Result>>& results) {
  const aio::Task<void> producer = group.spawn(produce(items, queue, workers), "producer");
  for (std::int64_t count = 0; count < workers; ++count) {
    group.spawn(work(queue, process, results), "worker");
  }
  co_await producer.wait();  // first: a queue into which nothing was put yet counts as finished
  co_await queue.join();
}

/// Calls `process` for every item of `items`, which may be of any size, and gives the results in
/// the order of the items.
/// Lifetime: `items` must outlive the call; it is gone through once, a little ahead of the workers.
/// Errors: std::invalid_argument when `workers` or `capacity` is less than 1, before anything has
/// started; aio::ExceptionGroup of what `process` or `items` threw, once everything has ended.
/// Cancel: cancels everything, waits until all tasks have ended, then passes it on.
template <SizedSource Items, class Process>
asio::awaitable<std::vector<ResultOf<Items, Process>>> process_all(Items&& items, Process process,
                                                                   PipelineOptions options) {
  using Result = ResultOf<Items, Process>;
  if (options.workers < 1) throw std::invalid_argument("workers must be at least 1");
  if (options.capacity < 1) throw std::invalid_argument("capacity must be at least 1");

  // A place for every result; Result itself may have no default.
  std::vector<std::optional<Result>> places(std::ranges::size(items));
  JobQueue<ItemOf<Items>> queue(static_cast<std::size_t>(options.capacity));
  aio::TaskGroup group;
  co_await group.run(supervise(group, items, process, options.workers, queue, places));

  std::vector<Result> results;
  results.reserve(places.size());
  for (std::optional<Result>& place : places) {
    if (!place) throw std::runtime_error("a process call ended without a result");
    results.push_back(std::move(*place));
  }
  co_return results;
}
