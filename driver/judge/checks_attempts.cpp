// SPDX-License-Identifier: MIT
//
// Checks of single attempts: their deadlines, how they are cancelled, and what a late one counts
// as.

#include "driver/judge/trace_check.hpp"

#include <algorithm>
#include <set>
#include <string>

namespace driver {
namespace {

std::string name_of(const Attempt& attempt) {
  return "attempt " + std::to_string(attempt.number) + " at item " + std::to_string(attempt.item);
}

/// Whether the attempt was still running when the caller left: it is cancelled for that, then, and
/// two readings of the statement disagree about how often.
bool outlives_caller(const Attempt& attempt, const PoolTrace& trace) {
  const auto left = trace.caller_left();
  return left && !(attempt.end && attempt.end->position < left->position);
}

/// Whether the attempt was seen to run past `time`; at a tie it was not.
bool runs_past(const Attempt& attempt, Nanoseconds time, const PoolRun& run) {
  if (attempt.end) {
    return attempt.end->time > time;
  }
  return run.trace.end && run.trace.end->time > time;
}

}  // namespace

/// An attempt starts before the last one at the same item has ended. The end is seen before anybody
/// can know of it, so the order of events is safe. Left open: equal items.
Findings check_attempt_overlap(const PoolRun& run) {
  Findings findings;
  for (const SettledAttempt& settled : run.history.attempts) {
    const Attempt& attempt = *settled.attempt;
    if (settled.next == nullptr ||
        (attempt.end && attempt.end->position < settled.next->start.position)) {
      continue;
    }
    const bool abandoned = attempt.cancels.size() >= 3;
    findings.push_back(finding(abandoned ? "attempt_overlap.abandoned" : "attempt_overlap",
                               settled.next->start.time,
                               name_of(*settled.next) + " starts while attempt " +
                                   std::to_string(attempt.number) + " is still running"));
  }
  return findings;
}

/// An attempt is cancelled before its time, or not cancelled when its time is up. Left open: one
/// nanosecond for those who round seconds differently, an attempt that ends in the very instant of
/// its deadline, and attempts that were running when the caller left.
Findings check_deadline(const PoolRun& run) {
  Findings findings;
  for (const Attempt& attempt : run.trace.attempts) {
    const Nanoseconds deadline = attempt.start.time + run.setup.timeout;
    if (outlives_caller(attempt, run.trace)) {
      continue;
    }
    if (attempt.cancels.empty() ? runs_past(attempt, deadline + rounding, run)
                                : attempt.cancels.front() > deadline + rounding) {
      findings.push_back(finding(
          "deadline", deadline,
          name_of(attempt) + " is still running after item_timeout and " +
              (attempt.cancels.empty() ? "is not cancelled"
                                       : "is cancelled only at " + seconds(attempt.cancels[0])),
          seconds(deadline),
          attempt.cancels.empty() ? nlohmann::json()
                                  : nlohmann::json(seconds(attempt.cancels[0]))));
    } else if (!attempt.cancels.empty() && attempt.cancels.front() < deadline - rounding) {
      findings.push_back(finding(attempt.number > 1 && run.setup.is_unique(attempt.item)
                                     ? "deadline.retry"
                                     : "deadline.early",
                                 attempt.cancels.front(),
                                 name_of(attempt) + " is cancelled after " +
                                     seconds(attempt.cancels.front() - attempt.start.time) +
                                     "; its item_timeout is " + seconds(run.setup.timeout),
                                 seconds(deadline), seconds(attempt.cancels.front())));
    }
  }
  return findings;
}

/// A late attempt is cancelled at other moments than once every item_timeout, at most three times.
/// Left open: as for the deadline; and a cancellation in the very instant in which it ends.
Findings check_cancel_rounds(const PoolRun& run) {
  Findings findings;
  const Nanoseconds timeout = run.setup.timeout;
  for (const Attempt& attempt : run.trace.attempts) {
    if (attempt.cancels.empty() || outlives_caller(attempt, run.trace)) {
      continue;
    }
    if (attempt.cancels.size() > 3) {
      findings.push_back(finding("cancel_rounds.limit", attempt.cancels[3],
                                 name_of(attempt) + " is cancelled more than three times", 3,
                                 attempt.cancels.size()));
    }
    for (std::size_t round = 1; round < 3; ++round) {
      const Nanoseconds due = attempt.cancels[round - 1] + timeout;
      if (round >= attempt.cancels.size()) {
        if (runs_past(attempt, due + rounding, run)) {
          findings.push_back(finding("cancel_rounds", due,
                                     name_of(attempt) + " ignores cancellation " +
                                         std::to_string(round) +
                                         " and is not cancelled again after item_timeout",
                                     round + 1, attempt.cancels.size()));
        }
        break;
      }
      if (std::abs(attempt.cancels[round] - due) > rounding) {
        findings.push_back(
            finding("cancel_rounds.spacing", attempt.cancels[round],
                    name_of(attempt) + " gets cancellation " + std::to_string(round + 1) + " " +
                        seconds(attempt.cancels[round] - attempt.cancels[round - 1]) +
                        " after the one before; the pool waits up to item_timeout for it",
                    seconds(due), seconds(attempt.cancels[round])));
        break;
      }
    }
  }
  return findings;
}

/// What a late attempt returns or throws is used after all. Only what can come from nowhere else
/// counts: a result of an item none of whose attempts can have succeeded, or an exception that
/// names the late attempt. Left open: equal items, ties, and attempts running when the caller left.
Findings check_late_outcome(const PoolRun& run) {
  Findings findings;
  std::set<std::string> recorded;
  const nlohmann::json group = run.log.observed.value("group", nlohmann::json::array());
  for (const nlohmann::json& member : group) {
    if (member.is_array() && member.size() == 2 && member[1].is_string()) {
      recorded.insert(member[1].get<std::string>());
    }
  }
  for (const SettledAttempt& settled : run.history.attempts) {
    const Attempt& attempt = *settled.attempt;
    if (!settled.is_unique || !is_late(attempt, run.setup) || outlives_caller(attempt, run.trace)) {
      continue;
    }
    const auto end = attempt.end ? std::optional(attempt.end->time) : std::nullopt;
    const std::int64_t result = attempt.item * run.setup.result_factor;
    if (attempt.how == "late" && settled.next == nullptr && run.trace.yields_for(result) > 0) {
      findings.push_back(finding("late_outcome", end,
                                 name_of(attempt) +
                                     " returned a value while it was being cancelled for being "
                                     "late; it is a timeout, and its value must not be yielded",
                                 nullptr, result));
    }
    const std::string message = attempt.how + " from item " + std::to_string(attempt.item) +
                                " attempt " + std::to_string(attempt.number);
    if (recorded.contains(message)) {
      findings.push_back(finding("late_outcome.error", end,
                                 name_of(attempt) +
                                     " threw while it was being cancelled for being late; it is "
                                     "recorded as a timeout",
                                 describe(timeout_failure()), message));
    }
  }
  return findings;
}

}  // namespace driver
