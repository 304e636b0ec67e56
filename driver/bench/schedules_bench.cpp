// SPDX-License-Identifier: MIT
// How many runs of a case one core simulates in a second: the reference of pool-stop, with its
// records made and thrown away.
#include "driver/runner/recorder.hpp"
#include "driver/runner/run.hpp"

#include <benchmark/benchmark.h>

#include <fcntl.h>
#include <string>

namespace {

// Eight items and three workers, so that a run has some fifty steps and real choices.
const char* const eight_items = R"({
  "workers": 3, "queue_size": 3, "item_timeout": 1.0, "retryable": ["Transient"],
  "max_retries": 1, "metrics": "record", "items": [0, 1, 2, 3, 4, 5, 6, 7],
  "behaviours": {"0": {"kind": "succeed", "delay": 0.3},
                 "3": {"kind": "fail", "error": "Transient", "delay": 0.1, "times": 1}}})";

void run_schedules(benchmark::State& state) {
  const nlohmann::json test_case = nlohmann::json::parse(eight_items);
  runner::Recorder recorder(::open("/dev/null", O_WRONLY | O_CLOEXEC), 1);
  std::size_t run = 0;
  for (auto _ : state) {
    runner::run_under_schedule(test_case, run, "random:" + std::to_string(run), 200'000, recorder);
    ++run;
  }
  state.SetItemsProcessed(state.iterations());
}

BENCHMARK(run_schedules)->Name("schedules")->Unit(benchmark::kMicrosecond);

}  // namespace

BENCHMARK_MAIN();
