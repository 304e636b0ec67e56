// SPDX-License-Identifier: MIT
//
// Checks of the results that the caller reads: which ones, when, and in which order.

#include "driver/judge/trace_check.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

namespace driver {
namespace {

/// How many results of an item there must and may be.
struct Count {
  std::size_t least = 0;
  std::size_t most = 0;
  Nanoseconds last = 0;  ///< When its last success ended.
};

std::map<std::int64_t, Count> expected_counts(const PoolRun& run) {
  const bool left = run.trace.caller_left().has_value();
  std::map<std::int64_t, Count> counts;
  for (const SettledAttempt& settled : run.history.attempts) {
    Count& count = counts[settled.attempt->item * run.setup.result_factor];
    count.least += settled.must_be_ok() && !left ? 1 : 0;
    count.most += settled.can_be_ok() ? 1 : 0;
    if (settled.can_be_ok() && settled.attempt->end) {
      count.last = settled.attempt->end->time;
    }
  }
  return counts;
}

/// When the result of each yield was ready, in the order of yields: of equal results the earliest
/// first. None where no success fits.
std::vector<std::optional<Nanoseconds>> ready_times(const PoolRun& run) {
  std::unordered_map<std::int64_t, std::vector<Nanoseconds>> ready;
  for (const SettledAttempt& settled : run.history.attempts) {
    if (settled.can_be_ok() && settled.attempt->end) {
      ready[settled.attempt->item * run.setup.result_factor].push_back(settled.attempt->end->time);
    }
  }
  for (auto& [result, times] : ready) {
    std::sort(times.begin(), times.end(), std::greater<>());
  }
  std::vector<std::optional<Nanoseconds>> times;
  for (const Yield& yield : run.trace.yields) {
    std::vector<Nanoseconds>& left = ready[yield.result];
    times.push_back(left.empty() ? std::nullopt : std::optional(left.back()));
    if (!left.empty()) {
      left.pop_back();
    }
  }
  return times;
}

void check_times(const PoolRun& run, Findings& findings) {
  const std::vector<std::optional<Nanoseconds>> ready = ready_times(run);
  std::optional<Nanoseconds> reader_free;
  for (std::size_t index = 0; index < ready.size(); ++index) {
    const Yield& yield = run.trace.yields[index];
    const Nanoseconds due = std::max(ready[index].value_or(yield.at.time), reader_free.value_or(0));
    if (yield.at.time > due + rounding) {
      findings.push_back(finding("results.late", yield.at.time,
                                 "result " + std::to_string(yield.result) + " was ready at " +
                                     seconds(*ready[index]) + " but is yielded only at " +
                                     seconds(yield.at.time),
                                 seconds(due), seconds(yield.at.time)));
      return;
    }
    reader_free = yield.at.time + run.setup.caller_delay.value_or(0);
  }
}

}  // namespace

/// A result is yielded after one that was ready at a later instant. Left open: the order of results
/// that were ready at the same instant.
Findings check_order(const PoolRun& run) {
  const std::vector<std::optional<Nanoseconds>> ready = ready_times(run);
  for (std::size_t index = 1; index < ready.size(); ++index) {
    const Yield& earlier = run.trace.yields[index - 1];
    const Yield& yield = run.trace.yields[index];
    if (ready[index] && ready[index - 1] && *ready[index] < *ready[index - 1]) {
      return {finding("order", yield.at.time,
                      "result " + std::to_string(yield.result) + " was ready at " +
                          seconds(*ready[index]) + ", before result " +
                          std::to_string(earlier.result) + " (" + seconds(*ready[index - 1]) +
                          "), but is yielded after it",
                      yield.result, earlier.result)};
    }
  }
  return {};
}

/// The results are not those of the successful attempts, each once, as soon as the reader takes
/// them. Left open: missing ones when the caller left, and what an attempt counts as at a tie.
Findings check_results(const PoolRun& run) {
  Findings findings;
  std::map<std::int64_t, Count> counts = expected_counts(run);
  for (const Yield& yield : run.trace.yields) {
    counts[yield.result];
  }
  for (const auto& [result, count] : counts) {
    const std::size_t yields = run.trace.yields_for(result);
    if (yields > count.most) {
      findings.push_back(finding("results", std::nullopt,
                                 "result " + std::to_string(result) + " is yielded " +
                                     std::to_string(yields) + " times, but " +
                                     std::to_string(count.most) + " attempts gave it in time",
                                 count.most, yields));
    } else if (yields < count.least) {
      const auto& stop = run.history.likely_stop;
      const bool in_drain = stop && stop->time <= count.last;
      findings.push_back(
          finding(in_drain ? "results.drained" : "results.missing", count.last,
                  "result " + std::to_string(result) + " of a successful attempt is not yielded",
                  count.least, yields));
    }
  }
  check_times(run, findings);
  return findings;
}

}  // namespace driver
