// SPDX-License-Identifier: MIT
// A part of the runner of pool-keep-going: null values and end markers as items and results.
#include "driver/fixtures/pool_run.hpp"
#include "driver/fixtures/special_values.hpp"
#include "item.hpp"
#include "options.hpp"
#include "worker_pool.hpp"

static const fixtures::AddScenarios added(
    fixtures::value_scenarios<WorkerPool, WorkerPoolOptions, Done>());
