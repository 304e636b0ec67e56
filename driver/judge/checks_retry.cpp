// SPDX-License-Identifier: MIT
//
// Checks of retries: which attempts have a successor, and when it starts.

#include "driver/judge/error_classes.hpp"
#include "driver/judge/trace_check.hpp"

#include <algorithm>
#include <map>
#include <string>

namespace driver {
namespace {

/// More findings than this say nothing new.
constexpr std::size_t enough = 20;

std::string item_text(const Attempt& attempt) { return "item " + std::to_string(attempt.item); }

/// Whether some (or every) failure that the attempt may count as is retryable.
bool may_be_retried(const SettledAttempt& settled, const PoolSetup& setup) {
  return std::any_of(settled.outcomes.begin(), settled.outcomes.end(), [&](const auto& outcome) {
    return outcome.kind == Outcome::Kind::failure && retry_of(outcome, setup) != Retry::never;
  });
}

bool must_be_retried(const SettledAttempt& settled, const PoolSetup& setup) {
  return settled.must_fail() &&
         std::all_of(settled.outcomes.begin(), settled.outcomes.end(), [&](const auto& outcome) {
           return retry_of(outcome, setup) == Retry::always;
         });
}

const Outcome& first_failure(const SettledAttempt& settled) {
  return *std::find_if(
      settled.outcomes.begin(), settled.outcomes.end(),
      [](const Outcome& outcome) { return outcome.kind == Outcome::Kind::failure; });
}

/// A retry that should not have been.
void check_made(const SettledAttempt& settled, const PoolSetup& setup, Findings& findings) {
  const Attempt& attempt = *settled.attempt;
  const Nanoseconds at = settled.next->start.time;
  if (settled.must_be_ok()) {
    findings.push_back(finding("exactly_once.again", at,
                               item_text(attempt) + " is handled again after it succeeded"));
  } else if (settled.can_fail() && !may_be_retried(settled, setup)) {
    const Outcome& failure = first_failure(settled);
    const bool is_timeout = failure == timeout_failure();
    findings.push_back(finding(is_timeout ? "retry.timeout" : "retry.class", at,
                               item_text(attempt) + " is retried after " + describe(failure) +
                                   ", which is not an instance of a retryable class",
                               setup.retryable, failure.type));
  } else if (attempt.number > setup.max_retries) {
    findings.push_back(finding(setup.max_retries == 0 ? "retry.zero" : "retry", at,
                               item_text(attempt) + " gets attempt " +
                                   std::to_string(attempt.number + 1) + ", but max_retries is " +
                                   std::to_string(setup.max_retries),
                               setup.max_retries + 1, attempt.number + 1));
  } else if (attempt.end && at > attempt.end->time) {
    findings.push_back(finding("retry.delay", at,
                               item_text(attempt) + " is retried " +
                                   seconds(at - attempt.end->time) +
                                   " after its failed attempt has ended; nothing is left to wait "
                                   "for",
                               seconds(attempt.end->time), seconds(at)));
  }
}

/// Whether the pool was to stop before the attempt failed, so that somebody may have thought that
/// retries were over.
bool is_after_stop(Nanoseconds time, const PoolRun& run) {
  const auto& stop = run.history.likely_stop;
  return (stop && stop->time < time) ||
         std::any_of(run.trace.stops.begin(), run.trace.stops.end(),
                     [&](const Stop& seen) { return seen.at.time <= time; });
}

/// Finds the part of the rules that explains best why a retry is missing.
std::string missing_part(const SettledAttempt& settled, const PoolRun& run) {
  const Outcome& failure = first_failure(settled);
  const std::vector<std::string>& listed = run.setup.retryable;
  const Nanoseconds at = settled.attempt->end->time;
  if (failure.type == "TimeoutError" && !is_instance(failure.type, listed)) {
    return failure == timeout_failure() ? "retry.timeout" : "retry.own_timeout";
  }
  if (is_after_stop(at, run)) {
    return "retry.after_stop";
  }
  if (failure == timeout_failure()) {
    return "retry.timeout";
  }
  if (std::find(listed.begin(), listed.end(), failure.type) == listed.end()) {
    return "retry.subclass";
  }
  const auto of_others = std::count_if(
      run.history.attempts.begin(), run.history.attempts.end(), [&](const SettledAttempt& other) {
        return other.next != nullptr && other.attempt->item != settled.attempt->item &&
               other.next->start.time <= at;
      });
  return of_others + settled.attempt->number > run.setup.max_retries ? "retry.budget" : "retry";
}

void check_missing(const SettledAttempt& settled, const PoolRun& run, Findings& findings) {
  const Attempt& attempt = *settled.attempt;
  if (!attempt.end || !must_be_retried(settled, run.setup) ||
      attempt.number > run.setup.max_retries) {
    return;
  }
  findings.push_back(finding(missing_part(settled, run), attempt.end->time,
                             item_text(attempt) + " is not retried after " +
                                 describe(first_failure(settled)) + ": it had " +
                                 std::to_string(attempt.number - 1) + " of " +
                                 std::to_string(run.setup.max_retries) + " retries",
                             attempt.number + 1, attempt.number));
}

/// Equal items cannot be told apart, but every attempt beyond one for each needs a failure before
/// it.
void check_equal_items(const PoolRun& run, Findings& findings) {
  std::map<std::int64_t, std::size_t> allowed(run.trace.pulls_of.begin(), run.trace.pulls_of.end());
  for (const SettledAttempt& settled : run.history.attempts) {
    allowed[settled.attempt->item] += may_be_retried(settled, run.setup) ? 1 : 0;
  }
  for (const auto& [item, most] : allowed) {
    const auto found = run.trace.attempts_of.find(item);
    if (!run.setup.is_unique(item) && found != run.trace.attempts_of.end() &&
        found->second.size() > most) {
      findings.push_back(finding("exactly_once.again",
                                 run.trace.attempts[found->second.back()].start.time,
                                 "item " + std::to_string(item) +
                                     " is handled more often than it "
                                     "was pulled and had to be retried",
                                 most, found->second.size()));
    }
  }
}

}  // namespace

/// An attempt has a successor and should not, or has none and should; or the successor starts at a
/// later instant than the failure. Left open: readings of "only if TimeoutError is in retryable",
/// what an attempt counts as at a tie, attempts at equal items (only counted), and retries that the
/// caller prevented by leaving.
Findings check_retry(const PoolRun& run) {
  Findings findings;
  for (const SettledAttempt& settled : run.history.attempts) {
    if (findings.size() >= enough) {
      break;
    }
    if (settled.next != nullptr) {
      check_made(settled, run.setup, findings);
    } else if (settled.is_unique) {
      check_missing(settled, run, findings);
    }
  }
  check_equal_items(run, findings);
  return findings;
}

}  // namespace driver
