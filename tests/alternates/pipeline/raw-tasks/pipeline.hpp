// SPDX-License-Identifier: MIT
// Raw tasks: no aio::TaskGroup. The call starts its tasks with aio::spawn, waits until one of them
// reports a failure or all are through, cancels what is left, waits for that through any further
// cancellation, and makes the group itself. Failures are in the order of the tasks.
#pragma once

#include "aio/aio.hpp"
#include "options.hpp"
#include "source.hpp"

#include <exception>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

namespace raw {

template <class Item>
using Entry = std::optional<std::pair<std::size_t, Item>>;

// Reports the end of a task, however it ends.
class Report {
 public:
  Report(std::size_t& left, aio::Event& news) : left_(left), news_(news) {}
  Report(const Report&) = delete;
  Report& operator=(const Report&) = delete;
  ~Report() {
    --left_;
    news_.set();
  }

 private:
  std::size_t& left_;
  aio::Event& news_;
};

template <class Items, class Item>
asio::awaitable<void> produce(Items& items, aio::Queue<Entry<Item>>& queue, std::int64_t workers) {
  std::size_t index = 0;
  for (auto&& item : items) {
    Entry<Item> entry(std::in_place, index++, std::forward<decltype(item)>(item));
    co_await queue.put(std::move(entry));
  }
  for (std::int64_t i = 0; i < workers; ++i) co_await queue.put(std::nullopt);
}

template <class Item, class Process, class Result>
asio::awaitable<void> consume(aio::Queue<Entry<Item>>& queue, Process& process,
                              std::vector<std::optional<Result>>& results) {
  Entry<Item> entry = co_await queue.get();
  while (entry) {
    results.at(entry->first).emplace(co_await process(std::move(entry->second)));
    entry.reset();
    Entry<Item> next = co_await queue.get();
    if (next) entry.emplace(next->first, std::move(next->second));
  }
}

inline asio::awaitable<void> watched(asio::awaitable<void> body, std::size_t& left,
                                     aio::Event& news, bool& has_failed) {
  const Report report(left, news);
  try {
    co_await std::move(body);
  } catch (const aio::Cancelled&) {
    throw;
  } catch (...) {
    has_failed = true;
    throw;
  }
}

}  // namespace raw

template <SizedSource Items, class Process>
asio::awaitable<std::vector<ResultOf<Items, Process>>> process_all(Items&& items, Process process,
                                                                   PipelineOptions options) {
  using Result = ResultOf<Items, Process>;
  const std::int64_t workers = options.workers;
  if (workers < 1 || options.capacity < 1) throw std::invalid_argument("must be at least 1");
  std::vector<std::optional<Result>> places(std::ranges::size(items));
  aio::Queue<raw::Entry<ItemOf<Items>>> queue(static_cast<std::size_t>(options.capacity));
  std::size_t left = static_cast<std::size_t>(workers) + 1;
  aio::Event news;
  bool has_failed = false;
  std::vector<aio::Task<void>> tasks;
  tasks.push_back(
      aio::spawn(raw::watched(raw::produce(items, queue, workers), left, news, has_failed)));
  for (std::int64_t i = 0; i < workers; ++i) {
    tasks.push_back(
        aio::spawn(raw::watched(raw::consume(queue, process, places), left, news, has_failed)));
  }

  std::exception_ptr cancelled;
  try {
    while (left > 0 && !has_failed) {
      co_await news.wait();
      news.clear();
    }
  } catch (const aio::Cancelled&) {
    cancelled = std::current_exception();
  }
  if (cancelled || has_failed) {
    for (const auto& task : tasks) task.cancel();
  }
  for (const auto& task : tasks) {
    while (!task.done()) {
      try {
        co_await task.wait();
      } catch (const aio::Cancelled&) {
        cancelled = std::current_exception();
      }
    }
  }
  std::vector<std::exception_ptr> failures;
  for (const auto& task : tasks) {
    if (task.cancelled()) continue;
    if (const std::exception_ptr failure = task.exception()) failures.push_back(failure);
  }
  if (cancelled) std::rethrow_exception(cancelled);
  if (!failures.empty()) throw aio::ExceptionGroup("the pipeline failed", failures);

  std::vector<Result> results;
  for (auto& place : places) results.push_back(std::move(place.value()));
  co_return results;
}
