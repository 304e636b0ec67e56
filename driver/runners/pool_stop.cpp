// SPDX-License-Identifier: MIT
// Runs one submission of pool-stop.
#include "driver/fixtures/pool_run.hpp"
#include "options.hpp"
#include "worker_pool.hpp"

namespace {

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

// A bool is no limit: it does not compile.
static_assert(!std::is_constructible_v<Limit, bool>);

}  // namespace

namespace runner {

const char* const exercise_slug = "pool-stop";

asio::awaitable<Observation> run_case(RunContext& context) {
  static const fixtures::PoolExercise exercise{
      .make_pool =
          [](fixtures::Handler handle, fixtures::PoolSettings settings) {
            return std::make_unique<SubmittedPool>(std::move(handle), std::move(settings));
          },
      .factor = 10};
  return fixtures::run_pool_case(context, exercise);
}

}  // namespace runner
