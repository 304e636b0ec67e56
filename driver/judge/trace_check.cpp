// SPDX-License-Identifier: MIT
//
// The table itself, and the few helpers that all checks share.

#include "driver/judge/trace_check.hpp"

#include <array>
#include <utility>

namespace driver {

PoolRun read_pool_run(const nlohmann::json& test_case, const nlohmann::json& parameters,
                      const RunLog& log) {
  PoolRun run = {.log = log,
                 .setup = read_setup(test_case, parameters),
                 .trace = read_trace(log.events),
                 .history = {}};
  run.history = settle(run.setup, run.trace);
  return run;
}

std::span<const TraceCheck> trace_checks() {
  static constexpr std::array table = {
      TraceCheck{"stop_before", check_stop_before, true, true},
      TraceCheck{"pull_overlap", check_pull_overlap, true, true},
      TraceCheck{"deadline", check_deadline, true, false},
      TraceCheck{"cancel_rounds", check_cancel_rounds, true, false},
      TraceCheck{"attempt_overlap", check_attempt_overlap, true, true},
      TraceCheck{"active_limit", check_active_limit, true, true},
      TraceCheck{"late_outcome", check_late_outcome, true, false},
      TraceCheck{"retry", check_retry, false, false},
      TraceCheck{"stop", check_stop, true, false},
      TraceCheck{"source_failure", check_source_failure, true, false},
      TraceCheck{"lead", check_lead, true, true},
      TraceCheck{"fifo", check_fifo, true, false},
      TraceCheck{"full_use", check_full_use, true, false},
      TraceCheck{"order", check_order, true, false},
      TraceCheck{"results", check_results, false, false},
      TraceCheck{"group", check_group, false, false},
      TraceCheck{"metrics", check_metrics, false, false},
      TraceCheck{"drain", check_drain, false, false},
      TraceCheck{"exactly_once", check_exactly_once, false, false},
      TraceCheck{"source_open", check_source_open, true, true},
      TraceCheck{"end_time", check_end_time, false, false},
      TraceCheck{"nothing_after_end", check_nothing_after_end, true, true},
      TraceCheck{"tasks", check_tasks, false, true},
      TraceCheck{"unread", check_unread, true, true},
      TraceCheck{"context", check_context, false, true},
  };
  return table;
}

Violation finding(std::string check, std::optional<Nanoseconds> time, std::string message,
                  nlohmann::json expected, nlohmann::json actual) {
  return {.rule = {},
          .check = std::move(check),
          .time_ns = time,
          .message = std::move(message),
          .expected = std::move(expected),
          .actual = std::move(actual)};
}

std::string seconds(Nanoseconds time) {
  std::string digits = std::to_string(time);
  const bool is_negative = digits.front() == '-';
  digits.erase(0, is_negative ? 1 : 0);
  if (digits.size() < 10) {
    digits.insert(0, 10 - digits.size(), '0');
  }
  digits.insert(digits.size() - 9, ".");
  digits.erase(digits.find_last_not_of('0') + 1);
  if (digits.back() == '.') {
    digits.pop_back();
  }
  return (is_negative ? "-" : "") + digits + " s";
}

}  // namespace driver
