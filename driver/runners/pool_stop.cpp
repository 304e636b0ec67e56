// SPDX-License-Identifier: MIT
// Runs one submission of pool-stop.
#include "driver/fixtures/pool_run.hpp"
#include "options.hpp"
#include "worker_pool.hpp"

namespace {

using SubmittedPool =
    fixtures::PoolAdapter<WorkerPool<fixtures::TestItem, std::int64_t>, WorkerPoolOptions>;

std::unique_ptr<fixtures::Pool> make_pool(fixtures::Handler handle,
                                          const fixtures::PoolSettings& settings) {
  return std::make_unique<SubmittedPool>(std::move(handle), settings, settings.metrics);
}

}  // namespace

namespace runner {

const char* const exercise_slug = "pool-stop";

asio::awaitable<Observation> run_case(RunContext& context) {
  static const fixtures::PoolExercise exercise{.make_pool = make_pool,
                                               .text = fixtures::stop_text()};
  return fixtures::run_pool_case(context, exercise);
}

}  // namespace runner
