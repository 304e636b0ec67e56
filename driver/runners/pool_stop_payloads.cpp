// SPDX-License-Identifier: MIT
// A part of the runner of pool-stop: items and results that cannot be copied, or are large.
#include "driver/fixtures/pool_run.hpp"
#include "driver/fixtures/special_payloads.hpp"
#include "options.hpp"
#include "worker_pool.hpp"

template <class>
using OptionsFor = WorkerPoolOptions;

static const fixtures::AddScenarios added(fixtures::payload_scenarios<WorkerPool, OptionsFor>());
static const fixtures::AddScenarios printed(fixtures::repr_scenarios<WorkerPool, OptionsFor>());
