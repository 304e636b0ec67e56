// SPDX-License-Identifier: MIT
// Waits for room: the producer takes a permit for a place in the queue before it takes an item from
// the source, so that it never holds one that nobody has asked for. A worker gives the permit back
// when it takes the job. The queue itself has no bound, nobody marks anything as done, and a closed
// flag in the queue's end stands for the stop messages.
#pragma once

#include "aio/aio.hpp"
#include "options.hpp"
#include "source.hpp"

#include <iterator>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>
#include <variant>
#include <vector>

namespace rooms {

struct GoHome {};

template <class Item, class Result>
struct Work {
  struct Job {
    Item item;
    std::unique_ptr<Result>* place;
    aio::Semaphore::Permit room;
  };

  explicit Work(std::int64_t capacity) : rooms(capacity) {}

  aio::Semaphore rooms;
  aio::Queue<std::variant<GoHome, Job>> jobs;
  std::vector<std::unique_ptr<Result>> places;
};

template <class Items, class State>
asio::awaitable<void> fill(Items& items, State& state, std::int64_t workers) {
  auto place = std::ranges::begin(items);
  const auto end = std::ranges::end(items);
  for (auto& result : state.places) {
    if (place == end) break;
    aio::Semaphore::Permit room = co_await state.rooms.acquire();
    typename State::Job job{*place, &result, std::move(room)};
    co_await state.jobs.put(std::move(job));
    ++place;
  }
  for (std::int64_t i = 0; i < workers; ++i) co_await state.jobs.put(GoHome());
}

template <class Result, class State, class Process>
asio::awaitable<void> empty(State& state, Process& process) {
  while (true) {
    auto next = co_await state.jobs.get();
    if (std::holds_alternative<GoHome>(next)) co_return;
    auto& job = std::get<1>(next);
    {
      const aio::Semaphore::Permit given_back = std::move(job.room);
    }
    auto result = co_await process(std::move(job.item));
    *job.place = std::make_unique<Result>(std::move(result));
  }
}

template <class Result, class Items, class State, class Process>
asio::awaitable<void> start(aio::TaskGroup& group, Items& items, State& state, Process& process,
                            std::int64_t workers) {
  for (std::int64_t i = 0; i < workers; ++i) group.spawn(empty<Result>(state, process));
  group.spawn(fill(items, state, workers));
  co_return;
}

}  // namespace rooms

template <SizedSource Items, class Process>
asio::awaitable<std::vector<ResultOf<Items, Process>>> process_all(Items&& items, Process process,
                                                                   PipelineOptions options) {
  using Result = ResultOf<Items, Process>;
  if (options.workers <= 0 || options.capacity <= 0) {
    throw std::invalid_argument("workers and capacity have to be positive");
  }
  rooms::Work<ItemOf<Items>, Result> state(options.capacity);
  state.places.resize(std::ranges::size(items));
  aio::TaskGroup group;
  co_await group.run(rooms::start<Result>(group, items, state, process, options.workers));
  std::vector<Result> results;
  for (auto& place : state.places) {
    if (!place) throw std::logic_error("the source has fewer items than it said");
    results.push_back(std::move(*place));
  }
  co_return results;
}
