// SPDX-License-Identifier: MIT
// Runs one submission of pool-keep-going.
#include "driver/fixtures/pool_run.hpp"
#include "options.hpp"
#include "worker_pool.hpp"

namespace {

using fixtures::TestItem;
using SubmittedPool =
    fixtures::PoolAdapter<WorkerPool<TestItem, std::int64_t>, WorkerPoolOptions<TestItem>>;

// The fixtures' metrics take a text: an item is told by its number.
SubmittedPool::Metrics metrics_of_items(const fixtures::PoolSettings& settings) {
  if (!settings.metrics) return {};
  return [metrics = settings.metrics](std::string_view event, const TestItem& item) {
    metrics(event, std::to_string(item.value));
  };
}

std::unique_ptr<fixtures::Pool> make_pool(fixtures::Handler handle,
                                          const fixtures::PoolSettings& settings) {
  return std::make_unique<SubmittedPool>(std::move(handle), settings, metrics_of_items(settings));
}

}  // namespace

namespace runner {

const char* const exercise_slug = "pool-keep-going";

asio::awaitable<Observation> run_case(RunContext& context) {
  static const fixtures::PoolExercise exercise{.make_pool = make_pool,
                                               .text = fixtures::keep_going_text()};
  return fixtures::run_pool_case(context, exercise);
}

}  // namespace runner
