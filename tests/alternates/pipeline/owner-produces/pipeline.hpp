// SPDX-License-Identifier: MIT
// The owner produces: there is no task for the producer. The body of the group starts the workers,
// puts the items and the stop messages into the queue itself, and then waits with join(). Results
// are collected with their index and put in order at the end.
#pragma once

#include "aio/aio.hpp"
#include "options.hpp"
#include "source.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

template <class Item>
struct Parcel {
  std::optional<Item> item;  // none: stop
  std::size_t index = 0;
};

template <class Result>
struct Finished {
  std::size_t index;
  Result result;
};

template <class Item, class Process, class Result>
asio::awaitable<void> serve(aio::Queue<Parcel<Item>>& queue, Process& process,
                            std::vector<std::optional<Finished<Result>>>& finished) {
  bool goes_on = true;
  while (goes_on) {
    Parcel<Item> parcel = co_await queue.get();
    goes_on = parcel.item.has_value();
    std::exception_ptr failure;
    try {
      if (goes_on) {
        finished.push_back(
            Finished<Result>{parcel.index, co_await process(std::move(*parcel.item))});
      }
    } catch (...) {
      failure = std::current_exception();
    }
    queue.task_done();
    if (failure) std::rethrow_exception(failure);
  }
}

template <class Items, class Process, class Result>
asio::awaitable<void> own(aio::TaskGroup& group, Items& items, Process& process,
                          std::int64_t workers, aio::Queue<Parcel<ItemOf<Items>>>& queue,
                          std::vector<std::optional<Finished<Result>>>& finished) {
  for (std::int64_t count = workers; count > 0; --count) {
    group.spawn(serve(queue, process, finished));
  }
  std::size_t index = 0;
  for (auto&& item : items) {
    Parcel<ItemOf<Items>> parcel;
    parcel.item.emplace(std::forward<decltype(item)>(item));
    parcel.index = index++;
    co_await queue.put(std::move(parcel));
  }
  for (std::int64_t count = workers; count > 0; --count) {
    co_await queue.put(Parcel<ItemOf<Items>>());
  }
  co_await queue.join();
}

template <SizedSource Items, class Process>
asio::awaitable<std::vector<ResultOf<Items, Process>>> process_all(Items&& items, Process process,
                                                                   PipelineOptions options) {
  using Result = ResultOf<Items, Process>;
  if (options.workers < 1) throw std::invalid_argument("no worker");
  if (options.capacity < 1) throw std::invalid_argument("no room in the queue");
  std::vector<std::optional<Finished<Result>>> finished;
  finished.reserve(std::ranges::size(items));
  aio::Queue<Parcel<ItemOf<Items>>> queue(static_cast<std::size_t>(options.capacity));
  aio::TaskGroup group;
  co_await group.run(own(group, items, process, options.workers, queue, finished));
  std::vector<std::optional<Finished<Result>>*> by_index(finished.size());
  for (auto& one : finished) by_index.at(one->index) = &one;
  std::vector<Result> results;
  for (auto* one : by_index) results.push_back(std::move((*one)->result));
  co_return results;
}
