// SPDX-License-Identifier: MIT
// A part of the runner of pool-keep-going: items and results that cannot be copied, or are large.
#include "driver/fixtures/pool_run.hpp"
#include "driver/fixtures/special_payloads.hpp"
#include "options.hpp"
#include "worker_pool.hpp"

static const fixtures::AddScenarios added(
    fixtures::payload_scenarios<WorkerPool, WorkerPoolOptions>());
static const fixtures::AddScenarios measured(
    fixtures::item_scenarios<WorkerPool, WorkerPoolOptions>());
