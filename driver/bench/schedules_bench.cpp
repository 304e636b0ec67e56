// SPDX-License-Identifier: MIT
// How many runs of a case one core simulates in a second: the reference of pool-stop, with its
// records made and thrown away.
#include "driver/runner/recorder.hpp"
#include "driver/runner/run.hpp"

#include <benchmark/benchmark.h>

#include <fcntl.h>
#include <string>

namespace {

// A pool of three workers over so many items, one of which is retried.
nlohmann::json case_with(std::int64_t items) {
  nlohmann::json test_case = nlohmann::json::parse(R"({
    "workers": 3, "queue_size": 3, "item_timeout": 1.0, "retryable": ["Transient"],
    "max_retries": 1, "metrics": "record", "items": [],
    "behaviours": {"0": {"kind": "succeed", "delay": 0.3},
                   "2": {"kind": "fail", "error": "Transient", "delay": 0.1, "times": 1}}})");
  for (std::int64_t item = 0; item < items; ++item) test_case["items"].push_back(item);
  return test_case;
}

void run_schedules(benchmark::State& state) {
  const nlohmann::json test_case = case_with(state.range(0));
  runner::Recorder recorder(::open("/dev/null", O_WRONLY | O_CLOEXEC), 1);
  std::size_t run = 0;
  for (auto _ : state) {
    runner::run_under_schedules(test_case, {.schedules = {"random:" + std::to_string(run++)}},
                                recorder);
  }
  state.SetItemsProcessed(state.iterations());
}

BENCHMARK(run_schedules)
    ->Name("schedules")
    ->ArgName("items")
    ->Arg(3)
    ->Arg(8)
    ->Unit(benchmark::kMicrosecond);

}  // namespace

BENCHMARK_MAIN();
