// SPDX-License-Identifier: MIT
//
// An attempt that saw a cancellation at its deadline is a timeout whatever it did afterwards.

#include "driver/judge/outcome.hpp"

#include "driver/judge/error_classes.hpp"

#include <algorithm>

namespace driver {
namespace {

/// What the attempt itself made of it, deadline or not.
Outcome natural_outcome(const Attempt& attempt) {
  if (attempt.how == "ok" || attempt.how == "late") {
    return {};
  }
  if (attempt.how == "cancelled" || attempt.how == "cancelled itself") {
    return self_cancel_failure();
  }
  return {.kind = Outcome::Kind::failure,
          .type = attempt.how,
          .message = attempt.how + " from item " + std::to_string(attempt.item) + " attempt " +
                     std::to_string(attempt.number)};
}

}  // namespace

std::string describe(const Outcome& outcome) { return outcome.type + ": " + outcome.message; }

std::string repr(const Outcome& outcome) { return outcome.type + "('" + outcome.message + "')"; }

Outcome timeout_failure() {
  return {.kind = Outcome::Kind::failure, .type = "TimeoutError", .message = "item timed out"};
}

Outcome self_cancel_failure() {
  return {.kind = Outcome::Kind::failure,
          .type = "RuntimeError",
          .message = "handler cancelled itself"};
}

Retry retry_of(const Outcome& failure, const PoolSetup& setup) {
  if (failure.type == "TimeoutError" && setup.timeouts_are_retried) {
    return Retry::always;
  }
  if (!is_instance(failure.type, setup.retryable)) {
    return Retry::never;
  }
  const bool is_listed = std::find(setup.retryable.begin(), setup.retryable.end(), failure.type) !=
                         setup.retryable.end();
  return failure.type == "TimeoutError" && !is_listed ? Retry::either : Retry::always;
}

std::vector<Outcome> outcomes_of(const Attempt& attempt, const PoolSetup& setup,
                                 const PoolTrace& trace) {
  if (!attempt.end) {
    return {{}, timeout_failure(), {.kind = Outcome::Kind::aborted, .type = {}, .message = {}}};
  }
  std::vector<Outcome> outcomes;
  if (attempt.cancels.empty() || !is_late(attempt, setup)) {
    outcomes.push_back(natural_outcome(attempt));
  }
  if (!attempt.cancels.empty() ||
      attempt.end->time >= attempt.start.time + setup.timeout - rounding) {
    outcomes.push_back(timeout_failure());
  }
  const auto left = trace.caller_left();
  if (left && left->time <= attempt.end->time) {
    outcomes.push_back({.kind = Outcome::Kind::aborted, .type = {}, .message = {}});
  }
  return outcomes;
}

bool is_late(const Attempt& attempt, const PoolSetup& setup) {
  return !attempt.cancels.empty() &&
         attempt.cancels.front() >= attempt.start.time + setup.timeout - rounding;
}

}  // namespace driver
