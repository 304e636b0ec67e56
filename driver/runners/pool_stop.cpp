// SPDX-License-Identifier: MIT
// Runs one submission of pool-stop: the only translation unit that sees its worker_pool.hpp.
#include "driver/fixtures/pool_run.hpp"
#include "driver/fixtures/special_types.hpp"
#include "worker_pool.hpp"

namespace {

using fixtures::Json;
using fixtures::TestItem;

WorkerPoolOptions options_from(fixtures::PoolSettings settings) {
  return {.workers = settings.workers,
          .queue_size = settings.queue_size,
          .item_timeout = settings.item_timeout,
          .retryable = std::move(settings.retryable),
          .max_retries = settings.max_retries,
          .metrics = std::move(settings.metrics)};
}

class SubmittedPool final : public fixtures::Pool {
 public:
  SubmittedPool(fixtures::Handler handle, fixtures::PoolSettings settings)
      : pool_(std::move(handle), options_from(std::move(settings))) {}

  void request_stop() override { pool_.request_stop(); }
  aio::AsyncGenerator<std::int64_t> run(aio::AsyncIterator<TestItem>& source) override {
    return pool_.run(source);
  }

 private:
  WorkerPool<TestItem, std::int64_t> pool_;
};

WorkerPoolOptions two_workers() {
  return {.workers = 2, .queue_size = 1, .item_timeout = std::chrono::seconds(1)};
}

using MaybeInt = std::optional<int>;

asio::awaitable<int> flag_empty(MaybeInt item) {
  co_await aio::sleep(std::chrono::milliseconds(10));
  co_return item ? 1 : 0;
}

asio::awaitable<int> take_sentinel(Sentinel /*item*/) {
  co_await aio::sleep(std::chrono::milliseconds(10));
  co_return 1;
}

// Items that equal nothing, or the end marker, are items like any other.
asio::awaitable<Json> special_items(fixtures::ScenarioContext& context) {
  const auto is_zero = [](const int& flag) { return flag == 0; };
  WorkerPool<MaybeInt, int> maybes(flag_empty, two_workers());
  const std::vector<MaybeInt> values{1, std::nullopt, 2, std::nullopt};
  Json seen = Json::object();
  seen["optional<int>"] =
      co_await fixtures::count_results<decltype(maybes), MaybeInt, int>(maybes, values, is_zero);
  WorkerPool<Sentinel, int> sentinels(take_sentinel, two_workers());
  Json marks = co_await fixtures::count_results<decltype(sentinels), Sentinel, int>(
      sentinels, std::vector<Sentinel>(3), is_zero);
  marks.erase("empty");
  seen["Sentinel"] = marks;
  seen["tasks"] = context.tasks();
  co_return seen;
}

asio::awaitable<MaybeInt> give_maybe(int item) {
  co_await aio::sleep(std::chrono::milliseconds(10));
  MaybeInt result;
  if (item > 0) result = item;
  co_return result;
}

asio::awaitable<Sentinel> give_sentinel(int /*item*/) {
  co_await aio::sleep(std::chrono::milliseconds(10));
  co_return Sentinel();
}

// The same for results.
asio::awaitable<Json> special_results(fixtures::ScenarioContext& context) {
  WorkerPool<int, MaybeInt> maybes(give_maybe, two_workers());
  const std::vector<int> values{1, 0, 2, 0};
  const auto is_empty = [](const MaybeInt& result) { return !result; };
  Json seen = Json::object();
  seen["optional<int>"] =
      co_await fixtures::count_results<decltype(maybes), int, MaybeInt>(maybes, values, is_empty);
  WorkerPool<int, Sentinel> sentinels(give_sentinel, two_workers());
  const auto never = [](const Sentinel&) { return false; };
  Json marks = co_await fixtures::count_results<decltype(sentinels), int, Sentinel>(
      sentinels, std::vector<int>{1, 2, 3}, never);
  marks.erase("empty");
  seen["Sentinel"] = marks;
  seen["tasks"] = context.tasks();
  co_return seen;
}

// A bool is no limit: it does not compile.
static_assert(!std::is_constructible_v<Limit, bool>);

using ParcelPool = WorkerPool<fixtures::Parcel, fixtures::Parcel>;
using SheetPool = WorkerPool<fixtures::Sheet, fixtures::Sheet>;

asio::awaitable<Json> move_only_values(fixtures::ScenarioContext& context) {
  return fixtures::move_only_values<ParcelPool>(context, two_workers());
}

asio::awaitable<Json> item_repr_raises(fixtures::ScenarioContext& context) {
  WorkerPoolOptions options = two_workers();
  options.metrics = [](std::string_view, std::string_view) {};
  return fixtures::item_repr_raises<ParcelPool>(context, options);
}

asio::awaitable<Json> large_values(fixtures::ScenarioContext& context) {
  return fixtures::large_values<SheetPool>(context, two_workers());
}

}  // namespace

namespace runner {

const char* const exercise_slug = "pool-stop";

asio::awaitable<Observation> run_case(RunContext& context) {
  static const fixtures::PoolExercise exercise{
      .make_pool =
          [](fixtures::Handler handle, fixtures::PoolSettings settings) {
            return std::make_unique<SubmittedPool>(std::move(handle), std::move(settings));
          },
      .factor = 10,
      .scenarios = {{"special_items", special_items},
                    {"special_results", special_results},
                    {"move_only_values", move_only_values},
                    {"item_repr_raises", item_repr_raises},
                    {"large_values", large_values}}};
  return fixtures::run_pool_case(context, exercise);
}

}  // namespace runner
