// SPDX-License-Identifier: MIT
// Events and a deque: no aio::Queue. Jobs wait in a std::deque; a worker that finds none waits for
// an Event, and so does a producer that finds no room. There are no stop messages: a flag says that
// no more will come. Each waiter looks again when it wakes.
#pragma once

#include "aio/aio.hpp"
#include "options.hpp"
#include "source.hpp"

#include <cstddef>
#include <deque>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

// Memory for a result that may not be there yet.
template <class Result>
class Slot {
 public:
  void fill(Result result) { result_ = std::make_unique<Result>(std::move(result)); }
  Result take() {
    if (!result_) throw std::logic_error("a slot was never filled");
    return std::move(*result_);
  }

 private:
  std::unique_ptr<Result> result_;
};

template <class Items, class Process>
class Line {
 public:
  using Item = ItemOf<Items>;
  using Result = ResultOf<Items, Process>;

  Line(std::remove_reference_t<Items>& items, Process& process, PipelineOptions options)
      : items_(items), process_(process), options_(options), slots_(std::ranges::size(items)) {}

  asio::awaitable<void> run(aio::TaskGroup& group) {
    group.spawn(produce(), "producer");
    for (std::int64_t i = 0; i < options_.workers; ++i) group.spawn(work(), "worker");
    co_return;
  }

  std::vector<Result> take_results() {
    std::vector<Result> results;
    results.reserve(slots_.size());
    for (auto& slot : slots_) results.push_back(slot.take());
    return results;
  }

 private:
  struct Job {
    Slot<Result>* slot;
    Item item;
  };

  asio::awaitable<void> produce() {
    std::size_t index = 0;
    for (auto&& item : items_) {
      Job job{&slots_.at(index++), std::forward<decltype(item)>(item)};
      while (static_cast<std::int64_t>(jobs_.size()) >= options_.capacity) {
        has_room_.clear();
        co_await has_room_.wait();
      }
      jobs_.push_back(std::move(job));
      has_work_.set();
    }
    is_over_ = true;
    has_work_.set();
  }

  asio::awaitable<void> work() {
    for (;;) {
      while (jobs_.empty() && !is_over_) {
        has_work_.clear();
        co_await has_work_.wait();
      }
      if (jobs_.empty()) co_return;
      Job job = std::move(jobs_.front());
      jobs_.pop_front();
      has_room_.set();
      Slot<Result>& slot = *job.slot;
      slot.fill(co_await process_(std::move(job.item)));
    }
  }

  std::remove_reference_t<Items>& items_;
  Process& process_;
  PipelineOptions options_;
  std::vector<Slot<Result>> slots_;
  std::deque<Job> jobs_;
  aio::Event has_work_;
  aio::Event has_room_;
  bool is_over_ = false;
};

template <SizedSource Items, class Process>
asio::awaitable<std::vector<ResultOf<Items, Process>>> process_all(Items&& items, Process process,
                                                                   PipelineOptions options) {
  if (options.workers < 1 || options.capacity < 1) {
    throw std::invalid_argument("a pipeline needs a worker and room for an item");
  }
  Line<Items, Process> line(items, process, options);
  aio::TaskGroup group;
  co_await group.run(line.run(group));
  co_return line.take_results();
}
