// SPDX-License-Identifier: MIT
//
// The table of checks that read the events of a worker pool's run. Each is enabled by its name in
// exercise.json, which also says which rule it stands for.
//
// A check may only fail what no right solution does. Right solutions differ: in when the producer
// pulls, in whether the item in its hand at a stop is handled, in the order within one instant, and
// at exact ties. The comment of each check says what it leaves open for that reason.

#pragma once

#include "driver/core/run_log.hpp"
#include "driver/core/verdict.hpp"
#include "driver/judge/item_history.hpp"
#include "driver/judge/pool_setup.hpp"
#include "driver/judge/pool_trace.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace driver {

/// One run, read in every way that the checks need.
struct PoolRun {
  const RunLog& log;
  PoolSetup setup;
  PoolTrace trace;
  ItemHistory history;
};

/// Reads a run.
/// Errors: BadObservation, as for read_trace.
PoolRun read_pool_run(const nlohmann::json& test_case, const nlohmann::json& parameters,
                      const RunLog& log);

/// What a check finds. `check` is the check's name, or that with a dot and a part ("cancel_rounds.
/// limit"): exercise.json may give a part a rule of its own, else it counts under the whole.
using Findings = std::vector<Violation>;

/// One row of the table.
struct TraceCheck {
  std::string_view name;
  Findings (*run)(const PoolRun&);
  /// Whether it can be trusted on a run that was cut short, for instance by a deadlock.
  bool works_on_a_prefix;
  /// Whether it holds on a slow machine, where a deadline may pass before steps that are ready.
  bool works_when_late;
};

/// Gives all checks, those whose findings explain others first.
std::span<const TraceCheck> trace_checks();

/// Makes one finding; `rule` is filled in later, from exercise.json.
Violation finding(std::string check, std::optional<Nanoseconds> time, std::string message,
                  nlohmann::json expected = nullptr, nlohmann::json actual = nullptr);

/// Gives a time as people read it: "0.25 s".
std::string seconds(Nanoseconds time);

// The producer and the workers (checks_flow.cpp).
Findings check_pull_overlap(const PoolRun& run);
Findings check_active_limit(const PoolRun& run);
Findings check_full_use(const PoolRun& run);
Findings check_fifo(const PoolRun& run);
Findings check_lead(const PoolRun& run);

// Deadlines and attempts (checks_attempts.cpp, checks_retry.cpp).
Findings check_attempt_overlap(const PoolRun& run);
Findings check_deadline(const PoolRun& run);
Findings check_cancel_rounds(const PoolRun& run);
Findings check_late_outcome(const PoolRun& run);
Findings check_retry(const PoolRun& run);

// What comes out (checks_results.cpp, checks_group.cpp, checks_metrics.cpp).
Findings check_order(const PoolRun& run);
Findings check_results(const PoolRun& run);
Findings check_group(const PoolRun& run);
Findings check_metrics(const PoolRun& run);

// Stops (checks_stop.cpp).
Findings check_stop_before(const PoolRun& run);
Findings check_stop(const PoolRun& run);
Findings check_source_failure(const PoolRun& run);
Findings check_drain(const PoolRun& run);
Findings check_exactly_once(const PoolRun& run);

// The end of the run (checks_end.cpp).
Findings check_end_time(const PoolRun& run);
Findings check_nothing_after_end(const PoolRun& run);
Findings check_tasks(const PoolRun& run);
Findings check_source_open(const PoolRun& run);
Findings check_unread(const PoolRun& run);
Findings check_context(const PoolRun& run);

}  // namespace driver
